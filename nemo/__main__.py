"""``python -m nemo``."""

import sys

from nemo.cli import main

if __name__ == "__main__":
    sys.exit(main())

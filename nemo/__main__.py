"""``python -m nemo``."""

import sys

if __name__ == "__main__":
    try:
        from nemo.cli import main  # a second, in which people think better of it
    except KeyboardInterrupt:
        sys.stderr.write("已中断。\n")
        sys.exit(130)
    sys.exit(main())

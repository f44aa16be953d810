"""A process that keeps writing to a library until it is killed, and says what it has finished.

``python -m tests.store_writer FOLDER SEED EXACT_ROWS``: prints ``+id`` after a commit, ``-id`` after a removal, and
``?id`` before either; so the one who kills it knows what must be there, what must be gone and what may be either.
"""

import random
import sys
from pathlib import Path

from tests.store_samples import opened, put, regulation


def say(words: str) -> None:
    print(words, flush=True)


def main() -> None:
    folder, seed, exact_rows = Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
    chance = random.Random(seed)
    with opened(folder, exact_rows=exact_rows) as library:
        say("open")
        for step in range(seed * 1000, seed * 1000 + 1000):
            made = regulation(step, chance.choice((2, 5, 40)))
            say(f"?{made.id}")
            put(library, made)
            say(f"+{made.id}")
            if step % 3 == 2:
                victim = chance.choice(library.rows()).id
                say(f"?{victim}")
                library.remove(victim)
                say(f"-{victim}")
            if step % 4 == 3:
                library.flush()


if __name__ == "__main__":
    main()

"""``python -m tests.shared_worker WORK FOLDER URL NUMBER``: a process beside others on one library, told by its first line of output.

``inside`` stops inside a transaction, ``alone`` while it alone may change files, ``claim`` with a job at work; each waits
there for its end. ``store NUMBER`` stores so many texts, its own and some that everybody stores, and ends in order.
"""

import sys
import time
from pathlib import Path

from nemo.store.catalogue import history
from nemo.store.library import Library
from tests.store_samples import opened, put, regulation

COMMON = 8
"""Texts that every storing process stores."""


def main(work: str, folder: str, url: str, number: int) -> None:
    with opened(Path(folder), database=url) as library:
        if work == "store":
            store(library, number)
            return
        wait_inside(library, work)


def wait_inside(library: Library, work: str) -> None:
    database = library.jobs._database
    if work == "inside":
        with database.write() as connection:
            history.record(connection, "stored", "half-done", 10**9, 1)
            told()
    elif work == "alone":
        with database.alone():
            told()
    else:
        library.jobs.claim()
        told()


def told() -> None:
    print("there", flush=True)
    time.sleep(600)


def store(library: Library, number: int) -> None:
    print("there", flush=True)
    for seed in range(COMMON):
        put(library, regulation(seed))
        put(library, regulation(100 * number + seed))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], sys.argv[3], int(sys.argv[4]))

"""Who is sending mail from a database, told by a lock that the operating system lets go of when its holder dies.

Each sender holds a shared lock on a file beside the database. One that can have it alone knows that every other
sender of this machine has ended, so that what those had leased need not wait. Where there is no such lock nothing
is known, and leases simply run out.
"""

import fcntl
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def among_senders(path: Path, alone: Callable[[], None]) -> Iterator[None]:
    """Be a sender while the block runs; `alone` is called first when there is no other.

    Nobody else becomes a sender while `alone` is at work.
    """
    try:
        file = os.open(path, os.O_RDONLY | os.O_CREAT, 0o644)
    except OSError:
        yield
        return
    try:
        if locked(file, fcntl.LOCK_EX | fcntl.LOCK_NB):
            alone()
        # Another one may have it to itself by now, but only for as long as that one's `alone` takes.
        locked(file, fcntl.LOCK_SH)
        yield
    finally:
        os.close(file)


def locked(file: int, how: int) -> bool:
    """Whether the lock could be had; some network file systems have none."""
    try:
        fcntl.flock(file, how)
    except OSError:
        return False
    return True

"""One pass after another, as cron runs them: a failure is said once, then once a day, and when it is over.

What was said is kept as empty files beside pbem.toml, one a kind of failure, for the database may be what fails, and the
disk may be full.
"""

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from pbem.config import configured, load
from pbem.server.daemon import run_once

DAY_SECONDS = 24 * 60 * 60.0


def run_pass(path: Path | None) -> None:
    """One pass. Raises what went wrong, or SystemExit when that has been said today."""
    config = configured(path)
    with said_once_a_day(config):
        run_once(load(config))


@contextmanager
def said_once_a_day(config: Path) -> Iterator[None]:
    """Let a failure of each kind through once a day, or always where somebody looks on; say when there is none any more."""
    try:
        yield
    except Exception as error:
        if sys.stderr.isatty() or news(config.with_suffix(f".{type(error).__name__}.failed")):
            raise
        raise SystemExit(1) from error
    for said in config.parent.glob(f"{config.stem}.*.failed"):
        with suppress(OSError):
            said.unlink()
            print(f"pbem: works again, after a {said.suffixes[0][1:]}", file=sys.stderr)  # noqa: T201 - cron mails it


def news(said: Path) -> bool:
    """Whether a failure has not been said for a day, or nobody knows; then it is noted as said now."""
    try:
        if abs(time.time() - said.stat().st_mtime) < DAY_SECONDS:  # ahead by a clock that was, it says nothing
            return False
    except OSError:
        pass
    with suppress(OSError):
        said.touch()
    return True

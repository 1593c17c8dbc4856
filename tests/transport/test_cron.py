"""What is shipped to run pbem unattended is correct as it is."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

CRON = Path(__file__).parent.parent.parent / "cron"
UNITS = ("pbem.service", "pbem-pass.service", "pbem-backup.service", "pbem-pass.timer", "pbem-backup.timer")


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="no systemd-analyze on this machine")
def test_systemd_finds_nothing_wrong(tmp_path: Path) -> None:
    for name in UNITS:
        # The program is not installed there on this machine.
        (tmp_path / name).write_text((CRON / name).read_text().replace("/opt/pbem/bin/pbem", "/bin/true"))
    done = subprocess.run(
        ["systemd-analyze", "verify", *(str(tmp_path / name) for name in UNITS)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout + done.stderr) == (0, "")


def test_the_crontab_runs_one_pass_and_backs_up_each_night() -> None:
    lines = [line for line in (CRON / "crontab").read_text().splitlines() if line and not line.startswith("#")]
    *settings, job, nightly = lines
    assert all(re.fullmatch(r"[A-Z]+=\S+", line) for line in settings)
    assert re.fullmatch(r"(\S+ ){5} ?\S.* run --once", job)
    assert re.fullmatch(r"\d+ \d+ \* \* \*  +\S.* admin backup backups --keep 14 >/dev/null", nightly)


def test_service_and_pass_are_protected_alike() -> None:
    daemon, *others = ((CRON / name).read_text().partition("CapabilityBoundingSet")[2].strip() for name in UNITS[:3])
    assert others == [daemon.partition("\n\n[Install]")[0]] * 2

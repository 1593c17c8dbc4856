"""What measures keeps up with what is measured."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

BENCHES = sorted((Path(__file__).parent / "bench").glob("*.py"))


@pytest.mark.slow
@pytest.mark.parametrize("bench", BENCHES, ids=lambda path: path.stem)
def test_a_benchmark_finds_all_that_it_imports_and_says_what_it_measures(bench: Path) -> None:
    root = bench.parents[2]
    done = subprocess.run(
        [sys.executable, bench, "--help"],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": str(root)},
        timeout=60,
        check=False,
    )
    assert not done.returncode, done.stderr
    assert "--help" in done.stdout

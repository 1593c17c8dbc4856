"""A headless Chromium that a test drives over its pipe, as the DevTools protocol says: nothing but the standard library."""

from __future__ import annotations

import base64
import json
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

#: What the program is called, by distribution.
NAMES = ("chromium", "chromium-browser", "google-chrome")
#: What `Input.dispatchKeyEvent` wants to know of a key.
KEYS = {"ArrowLeft": 37, "ArrowRight": 39, "Home": 36, "End": 35, "Enter": 13, "Tab": 9}


def program() -> str | None:
    """Where the browser is; None when there is none."""
    return next(filter(None, map(shutil.which, NAMES)), None)


class Browser:
    """One page in one browser."""

    def __init__(self, orders: int, answers: int) -> None:
        self._orders, self._answers = orders, os.fdopen(answers, "rb")
        self._number = 0
        self._session = ""
        target = self("Target.createTarget", url="about:blank")["targetId"]
        self._session = self("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        self("Page.enable")

    def __call__(self, method: str, **parameters: Any) -> dict[str, Any]:
        """Give an order of the protocol; its result."""
        self._number += 1
        order = {"id": self._number, "method": method, "params": parameters}
        session = {"sessionId": self._session} if self._session else {}
        os.write(self._orders, json.dumps({**order, **session}).encode() + b"\0")
        while (answer := self._message()).get("id") != self._number:
            pass
        assert "error" not in answer, answer
        result: dict[str, Any] = answer["result"]
        return result

    def _message(self) -> dict[str, Any]:
        text = b""
        while (more := self._answers.read(1)) != b"\0":
            assert more, "the browser has gone"
            text += more
        message: dict[str, Any] = json.loads(text)
        return message

    def open(self, path: Path, fragment: str = "") -> None:
        """Open a file and wait until it is there."""
        self("Page.navigate", url=path.as_uri() + fragment)
        while self.value("document.readyState") != "complete":
            pass

    def size(self, width: int, height: int, *, dark: bool = False) -> None:
        """Give the page the size of a screen, in CSS pixels."""
        self("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=width < 600)
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self("Emulation.setEmulatedMedia", features=[scheme])

    def press(self, key: str) -> None:
        """Press a key and let it go."""
        for kind in ("keyDown", "keyUp"):
            self("Input.dispatchKeyEvent", type=kind, key=key, code=key, windowsVirtualKeyCode=KEYS[key])

    def value(self, expression: str) -> Any:
        """What a JavaScript expression comes to."""
        answer = self("Runtime.evaluate", expression=expression, returnByValue=True)
        assert "exceptionDetails" not in answer, answer
        return answer["result"].get("value")

    def picture(self, path: Path) -> None:
        """Keep what the screen shows as a PNG: to be looked at."""
        path.write_bytes(base64.b64decode(self("Page.captureScreenshot")["data"]))


@contextmanager
def browser() -> Iterator[Browser]:
    """A browser of its own, with a profile that is thrown away."""
    path = program()
    assert path, "a Chromium is needed"
    orders_out, orders_in = os.pipe()
    answers_out, answers_in = os.pipe()
    flags = ["--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--remote-debugging-pipe"]
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        # It reads orders from its file 3, and writes answers to its file 4.
        shell = f'exec 3<&{orders_out} 4>&{answers_in}; exec "$@"'
        process = subprocess.Popen(
            ["bash", "-c", shell, "bash", path, *flags, f"--user-data-dir={profile}"],
            pass_fds=(orders_out, answers_in),
            stderr=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
        )
        os.close(orders_out)
        os.close(answers_in)
        page = Browser(orders_in, answers_out)
        try:
            yield page
        finally:
            page._session = ""
            page("Browser.close")
            process.wait(30)
            os.close(orders_in)
            page._answers.close()

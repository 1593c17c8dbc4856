"""Tell systemd how the service is doing (sd_notify(3)); without systemd it does nothing."""

import contextlib
import os
import socket


def notify(state: str) -> None:
    """Send one state line, such as `READY=1`."""
    path = os.environ.get("NOTIFY_SOCKET")
    if not path:
        return
    with contextlib.suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as server:
        server.connect("\0" + path[1:] if path.startswith("@") else path)
        server.send(state.encode())

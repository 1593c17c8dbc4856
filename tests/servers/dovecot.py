"""A private Dovecot: own folders, loopback only, any user, one password; nothing of the machine's is touched."""

from __future__ import annotations

import contextlib
import getpass
import grp
import os
import pwd
import shutil
import signal
import socket
import subprocess
import time
from pathlib import Path

from pydantic import SecretStr

from pbem.config import Imap

DOVECOT = shutil.which("dovecot", path=f"{os.environ.get('PATH', '')}:/usr/sbin:/usr/local/sbin")
PASSWORD = "secret"

CONFIGURATION = """
base_dir = {root}/run
state_dir = {root}/run
instance_name = pbem-test
protocols = imap
listen = 127.0.0.1
log_path = {root}/dovecot.log
default_internal_user = {user}
default_internal_group = {group}
default_login_user = {user}
first_valid_uid = 1
first_valid_gid = 1
mail_uid = {uid}
mail_gid = {gid}
mail_location = maildir:{root}/mail/%n
mail_max_userip_connections = 100
mailbox_idle_check_interval = 1 secs
disable_plaintext_auth = no
auth_mechanisms = plain login
ssl = no
passdb {{
  driver = static
  args = password={password}
}}
userdb {{
  driver = static
  args = uid={uid} gid={gid} home={root}/mail/%n allow_all_users=yes
}}
namespace inbox {{
  inbox = yes
  separator = /
}}
auth_failure_delay = 0 secs
service anvil {{
  chroot =
  unix_listener anvil-auth-penalty {{
    mode = 0
  }}
}}
service imap-login {{
  chroot =
  inet_listener imap {{
    address = 127.0.0.1
    port = {port}
  }}
  inet_listener imaps {{
    port = 0
  }}
}}
service stats {{
  chroot =
  unix_listener stats-writer {{
    mode = 0666
  }}
}}
"""


def free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port: int = listener.getsockname()[1]
        return port


class Dovecot:
    """An instance in `root`, which every user of the machine must be able to reach."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.port = free_port()
        self.owner = pwd.getpwnam("nobody" if os.getuid() == 0 else getpass.getuser())
        self._master: subprocess.Popen[bytes] | None = None
        self._dropped = 0

    def imap(self, user: str = "orders") -> Imap:
        """How `user` reads mail."""
        return Imap(host="127.0.0.1", port=self.port, tls=False, user=user, password=SecretStr(PASSWORD), timeout=10)

    def start(self) -> None:
        for name in ("run", "mail"):
            (self.root / name).mkdir(exist_ok=True)
        self._hand_over(self.root / "mail")
        group = grp.getgrgid(self.owner.pw_gid).gr_name
        configuration = self.root / "dovecot.conf"
        configuration.write_text(
            CONFIGURATION.format(
                root=self.root, user=self.owner.pw_name, group=group, uid=self.owner.pw_uid,
                gid=self.owner.pw_gid, password=PASSWORD, port=self.port,
            )
        )  # fmt: skip
        assert DOVECOT is not None
        self._master = subprocess.Popen(
            [DOVECOT, "-F", "-c", str(configuration)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        until = time.monotonic() + 10
        while not self._greets():
            if self._master.poll() is not None or time.monotonic() > until:
                raise RuntimeError((self.root / "dovecot.log").read_text())

    def _greets(self) -> bool:
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", self.port), 1) as client:
            return client.recv(100).startswith(b"* OK")
        return False

    def stop(self) -> None:
        if self._master is not None:
            self.kill_connections()  # an idling child would outlive SIGTERM by ten seconds
            self._master.terminate()
            self._master.wait(15)
        self._master = None

    def kill_connections(self) -> int:
        """SIGKILL the children that serve logged-in clients, as a crash would; how many there were."""
        killed = 0
        for child in self._children():
            with contextlib.suppress(OSError):
                if (Path("/proc") / str(child) / "comm").read_text().strip() == "imap":
                    os.kill(child, signal.SIGKILL)
                    killed += 1
        return killed

    def _children(self) -> list[int]:
        assert self._master is not None
        processes = []
        for stat in Path("/proc").glob("[0-9]*/stat"):
            with contextlib.suppress(OSError):
                if int(stat.read_text().rpartition(")")[2].split()[1]) == self._master.pid:
                    processes.append(int(stat.parent.name))
        return processes

    def folder(self, user: str = "orders") -> Path:
        return self.root / "mail" / user

    async def bring(self, user: str, raw: bytes) -> None:
        """Deliver, as a carrier wants it."""
        self.deliver(user, raw)

    def deliver(self, user: str, raw: bytes) -> None:
        """Put a mail into the inbox as a delivery agent does: written beside, then renamed."""
        maildir = self.folder(user)
        if not maildir.is_dir():
            for part in ("tmp", "new", "cur"):
                (maildir / part).mkdir(parents=True)
            self._hand_over(maildir)
        self._dropped += 1
        name = f"{time.time_ns()}.{os.getpid()}_{self._dropped}.localhost"
        (maildir / "tmp" / name).write_bytes(raw)
        self._hand_over(maildir / "tmp" / name)
        (maildir / "tmp" / name).rename(maildir / "new" / name)

    def mails(self, user: str, folder: str = "") -> list[Path]:
        """The files of a folder; without a name, of the inbox."""
        place = self.folder(user) / (f".{folder}" if folder else "")
        return [path for part in ("new", "cur") for path in sorted((place / part).glob("*"))]

    def renumber(self, user: str) -> None:
        """Forget every UID: the folders get a new UIDVALIDITY, as after a restored backup. Stop the server first."""
        for pattern in ("dovecot-uidlist", "dovecot-uidvalidity*", "dovecot.index*"):
            for path in self.folder(user).rglob(pattern):
                path.unlink()

    def _hand_over(self, path: Path) -> None:
        if os.getuid() == 0:
            for place in (path, *path.rglob("*")):
                with contextlib.suppress(FileNotFoundError):
                    os.chown(place, self.owner.pw_uid, self.owner.pw_gid)

"""A certificate authority for tests, and the TLS contexts of servers that it vouches for."""

from __future__ import annotations

import shlex
import ssl
import subprocess
from pathlib import Path


class Authority:
    """A private certificate authority in a folder, with one certificate for `localhost` and one for elsewhere."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.folder = folder
        self.ca_file = folder / "ca.crt"
        self._openssl(
            "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj '/CN=Test authority' "
            "-keyout ca.key -out ca.crt -addext keyUsage=critical,keyCertSign,cRLSign"
        )
        self.certificate, self.key = self.issue("localhost", "DNS:localhost,IP:127.0.0.1")

    def issue(self, name: str, alternatives: str) -> tuple[Path, Path]:
        """A certificate and its key for a server."""
        self._openssl(
            "req -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes "
            f"-subj /CN={name} -keyout {name}.key -out {name}.csr"
        )
        (self.folder / "extensions").write_text(
            f"subjectAltName={alternatives}\nbasicConstraints=CA:FALSE\nauthorityKeyIdentifier=keyid\n"
        )
        self._openssl(
            "x509 -req -CA ca.crt -CAkey ca.key -CAcreateserial -days 2 -extfile extensions "
            f"-in {name}.csr -out {name}.crt"
        )
        return self.folder / f"{name}.crt", self.folder / f"{name}.key"

    def server(self, certificate: tuple[Path, Path] | None = None) -> ssl.SSLContext:
        """The context of a server that shows a certificate of this authority."""
        context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        context.load_cert_chain(*(certificate or (self.certificate, self.key)))
        return context

    def _openssl(self, arguments: str) -> None:
        subprocess.run(["openssl", *shlex.split(arguments)], check=True, capture_output=True, cwd=self.folder)

"""Signs each request with the crawl's own key, so that a site can check who asks (Web Bot Auth).

Sources: RFC 9421 (HTTP Message Signatures), RFC 7638 and 8037 (names of keys), draft-ietf-webbotauth-httpsig-protocol-00 (what bots
sign, and where they publish their keys).
"""

from __future__ import annotations

import json
import os
import secrets
import time
import tomllib
from base64 import b64encode, urlsafe_b64encode
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from typing import Any, Self
from urllib.parse import urlsplit

import tomlkit
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
    load_pem_private_key,
)
from scrapy import Request
from scrapy.crawler import Crawler
from scrapy.exceptions import NotConfigured

from focused.exceptions import FocusedError
from focused.live.robots.known import origin_of

DIRECTORY = "http-message-signatures-directory"  #: name of the file of public keys, which lies below ``/.well-known/``
DIRECTORY_TYPE = f"application/{DIRECTORY}+json"
LABEL = "sig1"  #: of the signature, and of the directory that it names
HOLDS = 300  #: seconds for which a signature of a request holds: it waits for the delay of its host at most
NONCE = 48  #: bytes, so that no two signatures are the same


class IdentityError(FocusedError):
    """The file that FOCUSED_IDENTITY names cannot be used."""


@dataclass(frozen=True)
class Identity:
    """Who crawls: a key, and the site that publishes the public half of it.

    agent : origin of that site, such as ``https://bot.example.org``
    """

    agent: str
    key: Ed25519PrivateKey

    @classmethod
    def new(cls, agent: str) -> Self:
        return cls(agent_of(agent), Ed25519PrivateKey.generate())

    @classmethod
    def read(cls, path: Path) -> Self:
        """Raises IdentityError for a file that is missing or no identity."""
        try:
            tables = tomllib.loads(path.read_text())
            key = load_pem_private_key(str(tables["key"]).encode(), None)
            if not isinstance(key, Ed25519PrivateKey):
                raise ValueError("its key is no Ed25519 key")
            return cls(agent_of(str(tables["agent"])), key)
        except OSError as error:
            raise IdentityError(f"FOCUSED_IDENTITY: {path}: {error.strerror}; scrapy identity new writes one") from None
        except KeyError as error:
            raise IdentityError(f"FOCUSED_IDENTITY: {path}: {error} is missing") from None
        except (ValueError, TypeError) as error:  # TOML, PEM, the agent
            raise IdentityError(f"FOCUSED_IDENTITY: {path}: no identity: {str(error).splitlines()[0]}") from None

    def write(self, path: Path) -> None:
        """Write a new file that only its owner can read. Raises FileExistsError for one that is there, OSError otherwise."""
        pem = self.key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()).decode()
        text = tomlkit.dumps({"agent": self.agent, "key": tomlkit.string(f"\n{pem}", multiline=True)})
        file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        try:
            with os.fdopen(file, "w") as target:
                target.write(text)
        except OSError:
            with suppress(OSError):
                path.unlink()
            raise

    @cached_property
    def jwk(self) -> dict[str, str]:
        """The public key as a JSON Web Key."""
        public = self.key.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)
        return {"kty": "OKP", "crv": "Ed25519", "x": urlsafe_b64encode(public).rstrip(b"=").decode()}

    @cached_property
    def thumbprint(self) -> str:
        """The name of the key: the SHA-256 of what it consists of (RFC 7638, section 3)."""
        said = json.dumps({name: self.jwk[name] for name in ("crv", "kty", "x")}, separators=(",", ":"))
        return urlsafe_b64encode(sha256(said.encode()).digest()).rstrip(b"=").decode()

    def directory(self, others: tuple[Mapping[str, Any], ...] = ()) -> str:
        """The file to publish, as JSON, with ``others`` that it held before: sites still ask for them for a while."""
        kept = [key for key in others if key.get("kid") != self.thumbprint]
        return json.dumps({"keys": [*kept, {**self.jwk, "kid": self.thumbprint, "use": "sig"}]}, indent=2) + "\n"

    def headers(self, authority: str, now: int) -> dict[str, str]:
        """The headers that sign a request to a server: ``host`` or ``host:port``, in lower case, without the scheme's own port."""
        agent = f'"{self.agent}"'
        signed = {'"@authority"': authority, f'"signature-agent";key="{LABEL}"': agent}
        return {
            "Signature-Agent": f"{LABEL}={agent}",
            **self._signature(signed, "web-bot-auth", now, HOLDS, secrets.token_urlsafe(NONCE)),
        }

    def directory_headers(self, now: int, seconds: int) -> dict[str, str]:
        """The headers with which the directory is served, where a site wants it signed; they hold for so many seconds."""
        signed = {'"@authority";req': urlsplit(self.agent).netloc}
        return {"Content-Type": DIRECTORY_TYPE, **self._signature(signed, DIRECTORY, now, seconds)}

    def _signature(self, signed: Mapping[str, str], tag: str, now: int, holds: int, nonce: str = "") -> dict[str, str]:
        """The two headers that RFC 9421 (2.5, 3.1, 4) makes of what is signed."""
        about = f'created={now};expires={now + holds};keyid="{self.thumbprint}";alg="ed25519"'
        params = f"({' '.join(signed)});{about}" + (f';nonce="{nonce}"' if nonce else "") + f';tag="{tag}"'
        base = "\n".join([*(f"{name}: {value}" for name, value in signed.items()), f'"@signature-params": {params}'])
        signature = b64encode(self.key.sign(base.encode())).decode()
        return {"Signature-Input": f"{LABEL}={params}", "Signature": f"{LABEL}=:{signature}:"}


def agent_of(url: str) -> str:
    """The origin of the site that publishes a directory of keys. Raises ValueError for anything but an https origin."""
    parts = urlsplit(url.strip())
    if parts.scheme != "https" or not parts.hostname or parts.path not in ("", "/") or parts.query or parts.fragment:
        raise ValueError(f"{url!r} is not the address of a site, such as https://bot.example.org")
    if (
        parts.username is not None
        or not parts.netloc.isascii()
        or not parts.netloc.isprintable()
        or '"' in parts.netloc
    ):
        raise ValueError(f"{url!r} is not the address of a site: a host, and a port where it needs one")
    port = f":{parts.port}" if parts.port not in (None, 443) else ""  # raises ValueError, too
    return f"https://{parts.hostname}{port}"


class SignRequests:
    """Downloader middleware: signs each request as the last thing before it is sent, robots.txt and each hop of a redirect too."""

    def __init__(self, identity: Identity) -> None:
        self.identity = identity

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        path = crawler.settings["FOCUSED_IDENTITY"]
        if not path:
            raise NotConfigured
        return cls(Identity.read(Path(path)))

    def process_request(self, request: Request) -> None:
        if request.url.startswith(("http://", "https://")):
            authority = origin_of(request).partition("//")[2]
            request.headers.update(self.identity.headers(authority, int(time.time())))

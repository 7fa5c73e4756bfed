"""The user's own key, which signs what this user made or trusts: nobody else can make a file that it vouches for.

It lies beside the settings of the user and never beside the models: who may write to a data folder, and who sends one, has no key.
"""

from __future__ import annotations

import hashlib
import hmac
import os
import secrets
from pathlib import Path

from focused.exceptions import ModelError

SIZE = 32  #: bytes, as of SHA-256
OTHERS = 0o077  #: bits of a file's mode that let other users in


def key_file() -> Path:
    """Where the key lies: $XDG_CONFIG_HOME/focused/key, by default ~/.config/focused/key."""
    given = os.environ.get("XDG_CONFIG_HOME", "")
    folder = Path(given) if given and Path(given).is_absolute() else Path("~/.config").expanduser()
    return folder / "focused" / "key"


def signature(content: bytes) -> str:
    """HMAC-SHA256 of some bytes with the user's key, which is made where there is none. ModelError if it cannot be kept."""
    return _signed(_key() or _new_key(), content)


def is_signed(content: bytes, signed: str) -> bool:
    """Whether this user's key made the signature; not without a key. ModelError for a key that cannot be read, or others may."""
    key = _key()
    return key is not None and hmac.compare_digest(_signed(key, content).encode(), signed.encode())


def _signed(key: bytes, content: bytes) -> str:
    return hmac.new(key, content, hashlib.sha256).hexdigest()


def _key() -> bytes | None:
    """The key; None where there is none."""
    path = key_file()
    try:
        with path.open("rb") as file:
            mode, key = os.fstat(file.fileno()).st_mode, file.read(SIZE + 1)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise ModelError(f"{path}: the key that signs your models cannot be read: {error.strerror}") from None
    if os.name == "posix" and mode & OTHERS:
        raise ModelError(f"{path}: other users may read or change the key that signs your models: chmod 600 it")
    if len(key) != SIZE:
        raise ModelError(f"{path}: damaged: delete it, and trust your models again: scrapy train --trust NAME")
    return key


def _new_key() -> bytes:
    """Make the key. It appears whole or not at all, and the first of two processes that make it wins."""
    path, key = key_file(), secrets.token_bytes(SIZE)
    new = path.with_name(f"key.{os.getpid()}.new")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            with os.fdopen(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
                file.write(key)
            try:
                os.link(new, path)
            except FileExistsError:
                pass
            except OSError:  # a file system without hard links
                new.replace(path)
        finally:
            new.unlink(missing_ok=True)
    except OSError as error:
        raise ModelError(f"{path}: the key that signs your models cannot be written: {error.strerror}") from None
    return _key() or key

"""Self-signed certificates for the hosts of a recorded web: made in memory, valid for a day, trusted by nobody."""

from __future__ import annotations

import ssl
import tempfile
from datetime import UTC, datetime, timedelta
from functools import cache, lru_cache
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

VALIDITY = timedelta(days=1)
COMMON_NAME = "recorded web"  # the host stands in the alternative name, which has no limit of 64 characters


@lru_cache(maxsize=1024)
def server_context(host: str) -> ssl.SSLContext:
    """A TLS context that speaks as `host`."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    with tempfile.TemporaryDirectory(prefix="recorded-web-") as folder:  # ssl loads certificates only from files
        pem = Path(folder, "certificate.pem")
        pem.touch(mode=0o600)
        pem.write_bytes(_key_pem() + _certificate(host).public_bytes(serialization.Encoding.PEM))
        context.load_cert_chain(pem)
    return context


@cache
def _key() -> ec.EllipticCurvePrivateKey:
    return ec.generate_private_key(ec.SECP256R1())


@cache
def _key_pem() -> bytes:
    return _key().private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )


def _certificate(host: str) -> x509.Certificate:
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, COMMON_NAME)])
    now = datetime.now(UTC)
    return (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(_key().public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(hours=1))
        .not_valid_after(now + VALIDITY)
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(host)]), critical=False)
        .sign(_key(), hashes.SHA256())
    )

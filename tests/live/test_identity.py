"""A signed request passes a verifier that is not ours, and no other request passes with its signature."""

import json
import stat
from base64 import urlsafe_b64decode
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from time import time

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from http_message_signatures import (
    HTTPMessageSignaturesException,
    HTTPMessageVerifier,
    HTTPSignatureKeyResolver,
    algorithms,
)
from scrapy import Request

from focused.live.identity import Identity, IdentityError, SignRequests, agent_of

AGENT = "https://bot.example.org"
URL = "https://shop.example/a?b=c"


@dataclass
class Sent:
    """A message as a verifier gets it."""

    url: str
    headers: dict[str, str]
    method: str = "GET"


@dataclass
class Published(HTTPSignatureKeyResolver):
    """The keys of a directory, by their names."""

    directory: str

    def resolve_public_key(self, key_id: str) -> Ed25519PublicKey:
        key = next(key for key in json.loads(self.directory)["keys"] if key["kid"] == key_id)
        return Ed25519PublicKey.from_public_bytes(urlsafe_b64decode(key["x"] + "=" * (-len(key["x"]) % 4)))


def verify(sent: object, directory: str, tag: str = "web-bot-auth") -> dict[str, str]:
    """What the one signature covers; raises HTTPMessageSignaturesException unless it holds now."""
    verifier = HTTPMessageVerifier(signature_algorithm=algorithms.ED25519, key_resolver=Published(directory))
    (result,) = verifier.verify(sent, max_age=timedelta(hours=1), expect_tag=tag)
    return dict(result.covered_components)


def signed(identity: Identity, url: str) -> dict[str, str]:
    request = Request(url)
    SignRequests(identity).process_request(request)
    return {name.decode(): b"".join(values).decode() for name, values in request.headers.items()}


@pytest.fixture(scope="module")
def identity() -> Identity:
    return Identity.new(AGENT)


def test_a_verifier_that_is_not_ours_accepts_a_request(identity: Identity) -> None:
    covered = verify(Sent(URL, signed(identity, URL)), identity.directory())
    assert covered['"@authority"'] == "shop.example"
    assert covered['"signature-agent";key="sig1"'] == f'"{AGENT}"'


@pytest.mark.parametrize(
    ("url", "authority"),
    [
        ("http://Shop.Example:80/", "shop.example"),
        ("https://shop.example:8443/", "shop.example:8443"),
        ("http://[2001:DB8::1]:81/", "[2001:db8::1]:81"),
        ("https://user:secret@shop.example/", "shop.example"),
        ("https://b\xfccher.example/", "xn--bcher-kva.example"),
    ],
)
def test_the_server_is_named_as_the_standard_says(identity: Identity, url: str, authority: str) -> None:
    sent = Sent(f"{Request(url).url.partition(':')[0]}://{authority}/", signed(identity, url))
    assert verify(sent, identity.directory())['"@authority"'] == authority


def test_nobody_can_use_a_signature_elsewhere(identity: Identity) -> None:
    headers = signed(identity, URL)
    with pytest.raises(HTTPMessageSignaturesException):
        verify(Sent("https://other.example/", headers), identity.directory())
    with pytest.raises(HTTPMessageSignaturesException):
        verify(Sent(URL, headers | {"Signature-Agent": 'sig1="https://evil.example"'}), identity.directory())
    with pytest.raises(HTTPMessageSignaturesException):
        late = identity.headers("shop.example", 1_700_000_000)
        verify(Sent(URL, late), identity.directory())


def test_no_two_signatures_are_the_same(identity: Identity) -> None:
    assert signed(identity, URL)["Signature"] != signed(identity, URL)["Signature"]


def test_the_directory_is_signed_for_its_own_site(identity: Identity) -> None:
    @dataclass
    class Answered:
        headers: dict[str, str]
        request: Sent
        status_code: int = 200

    headers = identity.directory_headers(int(time()), 600)
    answer = Answered(headers, Sent(f"{AGENT}/.well-known/http-message-signatures-directory", {}))
    covered = verify(answer, identity.directory(), "http-message-signatures-directory")
    assert covered['"@authority";req'] == "bot.example.org"


def test_the_name_of_a_key_is_that_of_the_standard() -> None:
    """RFC 8037, appendix A.3."""
    identity = Identity.new(AGENT)
    identity.__dict__["jwk"] = {"crv": "Ed25519", "kty": "OKP", "x": "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"}
    assert identity.thumbprint == "kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k"


def test_an_identity_is_read_as_it_was_written(identity: Identity, tmp_path: Path) -> None:
    path = tmp_path / "identity.toml"
    identity.write(path)
    assert Identity.read(path).directory() == identity.directory()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    with pytest.raises(FileExistsError):
        identity.write(path)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (None, "No such file or directory; scrapy identity new writes one"),
        ("", "'key' is missing"),
        ("key = 1\nagent = 2", "no identity: "),
        ("\0", "no identity: "),
        (f'agent = "{AGENT}"\nkey = "-----BEGIN PRIVATE KEY-----"', "no identity: "),
    ],
)
def test_a_file_that_is_no_identity_is_told_in_one_line(tmp_path: Path, text: str | None, told: str) -> None:
    path = tmp_path / "identity.toml"
    if text is not None:
        path.write_text(text)
    with pytest.raises(IdentityError) as error:
        Identity.read(path)
    assert told in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    "site",
    [
        *("", "bot.example.org", "http://bot.example.org", "https://", "https://a.example/keys", "https://a.example?b"),
        *(
            "https://u:p@a.example",
            "https://a.example:x",
            "https://a.example:99999",
            'https://a".example',
            "https://[::1",
        ),
    ],
)
def test_only_the_address_of_a_site_names_an_agent(site: str) -> None:
    with pytest.raises(ValueError, match=r".+"):
        agent_of(site)


def test_the_address_of_a_site_is_written_one_way() -> None:
    assert agent_of("https://Bot.Example.org:443/") == AGENT
    assert agent_of("https://bot.example.org:8443") == f"{AGENT}:8443"

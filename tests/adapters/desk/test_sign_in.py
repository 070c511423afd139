"""In with a key and out again: the cookie, where a form comes from, and who is let in."""

import re

import pytest

from adapters.desk import sign_in as module
from adapters.http_api.admission import FRESH_S, Rate
from adapters.registers.api_keys import Role, prefix_of, revoke_key
from adapters.store.postgres import Store
from tests.adapters.desk.conftest import FROM_HERE, sign_in
from tests.adapters.http_api.keys import bearer, key

PAGE = "/desk/rulebooks"


def test_the_first_address_leads_to_the_pages_and_they_to_the_form(stranger):
    """And from the form one comes to what was asked for."""
    assert stranger.get("/").headers["location"] == "/desk/"
    led = stranger.get(f"{PAGE}?version=1")

    assert led.status_code == 303
    form = stranger.get(led.headers["location"])
    assert 'value="/desk/rulebooks?version=1"' in form.text
    assert 'name="key" type="password"' in form.text


def test_a_key_is_kept_in_a_cookie_that_no_script_and_no_other_site_gets(stranger, store_dsn):
    """On this machine in the clear too; from anywhere else over HTTPS alone."""
    text = key(store_dsn, Role.AUDITOR)
    elsewhere = stranger.post(
        "/desk/sign-in",
        data={"key": text},
        headers={"Host": "desk.example", "Origin": "https://desk.example"},
    )
    here = sign_in(stranger, text, next=PAGE)

    assert here.headers["location"] == PAGE
    assert here.headers["set-cookie"] == (
        f"jinhua_key={text}; HttpOnly; Path=/desk; SameSite=strict"
    )
    assert elsewhere.headers["set-cookie"].endswith("; SameSite=strict; Secure")
    assert stranger.get(PAGE).status_code == 200


def test_whoever_signs_out_is_out(auditor):
    """The browser forgets the key, and the pages lead to the form."""
    assert auditor.get(PAGE).status_code == 200
    out = auditor.post("/desk/sign-out", headers=FROM_HERE)

    assert out.headers["location"] == "/desk/sign-in"
    assert "Max-Age=0" in out.headers["set-cookie"]
    assert auditor.get(PAGE).status_code == 303


def test_a_key_that_is_revoked_is_out_at_once(stranger, store_dsn, monkeypatch):
    """Nothing but the key itself lets in, and it is looked at on every request."""
    text = key(store_dsn, Role.AUDITOR)
    sign_in(stranger, text)
    assert stranger.get(PAGE).status_code == 200
    with Store(store_dsn) as store:
        revoke_key(store, str(prefix_of(text)))
    holders = stranger.app.state.callers
    monkeypatch.setattr(holders, "_clock", lambda before=holders._clock: before() + FRESH_S)

    assert stranger.get(PAGE).status_code == 303


def test_a_wrong_key_is_not_kept_and_too_many_are_not_looked_at(stranger, store_dsn, monkeypatch):
    """A right one gets in all the same."""
    monkeypatch.setattr(module, "FAILURES", Rate(0, 3))
    stranger.app.state.failures = module.Failures()
    answers = [sign_in(stranger, f"jinhua_0000000{n}_{'x' * 43}") for n in range(4)]

    assert [answer.status_code for answer in answers] == [401, 401, 401, 429]
    assert all("set-cookie" not in answer.headers for answer in answers)
    assert 'aria-invalid="true"' in answers[0].text
    assert "too_many_requests" in answers[3].text
    assert sign_in(stranger, key(store_dsn, Role.PLAYER, player="ann")).status_code == 303


# fmt: off
ORIGINS = {
    "a page of ours":        ({"Origin": "http://127.0.0.1"}, 303),
    "ours, says the browser": ({"Sec-Fetch-Site": "same-origin"}, 303),
    "another site":          ({"Origin": "https://evil.example"}, 403),
    "another port":          ({"Origin": "http://127.0.0.1:81"}, 403),
    "another site, unnamed": ({"Origin": "null"}, 403),
    "a sibling":             ({"Sec-Fetch-Site": "same-site", "Origin": "http://127.0.0.1"}, 403),
    "from nowhere":          ({}, 403),
}
# fmt: on


def test_what_comes_from_another_site_changes_nothing(stranger, store_dsn):
    """Signing somebody in or out from elsewhere neither."""
    given = {"key": key(store_dsn, Role.AUDITOR)}

    for path in ("/desk/sign-in", "/desk/sign-out"):
        answers = {
            case: stranger.post(path, data=given, headers=headers)
            for case, (headers, _) in ORIGINS.items()
        }
        assert {case: status for case, (_, status) in ORIGINS.items()} == {
            case: answer.status_code for case, answer in answers.items()
        }
        assert all(
            ("set-cookie" in answer.headers) == (answer.status_code == 303)
            for answer in answers.values()
        )


ELSEWHERE = ["https://evil.example/", "//evil.example", "/desk/\\evil", "/v1/hands", "javascript:"]


def test_nobody_is_led_elsewhere_after_signing_in(stranger, store_dsn):
    """Whatever the form was made to say."""
    text = key(store_dsn, Role.AUDITOR)
    led = {sign_in(stranger, text, next=wanted).headers["location"] for wanted in ELSEWHERE}

    assert led == {"/desk/"}


def test_the_cookie_does_not_open_the_api_nor_the_header_the_pages(auditor, store_dsn):
    """So no page of anybody's can use the one for the other."""
    auditor.cookies.set("jinhua_key", auditor.cookies["jinhua_key"], path="/")

    assert auditor.get("/v1/rulebooks").status_code == 401
    auditor.cookies.clear()
    assert auditor.get(PAGE, headers=bearer(key(store_dsn, Role.AUDITOR))).status_code == 303


def test_pages_run_no_script_that_is_not_theirs(auditor):
    """Not in a page, not from elsewhere; and a frame holds none."""
    answer = auditor.get(PAGE)

    policy = answer.headers["content-security-policy"]
    assert "default-src 'self'" in policy
    assert "frame-ancestors 'none'" in policy
    assert "unsafe" not in policy
    assert answer.headers["cache-control"] == "no-store"
    assert not re.search(r"<script(?![^>]*src=)|<style|\sstyle=|\son\w+=", answer.text)
    assert (
        auditor.get("/v1/rulebooks")
        .headers["content-security-policy"]
        .startswith("default-src 'none'")
    )


def test_files_are_kept_by_browsers_and_come_from_here(stranger):
    """Every file that a page asks for is there, without a key."""
    form = stranger.get("/desk/sign-in").text
    files = re.findall(r'(?:src|href)="(/desk/static/[^"]+)"', form)

    assert len(files) > 3
    assert "://" not in form
    for file in files:
        answer = stranger.get(file)
        assert answer.status_code == 200
        assert "immutable" in answer.headers["cache-control"]


@pytest.mark.parametrize("page", ["/desk/", "/desk/hands", "/desk/rulebooks", "/desk/sign-in"])
def test_the_head_of_a_page_is_that_of_the_page(auditor, page):
    """With its status and headers, and nothing behind them."""
    whole, head = auditor.get(page), auditor.head(page)

    assert (head.status_code, head.content) == (200, b"")
    assert head.headers["content-type"] == whole.headers["content-type"]
    assert "content-security-policy" in head.headers
    assert auditor.head("/desk/hands/none").status_code == 404


def test_a_method_that_a_page_does_not_take_is_told_so(auditor, stranger):
    """405, with those that it takes; a verification is not begun for its head."""
    for method, page, allowed in (
        ("DELETE", "/desk/hands", "GET"),
        ("POST", "/desk/rulebooks", "GET"),
        ("GET", "/desk/sign-out", "POST"),
        ("HEAD", "/desk/verification/progress", "GET"),
    ):
        answer = auditor.request(method, page, headers=FROM_HERE)

        assert (answer.status_code, answer.headers["allow"]) == (405, allowed), page
        if method != "HEAD":
            assert "method_not_allowed" in answer.text
    assert stranger.head("/desk/hands").status_code == 303

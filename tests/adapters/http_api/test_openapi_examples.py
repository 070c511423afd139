"""The examples of the OpenAPI document are requests that were made: the story is played here."""

from collections import Counter
from urllib.parse import urlsplit

import jsonschema_rs
import pytest

from adapters.http_api.examples import STORY
from adapters.http_api.openapi import address_of, operations


@pytest.fixture
def document(client):
    """The document, as anybody gets it."""
    return client.get("/openapi.json").json()


@pytest.fixture
def routes(document):
    """Each operation, by its id: its path, its method, and itself."""
    return {found[2]["operationId"]: found for found in operations(document)}


def send(client, routes, example):
    """Make the request of an example."""
    address, method, _ = routes[example.operation]
    is_text = isinstance(example.body, str)
    content = {"content": example.body} if is_text else {"json": example.body}
    if is_text:
        content["headers"] = {"Content-Type": "application/jsonl"}
    given = {} if example.body is None else content
    headers = {**example.headers, **given.pop("headers", {})}
    return client.request(method, address_of(example, address), headers=headers, **given)


def test_the_story_is_answered_as_it_says(client, document, routes):
    """Every example in its order: its status, and an answer of the documented shape."""
    told = []
    for example in STORY:
        response = send(client, routes, example)
        told.append((example.summary, response.status_code))
        operation = routes[example.operation][2]
        documented = operation["responses"][str(response.status_code)]["content"]
        media = response.headers["content-type"].partition(";")[0]
        assert media in documented, (example.summary, response.text)
        if media != "application/jsonl":
            schema = {**documented[media]["schema"], "components": document["components"]}
            jsonschema_rs.validate(schema, response.json())

    assert [(example.summary, example.status) for example in STORY] == told


def test_every_route_has_an_example(routes):
    """And no example is of a route that is not there."""
    assert set(routes) == {example.operation for example in STORY}


def test_every_example_is_in_the_document(document, routes):
    """With callers in three languages."""
    for name, (_, _, operation) in routes.items():
        languages = Counter(sample["lang"] for sample in operation["x-codeSamples"])
        assert languages == {"Shell": 1, "JavaScript": 1, "Go": 1}, name
    act = routes["act"][2]
    media = act["requestBody"]["content"]["application/json"]
    assert len(media["examples"]) == 3
    assert document["openapi"].startswith("3.1")


def test_a_problem_leads_to_its_meaning(client):
    """Its type is an address that answers."""
    problem = client.get("/v1/hands/t9%2F1").json()

    found = client.get(urlsplit(problem["type"]).path).json()

    assert found["code"] == problem["code"] == "unknown_hand"
    assert (found["status"], found["title"]) == (problem["status"], problem["title"])

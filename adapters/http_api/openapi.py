"""The OpenAPI document: what the framework writes of the routes, and the story as its examples."""

import json
import shlex
from collections.abc import Iterator, Mapping
from typing import Any, Final
from urllib.parse import urlencode

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi

from adapters.http_api.examples import STORY, Example
from adapters.http_api.paths import segment
from adapters.http_api.problems import Problem

_METHODS: Final = frozenset({"get", "post"})
_BASE: Final = "http://127.0.0.1:8080"


def document(app: FastAPI) -> dict[str, Any]:
    """Return the document of an application; it is made once."""
    if app.openapi_schema:
        return app.openapi_schema
    made = get_openapi(
        title=app.title, version=app.version, description=app.description, routes=app.routes
    )
    problem = Problem.model_json_schema(ref_template="#/components/schemas/{model}")
    made.setdefault("components", {}).setdefault("schemas", {})["Problem"] = problem
    for address, method, operation in operations(made):
        operation["responses"].pop("422", None) if not _is_problem(operation, "422") else None
        told = [example for example in STORY if example.operation == operation["operationId"]]
        if told:
            _show(operation, address, method, told)
    app.openapi_schema = made
    return made


def operations(made: Mapping[str, Any]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Yield each operation of a document with its path and its method."""
    for address, item in made["paths"].items():
        for method in _METHODS & item.keys():
            yield address, method, item[method]


def address_of(example: Example, address: str) -> str:
    """Return where an example's request goes: path and query."""
    filled = address.format(**{name: segment(value) for name, value in example.path.items()})
    return filled + (f"?{urlencode(example.query, doseq=True)}" if example.query else "")


def _is_problem(operation: Mapping[str, Any], status: str) -> bool:
    found = operation["responses"].get(status, {})
    return "application/problem+json" in found.get("content", {})


def _show(operation: dict[str, Any], address: str, method: str, told: list[Example]) -> None:
    """Put examples into an operation: its parameters, its body, and callers in three languages."""
    for parameter in operation.get("parameters", ()):
        name, where = parameter["name"], parameter["in"]
        given = {
            example.summary: {"value": values[name]}
            for example in told
            for values in [
                {"path": example.path, "query": example.query}.get(where, example.headers)
            ]
            if name in values
        }
        if given:
            parameter["examples"] = given
    body = operation.get("requestBody")
    if body is not None:
        shown = {example.summary: {"value": example.body} for example in told}
        for media in body["content"].values():
            media["examples"] = shown
    request = told[0]
    operation["x-codeSamples"] = [
        {"lang": "Shell", "label": "curl", "source": _curl(request, address, method)},
        {"lang": "JavaScript", "label": "Node", "source": _node(request, address, method)},
        {"lang": "Go", "label": "Go", "source": _go(request, address, method)},
    ]


def _headers(request: Example) -> dict[str, str]:
    found = {"Authorization": "Bearer $KEY", **request.headers}
    if request.body is not None:
        is_text = isinstance(request.body, str)
        found["Content-Type"] = "application/jsonl" if is_text else "application/json"
    return found


def _text(request: Example) -> str | None:
    body = request.body
    return body if body is None or isinstance(body, str) else json.dumps(body)


def _curl(request: Example, address: str, method: str) -> str:
    words = ["curl", "-sS", "-X", method.upper(), _BASE + address_of(request, address)]
    for name, value in _headers(request).items():
        words += ["-H", f"{name}: {value}"]
    if (text := _text(request)) is not None:
        words += ["--data-binary", text]
    # The key is the shell's to fill in.
    return shlex.join(words).replace("'Authorization: Bearer $KEY'", '"Authorization: Bearer $KEY"')


def _node(request: Example, address: str, method: str) -> str:
    given = {"method": method.upper(), "headers": _headers(request)}
    if (text := _text(request)) is not None:
        given["body"] = text
    options = json.dumps(given, indent=2).replace('"Bearer $KEY"', "`Bearer ${process.env.KEY}`")
    where = json.dumps(_BASE + address_of(request, address))
    return f"const answer = await fetch({where}, {options});\nconsole.log(await answer.json());\n"


def _go(request: Example, address: str, method: str) -> str:
    text = _text(request)
    body = "nil" if text is None else f"strings.NewReader({json.dumps(text)})"
    where = json.dumps(_BASE + address_of(request, address))
    lines = [f"request, _ := http.NewRequest({json.dumps(method.upper())}, {where}, {body})"]
    for name, value in _headers(request).items():
        told = json.dumps(value).replace('"Bearer $KEY"', '"Bearer "+os.Getenv("KEY")')
        lines.append(f"request.Header.Set({json.dumps(name)}, {told})")
    return "\n".join([*lines, "answer, err := http.DefaultClient.Do(request)"]) + "\n"

"""What the tests made from the OpenAPI document have to be told about its media types."""

import schemathesis


@schemathesis.serializer("application/jsonl")
def as_lines(_context, value):
    """Return what an import is given: the text that was made up, as it is."""
    return str(value).encode("utf-8", errors="surrogatepass")

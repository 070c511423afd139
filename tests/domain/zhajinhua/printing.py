"""An argument as text, for golden files."""

from collections.abc import Iterable

from domain.zhajinhua.explanation import Step


def printed(steps: Iterable[Step]) -> str:
    """Print an argument: a step, below it its sums, below them what it rests on."""
    lines = []
    for step in steps:
        lines.append(f"{step.version:3} {step.text}")
        lines += [f"      {line}" for line in step.arithmetic]
        lines.append(f"      [{step.rule}; {step.document}] {step.quotation}".rstrip())
    return "\n".join(lines) + "\n"

"""Every named constant and rule table of the package, written down: ``make decisions`` (规则常量快照).

``tests/constants.json`` holds what is agreed on. Whoever changes a threshold, a pattern or a word list changes that file
in the same commit, where a reader sees it; what the change decides otherwise shows in ``benchmarks.decisions``.
"""

import ast
import hashlib
import json
from pathlib import Path

from benchmarks.speed import ROOT

AGREED = ROOT / "tests" / "constants.json"
SHOWN = 80
"""Characters of a value that are written down as they are; of longer ones a hash follows."""


def constants() -> dict[str, str]:
    """Return every constant on the top level of a module under ``nemo/``, and every rule table, by name."""
    found = {f"{path.relative_to(ROOT)} {name}": value for path in _modules() for name, value in _assigned(path)}
    tables = sorted((ROOT / "data" / "rules").glob("*.toml"))
    return found | {str(path.relative_to(ROOT)): _short(path.read_text("utf-8")) for path in tables}


def _modules() -> list[Path]:
    return sorted((ROOT / "nemo").rglob("*.py"))


def _assigned(path: Path) -> list[tuple[str, str]]:
    found = []
    for node in ast.parse(path.read_text("utf-8")).body:
        target = node.targets[0] if isinstance(node, ast.Assign) else getattr(node, "target", None)
        value = getattr(node, "value", None)
        if isinstance(target, ast.Name) and target.id.strip("_").isupper() and isinstance(value, ast.expr):
            found.append((target.id, _short(ast.unparse(value))))
    return found


def _short(value: str) -> str:
    digest = hashlib.sha256(value.encode()).hexdigest()[:12]
    return value if len(value) <= SHOWN else f"{value[:SHOWN]}… {digest}"


def agreed() -> dict[str, str]:
    """Return what is agreed on."""
    read: dict[str, str] = json.loads(AGREED.read_text("utf-8"))
    return read


if __name__ == "__main__":
    AGREED.write_text(json.dumps(constants(), ensure_ascii=False, indent=0, sort_keys=True) + "\n", "utf-8")

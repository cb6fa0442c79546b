#!/usr/bin/env python3
"""Usage: tests/bench/unrelated.py [--edits=N,…] PROJECT MODULE -- ARGUMENTS OF irdiff profile…

Makes ten edits to a Python project that change nothing of what its benchmarks execute, and prints
by how much each of them changes the count of each case. PROJECT is a directory, MODULE a file in
it that the benchmarks use. The project is copied first.

    IRDIFF=build/irdiff tests/bench/unrelated.py mistune src/mistune/core.py -- \\
        --cases=codspeed --warm-up -e PYTHONMALLOC=malloc -- \\
        .venv/bin/python -m pytest -p no:cacheprovider --codspeed bench
"""
import ast
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile


def after_imports(text):
    """The offset behind the last import at the top level."""
    imports = [n for n in ast.parse(text).body if isinstance(n, (ast.Import, ast.ImportFrom))]
    line = max((n.end_lineno for n in imports), default=0)
    return sum(map(len, text.splitlines(keepends=True)[:line]))


def insert(text, new):
    at = after_imports(text)
    return text[:at] + "\n\n" + new + "\n\n" + text[at:]


def function(text):
    return insert(text, '''def unused_summary(values, scale=1.5, *, name="summary"):
    """Add up what nobody asks for."""
    total = 0
    for index, value in enumerate(values):
        total += index * value * scale
    return {"name": name, "total": total, "values": list(values)}''')


def new_class(text):
    return insert(text, '''class UnusedTable:
    """A table that nothing uses."""

    headings = ("one", "two", "three")
    widths = {"one": 1, "two": 22, "three": 333}

    def __init__(self, rows):
        self.rows = rows

    @property
    def height(self):
        return len(self.rows)

    def column(self, heading):
        index = self.headings.index(heading)
        return [row[index] for row in self.rows]''')


def docstring(text):
    tree = ast.parse(text)
    f = next(n for n in ast.walk(tree) if isinstance(n, ast.FunctionDef) and not ast.get_docstring(n))
    lines = text.splitlines(keepends=True)
    first = f.body[0]
    lines.insert(first.lineno - 1, " " * first.col_offset + '"""Say at length what this function does, and why."""\n')
    return "".join(lines)


def renamed_local(text):
    for f in ast.walk(ast.parse(text)):
        if not isinstance(f, ast.FunctionDef) or any(
                isinstance(n, (ast.FunctionDef, ast.Lambda, ast.Global, ast.Nonlocal, ast.ClassDef))
                for n in ast.walk(f) if n is not f):
            continue
        names = [n for n in ast.walk(f) if isinstance(n, ast.Name)]
        stored = {n.id for n in names if isinstance(n.ctx, ast.Store)}
        for name in sorted(stored - {a.arg for a in f.args.args}):
            lines = text.splitlines(keepends=True)
            places = [(n.lineno, n.col_offset) for n in names if n.id == name]
            if any(not lines[row - 1].isascii() for row, _ in places):
                continue
            for row, column in sorted(places, reverse=True):
                line = lines[row - 1]
                lines[row - 1] = line[:column] + "renamed_" + line[column:]
            return "".join(lines)
    raise SystemExit("no local variable to rename")


def constant(text):
    return insert(text, 'UNUSED_LIMITS = {"shortest": 12, "longest": 3456.5, "words": ["a", "bc"]}')


def inner_import(text):
    return insert(text, '''def unused_colour(red, green, blue):
    import colorsys

    return colorsys.rgb_to_hsv(red, green, blue)''')


def reordered(text):
    lines = text.splitlines(keepends=True)

    def begin(n):
        return min([n.lineno] + [d.lineno for d in n.decorator_list]) - 1

    for parent in ast.walk(ast.parse(text)):
        body = getattr(parent, "body", None)
        for one, two in zip(body or [], (body or [])[1:]) if isinstance(body, list) else ():
            if (isinstance(one, ast.FunctionDef) and isinstance(two, ast.FunctionDef)
                    and one.name != two.name and not one.decorator_list and not two.decorator_list):
                a, b, c, d = begin(one), one.end_lineno, begin(two), two.end_lineno
                return "".join(lines[:a] + lines[c:d] + lines[b:c] + lines[a:b] + lines[d:])
    raise SystemExit("no two functions to reorder")


def comment(text):
    return insert(text, "# See docs/a/much/longer/path/than/before/describing-the-structure-of-this-module.rst.")


def method(text):
    tree = ast.parse(text)
    c = next(n for n in tree.body if isinstance(n, ast.ClassDef))
    lines = text.splitlines(keepends=True)
    lines.insert(c.end_lineno, '''
    def unused_copy(self, other):
        """Copy what another one has."""
        for name in vars(other):
            setattr(self, name, getattr(other, name))
        return self
''')
    return "".join(lines)


EDITS = {
    "an uncalled function": function,
    "an uncalled class": new_class,
    "a docstring": docstring,
    "a renamed local variable": renamed_local,
    "a module constant": constant,
    "an import in an uncalled function": inner_import,
    "two functions in another order": reordered,
    "a comment": comment,
    "a test file": None,
    "an uncalled method": method,
}


def measure(project, arguments):
    """The count of each case."""
    irdiff = os.environ.get("IRDIFF", "irdiff")
    done = subprocess.run([irdiff, "profile", "-q", "--label=p", "--depth=0", "--cache-sim=no", *arguments],
                          cwd=project, stdout=subprocess.DEVNULL)
    if done.returncode:
        raise SystemExit(f"irdiff profile ended with {done.returncode} in {project}")
    counts = {}
    for path in sorted(project.glob("profiles/p/**/*.callgrind")) or [project / "profiles/p.callgrind"]:
        total = re.search(r"^totals: (\d+)", path.read_text(errors="replace"), re.M)
        counts[path.stem] = int(total[1])
    return counts


def main():
    options, arguments = [], sys.argv[1:]
    while arguments and arguments[0].startswith("--edits="):
        options += [int(n) for n in arguments.pop(0)[8:].split(",")]
    if len(arguments) < 4 or arguments[2] != "--":
        raise SystemExit(__doc__)
    source, module, arguments = pathlib.Path(arguments[0]), arguments[1], arguments[3:]
    with tempfile.TemporaryDirectory(dir=os.environ.get("TMPDIR", "/var/tmp")) as scratch:
        project, base, worst = pathlib.Path(scratch) / "project", None, {}
        for number, (name, edit) in enumerate([("nothing", lambda text: text), *EDITS.items()]):
            if number and options and number not in options:
                continue
            shutil.rmtree(project, ignore_errors=True)
            shutil.copytree(source, project, symlinks=True, ignore=shutil.ignore_patterns("profiles", ".irdiff"))
            file = project / module
            if edit:
                file.write_text(edit(file.read_text()))
                ast.parse(file.read_text())
            else:
                (project / "test_unused.py").write_text("def test_nothing():\n    assert True\n")
                for folder in {p.parent for p in project.glob("**/test_*.py")}:
                    (folder / "test_unused.py").write_text("def test_nothing():\n    assert True\n")
            counts = measure(project, arguments)
            if base is None:
                base = counts
                continue
            changes = {case: 100 * (counts.get(case, 0) - n) / n for case, n in base.items()}
            for case, change in changes.items():
                worst[case] = max(worst.get(case, 0), abs(change))
            case = max(changes, key=lambda c: abs(changes[c]))
            print(f"{changes[case]:+9.3f} %  {name}: {case}", flush=True)
    for case, change in sorted(worst.items(), key=lambda item: -item[1]):
        print(f"{change:9.3f} %  {base[case]:>12,}  {case}")


if __name__ == "__main__":
    main()

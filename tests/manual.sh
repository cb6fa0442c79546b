#!/bin/sh
# Usage: tests/manual.sh
#
# irdiff speaks with one voice: of every command, --help, the manual page, what shells complete tell
# of the same options with the same arguments, and have the same sentence for what it does.
# Pages have the sections that one looks for, name every variable that is read and none that is
# not, and the exit codes that there are. libcgprofile(3) has every function of the public headers.
set -eu
. "$(dirname "$0")/skip.sh"
LC_ALL=C.UTF-8
export LC_ALL
srcdir=${srcdir:-.}
irdiff=$(CDPATH='' cd "$(dirname "${IRDIFF:-./irdiff}")" && pwd)/$(basename "${IRDIFF:-./irdiff}")

needs python3
cd "$srcdir"
IRDIFF=$irdiff exec python3 - <<'END'
import glob, os, re, shutil, subprocess, sys

irdiff = os.environ["IRDIFF"]
failures = 0


def verdict(what, ok, *found):
    global failures
    if not ok:
        print("FAILED ", what)
        for text in found:
            print("        ", text)
    failures += not ok


def ask(*words):
    return subprocess.run([irdiff, *words], capture_output=True, text=True).stdout


def differences(ours, theirs):
    """Of two sets of lines, those that only one has."""
    return [f"{a}: {line}" for a, b, c in (("only there", theirs, ours), ("only in --help", ours, theirs))
            for line in sorted(b - c)]


# ---- pages ----

# Words of mdoc that only say what the others are.
SEMANTIC = {"Fl", "Ns", "Cm", "Ar", "Op", "Pq", "Li", "Xr", "Pa", "Ql", "Ev"}


def option_of(line):
    """'.It Fl j , Fl -jobs Ns = Ns Ar n' as --help writes it: '-j, --jobs=N'."""
    text, argument = "", False
    for word in line.split()[1:]:
        if word == "Op":
            text += "["
        elif word == "Fl":
            text += "-"
        elif word == ",":
            text += ", "
        elif word in SEMANTIC:
            argument = {"Ar": True, "Cm": False}.get(word, argument)
        else:
            text += word.upper() if argument else word
    return text + "]" * text.count("[")


def plain(lines):
    """The text of lines of mdoc, without its macros."""
    words = []
    for line in lines:
        for word in line.lstrip(".").split() if line.startswith(".") else line.split():
            if line.startswith(".") and word in SEMANTIC:
                continue
            words.append(word)
    return " ".join(words)


def variables_of(line):
    """Those that a line of mdoc marks with Ev."""
    macro = ""
    for word in line.lstrip(".").split() if line.startswith(".") else []:
        if word[0].isupper() and word[1:].islower() and len(word) == 2:
            macro = word
        elif macro == "Ev" and re.fullmatch(r"[A-Z][A-Z0-9_]*[A-Z0-9]", word):
            yield word


class Page:
    def __init__(self, path):
        self.path = path
        self.text = open(path).read()
        self.sections, name = {}, None
        for line in self.text.splitlines():
            if line.startswith(".Sh "):
                name = line[4:]
                self.sections[name] = []
            elif name:
                self.sections[name].append(line)
        self.options = {option_of(line) for line in self.text.splitlines() if line.startswith(".It Fl ")}
        self.variables = {v for line in self.text.splitlines() for v in variables_of(line)}

    def describes(self):
        return next(line[4:] for line in self.sections["NAME"] if line.startswith(".Nd "))


pages = {path: Page(path) for path in sorted(glob.glob("man/*.[0-9]"))}
overview = pages["man/irdiff.1"]
unwrapped = re.sub(r"\n {13}", " ", ask("--help").split("Commands:")[1])
summaries = dict(re.findall(r"^  ([a-z]+) +(.*)$", unwrapped, re.M))
verdict("irdiff --help lists commands", summaries)

# ---- commands ----

SECTIONS = ["NAME", "SYNOPSIS", "DESCRIPTION", "ENVIRONMENT", "FILES", "EXIT STATUS", "EXAMPLES", "SEE ALSO"]


def has_in_order(sections, names):
    found = [s for s in sections if s in names]
    return found == names


def items_of(page):
    """What irdiff(1) says of commands, by name: its text without the page it refers to."""
    items, name = {}, None
    for line in page.sections["DESCRIPTION"]:
        if line.startswith(".It Cm "):
            name = line[7:]
            items[name] = []
        elif line.startswith(".El"):
            break
        elif name:
            items[name].append(line)
    return items


items = items_of(overview)
completed = dict(line.split("\t") for line in ask("--complete", "").splitlines())
completed.pop("help", None)
verdict("irdiff(1) has the commands of --help, in the same order", list(items) == list(summaries),
        *differences(set(summaries), set(items)))
verdict("shells complete the commands of --help, with what they do", completed == summaries, completed)

for command, summary in summaries.items():
    path = f"man/irdiff-{command}.1"
    verdict(f"{path} is there", path in pages)
    if path not in pages:
        continue
    page, usage = pages[path], ask(command, "--help")
    helped = {(letter + "--" + name + argument) for letter, name, argument in
              re.findall(r"^  (-., |    )--([a-z-]+)([^ \n]*)", usage, re.M)}
    helped = {h.strip() for h in helped}
    verdict(f"{path} has the options of --help", page.options == helped, *differences(helped, page.options))
    brief = {name for _, name in re.findall(r"^  (-., |    )(--[a-z-]+)", ask(command, "-h"), re.M)}
    documented = {re.search(r"--[a-z-]+", o)[0] for o in page.options if "--" in o}
    verdict(f"{path} has the options of -h", brief and brief <= documented, brief - documented)
    offered = {line.split("\t")[0].rstrip("=") for line in ask("--complete", command, "--x").splitlines()}
    names = {re.search(r"--[a-z-]+", h)[0] for h in helped}
    verdict(f"{command}: shells complete the options of --help", offered == names,
            *differences(names, offered))
    verdict(f"{path} says in a line what --help says", page.describes() == summary, page.describes(), summary)
    verdict(f"irdiff(1) says of {command} what --help says",
            plain(items.get(command, [])) == f"{summary} irdiff-{command} 1",
            plain(items.get(command, [])), summary)
    verdict(f"{path} has its sections in their order", has_in_order(page.sections, SECTIONS),
            list(page.sections))
    verdict(f"{path} refers to irdiff(1)", ".Xr irdiff 1" in "\n".join(page.sections["SEE ALSO"]))
    verdict(f"irdiff(1) refers to {path}", f".Xr irdiff-{command} 1" in
            "\n".join(overview.sections["SEE ALSO"]))
    verdict(f"{command} --help shows how to call it", f"Usage: irdiff {command}" in usage)
known = ask("help", "formats").split("\n\n")[0]
formats = [name for name in re.findall(r"^  ([^ ].*?)(?:  .*)?$", known, re.M)]
listed = re.findall(r"^\.It (.*)$", overview.text.split(".Ss Formats of profiles")[1].split("\n.El")[0], re.M)
verdict("irdiff(1) has the formats of 'help formats'", len(formats) == 8 and formats == listed, formats, listed)
# What was written twice: without marks, punctuation and words of the page alone.
described = set(re.findall(r"[a-z_]+", plain(overview.text.split(".Ss Formats of profiles")[1].split("\n")).lower()))
for word in sorted(set(re.findall(r"[a-z_]+", known.split(":", 1)[1].lower())) - described):
    verdict(f"irdiff(1) says '{word}' of formats as 'help formats' does", False)
verdict("irdiff(1) has its sections in their order", has_in_order(overview.sections, SECTIONS),
        list(overview.sections))

# ---- the library ----

TYPE = r"(?:(?:static inline|const|unsigned|struct|enum) )*\w+ \**"


def signature(text):
    """The types of a declaration, as words: what must be the same in a header and in a page."""
    return re.sub(r"\s+", " ", re.sub(r"\s*\*\s*", " * ", text)).strip()


declared = {}
for path in glob.glob("callgrind/include/cgprofile/*.h"):
    text = re.sub(r"/\*.*?\*/", "", open(path).read(), flags=re.S)
    for kind, name, arguments in re.findall(rf"^({TYPE})(cg_\w+)\(([^;{{]*?)\)(?:;|\s*\{{|\s*__attribute__)",
                                            text, re.M | re.S):
        kind = signature(kind.replace("static inline ", ""))
        declared[name] = [kind, *(signature(a) for a in arguments.split(","))]
library = pages["man/libcgprofile.3"]
described = {}
for kind, name, arguments in re.findall(r"^\.It Ft (.*) Fn (cg_\w+) (.*)$", library.text, re.M):
    words = re.findall(r'"([^"]*)"|(\S+)', arguments)
    described[name] = [signature(kind), *(signature(a or b) for a, b in words)]
verdict("headers declare functions", len(declared) > 40, declared)
for name in sorted(set(declared) | set(described)):
    verdict(f"libcgprofile(3) has {name} as its header does", declared.get(name) == described.get(name),
            declared.get(name), described.get(name))
headers = {path.split("include/")[1] for path in glob.glob("callgrind/include/cgprofile/*.h")}
listed = set(re.findall(r"^\.It Pa (cgprofile/\w+\.h)$", library.text, re.M))
verdict("libcgprofile(3) lists the public headers", listed == headers, sorted(listed ^ headers))
codes = set(re.findall(r"^\t(CG_E[A-Z]+) =", open("callgrind/include/cgprofile/error.h").read(), re.M))
told = set(re.findall(r"^\.It Dv (CG_E[A-Z]+)$", library.text, re.M))
verdict("libcgprofile(3) has the error codes of error.h", codes == told, sorted(codes ^ told))

# ---- variables ----

sources = {path: open(path).read() for pattern in ("src/*/*.c", "callgrind/*.c", "freeze/*.c")
           for path in glob.glob(pattern)}
read, ours = set(), set()  # variables of others, and those that we set for them
for path, text in sources.items():
    ours |= {(name,) for name in re.findall(r'\[\] = \{ "([A-Z][A-Z0-9_]*)=', text)}
    if "getenv(" not in text:
        continue
    text = re.sub(r"/\*.*?\*/", "", text, flags=re.S)
    read |= set(re.findall(r'\b(?:getenv|[a-z_]*variable[a-z_]*|is_pull_request)\("([A-Z][A-Z0-9_]*)"\)', text))
    ours |= set(re.findall(r'\bsetenv\("([A-Z][A-Z0-9_]*)"|#define [A-Z_]+ "(IRDIFF_[A-Z_]+)"', text))
    for names in re.findall(r"\b(?:variables|ours)\[\] = \{(.*?)\}", text, re.S):
        read |= set(re.findall(r'"([A-Z][A-Z0-9_]*)"', names))
ours = {name for pair in ours for name in pair}
options = {"IRDIFF_" + re.search(r"--([a-z-]+)", o)[1].replace("-", "_").upper()
           for page in pages.values() for o in page.options if "--" in o}
documented = {v: page.path for page in pages.values() if page.path.endswith(".1") for v in page.variables}
verdict("variables are read", len(read) > 20, read)
for variable in sorted(read - set(documented)):
    verdict(f"{variable} is read, and no page says so", False)
for variable in sorted(set(documented) - read - ours - options):
    verdict(f"{documented[variable]}: nobody reads {variable}", False)

# ---- exit codes ----

codes = {name: int(code) for name, code in
         re.findall(r"^\t(EXIT_[A-Z_]+) = (\d),", open("src/cli/message.h").read(), re.M)}
stated = re.findall(r"^\.It (\d+)$", "\n".join(overview.sections["EXIT STATUS"]), re.M)
verdict("irdiff(1) has all exit codes", sorted(map(int, stated)) == sorted(codes.values()), stated, codes)
for command in summaries:
    path = f"man/irdiff-{command}.1"
    status = " ".join(line for line in pages[path].sections.get("EXIT STATUS", [])
                      if not line.startswith(".Xr "))
    told = {int(n) for n in re.findall(r"(?<![\w-])([0-9])(?![\w.]*[0-9])", status)}
    source = sources[f"src/cmd/cmd_{command}.c"]
    used = {codes[name] for name in re.findall(r"\bEXIT_[A-Z]+(?:_[A-Z]+)?\b", source)} | {0, 2}
    verdict(f"{path} has the exit codes that there are", told <= set(codes.values()), told)
    verdict(f"{path} has the exit codes of cmd_{command}.c", used <= told, f"not there: {used - told}")
    helped = re.search(r"^Exit codes: (.*)", ask(command, "--help"), re.M | re.S)[1]
    verdict(f"{command} --help has all exit codes", sorted(map(int, re.findall(r"\b(\d)\b", helped))) ==
            sorted(codes.values()), helped)

# ---- rules of options ----

RULE = re.compile(r'\{\s*((?:"[^"]*"\s*)+),\s*(?:EXCLUDES|REQUIRES),\s*((?:"[^"]*"\s*)+)', re.S)
everywhere = set()
for command in summaries:
    everywhere |= set(re.findall(r"--[a-z][a-z-]*", ask(command, "--help")))
for path in ["src/cli/shared_options.h", *sorted(glob.glob("src/cmd/cmd_*.c"))]:
    command = path[len("src/cmd/cmd_"):-len(".c")]
    known = set(re.findall(r"--[a-z][a-z-]*", ask(command, "--help"))) if command in summaries else everywhere
    with open(path) as source:
        text = re.sub(r"\\\n", " ", source.read())
    rules = RULE.findall(text)
    named = set(re.findall(r"--[a-z][a-z-]*", " ".join(word for rule in rules for word in rule)))
    verdict(f"{path}: rules have options that exist", named <= known, *sorted(named - known))
    verdict(f"{path}: every rule is read", len(rules) + len(re.findall(r"\{ [A-Z_]+, EXCLUDES", text)) ==
            len(re.findall(r", (?:EXCLUDES|REQUIRES),", re.sub(r"\s+", " ", text))), len(rules))

# ---- mdoc ----

# Pages of this project are not installed when they are checked; its lines have 100 columns.
ACCEPTED = ("referenced manual not found", "input text line longer than 80 bytes", "lacks ")
if shutil.which("mandoc"):
    said = subprocess.run(["mandoc", "-Tlint", *pages], capture_output=True, text=True)
    said = [line for line in (said.stdout + said.stderr).splitlines()
            if not any(text in line for text in ACCEPTED)]
    verdict("mandoc -Tlint says nothing", not said, *said)
else:
    print("mandoc is not installed (apt-get install mandoc): mdoc is not checked")

print(f"{failures} failed")
sys.exit(failures > 0)
END

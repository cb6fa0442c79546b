#!/bin/sh
# Usage: tests/action.sh
#
# The GitHub action and the CI files that `irdiff init` writes, as far as that can be told without a CI:
# they are YAML, their scripts are shell, options that they give to irdiff are there, inputs of the
# action are used, and nothing of an input becomes part of a script. Needs python3 with yaml.
set -eu
. "$(dirname "$0")/skip.sh"
LC_ALL=C.UTF-8
export LC_ALL
source_dir=$(CDPATH='' cd "${srcdir:-.}" && pwd)
irdiff=$(CDPATH='' cd "$(dirname "${IRDIFF:-./irdiff}")" && pwd)/$(basename "${IRDIFF:-./irdiff}")

python3 -c 'import yaml' 2>/dev/null || skip_all "python3 has no module yaml (apt-get install python3-yaml)"

IRDIFF=$irdiff SOURCE=$source_dir exec python3 - <<'END_OF_PYTHON'
import os, re, shutil, subprocess, sys
import yaml

irdiff, source = os.environ.pop("IRDIFF"), os.environ.pop("SOURCE")
failures = checks = 0


def verdict(what, ok, *found):
    global failures, checks
    checks += 1
    failures += not ok
    print("ok     " if ok else "FAILED ", what, *([] if ok else map(repr, found)))


def output(*words):
    return subprocess.run([irdiff, *words], capture_output=True, text=True).stdout


def scripts(value):
    """All shell scripts in a document, of GitHub or GitLab."""
    if isinstance(value, dict):
        for key, member in value.items():
            if key == "run":
                yield member
            elif key in ("script", "before_script", "after_script"):
                yield from member
            else:
                yield from scripts(member)
    elif isinstance(value, list):
        for item in value:
            yield from scripts(item)


def texts(value):
    if isinstance(value, dict):
        for member in value.values():
            yield from texts(member)
    elif isinstance(value, list):
        for item in value:
            yield from texts(item)
    else:
        yield str(value)


commands = set(re.findall(r"^  ([a-z]+) ", output("--help").split("Commands:")[1], re.M))
used = set()
def uncommented(name, job):
    """The file with the job that users may add: its lines without the #."""
    before, begin, block = open(f"{source}/{name}").read().partition(f"# {job}:\n")
    verdict(f"{name}: has a job {job}", begin)
    block = re.sub(r"^( *)# ?", r"\1", begin + block, flags=re.M)
    return yaml.safe_load(before + block)


documents = {name: yaml.safe_load(open(f"{source}/{name}")) for name in ("action.yml", "data/ci/github.yml", "data/ci/gitlab.yml")}
documents["github.yml with a site"] = uncommented("data/ci/github.yml", "site")
documents["gitlab.yml with a site"] = uncommented("data/ci/gitlab.yml", "pages")
for name, document in documents.items():
    found = list(scripts(document))
    verdict(f"{name}: has scripts", len(found) >= 3, found)
    for script in found:
        verdict(f"{name}: no expression in a script", "${{" not in script, script)
        done = subprocess.run([shutil.which("bash") or "sh", "-n"], input=script, capture_output=True, text=True)
        verdict(f"{name}: a script is shell: {script.splitlines()[0]}", done.returncode == 0, done.stderr)
        for command, options in re.findall(r"\birdiff ([a-z]+)((?: [^\n|;&]*)?)", script):
            used.add(command)
            # What is put together before.
            options += " ".join(re.findall(r"options\+=\(\"?(--[a-z-]+)", script)) if command == "check" else ""
            if command not in commands:
                verdict(f"{name}: irdiff {command} is a command", False, commands)
                continue
            known = set(re.findall(r"--([a-z-]+)", output(command, "--help")))
            for option in re.findall(r"--([a-z][a-z-]*)", options):
                verdict(f"{name}: irdiff {command} has --{option}", option in known, known)
            words = re.findall(r"--format=(\w+)", options)
            for word in words:
                choices = re.search(r"--format=(\S+)", output(command, "--help"))
                verdict(f"{name}: … and its format {word}", choices and word in choices[1].split("|"), choices)
verdict("check, comment, history and store are used", used == {"check", "comment", "history", "store"}, used)

action = yaml.safe_load(open(f"{source}/action.yml"))
inputs = set(re.findall(r"\binputs\.([a-z]+)", " ".join(texts(action["runs"]))))
verdict("the action uses the inputs that it has", inputs == action["inputs"].keys(), inputs)
for name, value in action["inputs"].items():
    verdict(f"input {name}: described, with a default", {"description", "default"} == value.keys(), value)
verdict("it is a composite action", action["runs"]["using"] == "composite", action["runs"]["using"])
for step in action["runs"]["steps"]:
    verdict("a step has a shell, or uses another action", ("run" in step) == ("shell" in step) and
            ("run" in step) != ("uses" in step), step)

site = documents["github.yml with a site"]["jobs"]["site"]
verdict("the site may be published", site["permissions"] == {"contents": "write", "pages": "write", "id-token": "write"} and
        [s["uses"] for s in site["steps"] if "pages" in s.get("uses", "")] == ["actions/upload-pages-artifact@v3", "actions/deploy-pages@v4"], site)
pages = documents["gitlab.yml with a site"]["pages"]
verdict("that of GitLab too", pages["artifacts"] == {"paths": ["public"]} and pages["extends"] == "irdiff", pages)

for name, steps, fetches in (("github.yml", [s.get("run", "") for s in site["steps"]], site["steps"][0]["with"] == {"fetch-depth": 0}),
                             ("gitlab.yml", pages["script"], pages.get("variables", documents["data/ci/gitlab.yml"]["irdiff"]["variables"])["GIT_DEPTH"] == 0)):
    lines = [line for step in steps for line in step.splitlines() if line.startswith("irdiff ")]
    verdict(f"{name}: the site has all measurements of the remote, or there is no new one; commits without a job are measured",
            [re.sub(' ("|-o ).*', "", line) for line in lines] ==
            ["irdiff store fetch", "irdiff history --measure=new", "irdiff store push", "irdiff history --format=html"], lines)
    verdict(f"{name}: the site has the order of all commits", fetches)

# Builds see the variables of the step, and what one job measured is only used where they see the same ones.
for name in ("action.yml", "github.yml with a site"):
    jobs = documents[name].get("jobs") or {"action": documents[name]["runs"]}
    for step in (s for job in jobs.values() for s in job["steps"]):
        if re.search(r"irdiff (check|history --measure)", step.get("run", "")):
            hidden = set(re.findall(r"^export -n (.*)", step["run"], re.M)[0].split()) if "export -n" in step["run"] else set()
            verdict(f"{name}: a step that builds has no variables of its own", step.get("env", {}).keys() == hidden, step)

workflow = documents["data/ci/github.yml"]
verdict("the workflow checks pull requests out as a whole", workflow[True] == {"pull_request": None} and
        workflow["jobs"]["check"]["steps"][0]["with"]["fetch-depth"] == 0, workflow)
verdict("… may comment, and no more", workflow["permissions"] == {"contents": "read", "pull-requests": "write"},
        workflow["permissions"])

print(f"{checks - failures} passed, {failures} failed")
sys.exit(failures > 0)
END_OF_PYTHON

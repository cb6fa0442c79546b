"""Shapes of comparisons in other metrics than Ir, and of several benchmarks in different ones."""
from mock import EVENTS, Node, Report, add_bench


def costs(instructions, counted):
    """With the last event as the one that is compared."""
    return [instructions] + [0] * (len(EVENTS) - 2) + [counted]


def compared_in(bench, name, causes):
    """The last event becomes `name`, and what is compared."""
    bench["events"][-1] = {"name": name, "long": None}
    counted = {**bench["metrics"][len(EVENTS) - 1], "name": name, "long": None, "tolerance": 0, "least": 1}
    bench["metrics"] = [{**metric, "tolerance": 0, "least": 100} for metric in bench["metrics"][:len(EVENTS) - 1]] + [counted]
    bench["metric"], bench["causes"] = name, causes
    bench["causesDelta"] = counted["head"] - counted["base"]
    bench["limits"] = [{"status": "exceeded", "fails": True, "metric": name, "function": None, "limit": "+0", "name": None,
                        "base": counted["base"], "head": counted["head"]}]
    return bench


def cause_of(caller, function, delta):
    return {"kind": "calls", "reason": "more calls", "function": function, "caller": caller, "baseCalls": 1, "headCalls": 2, "delta": delta, "paths": 1, "estimated": False}


def syscalls(report=None):
    """Ir and system calls changed, and the limit is on the calls."""
    report = report or Report("write")
    functions = [("main", "/bin/w", "w.c"), ("write_all", "/bin/w", "w.c"), ("write", "/lib/libc.so.6", "write.c")]
    root = Node(0, costs(50000, 1), costs(50000, 1))
    root.add(1, costs(4000000, 0), costs(4008984, 0), (1, 1)).add(2, costs(3000, 1), costs(9984, 999), (1, 999))
    bench = compared_in(add_bench(report, "write", functions, root, verdict="exceeded", threshold={"share": 0.0005, "delta": 1}), "sysCount", [cause_of(1, 2, 998)])
    line = lambda n, calls: {"file": "w.c", "note": None, "lines": [[7, costs(n, calls), "write(1, p, n);"]]}
    bench["sources"] = [{"function": 1, "base": line(4000000, 0), "head": line(4008984, 0)}]
    return report


def cancelling():
    """Causes that cancel each other, so that shares of the change say nothing."""
    report = Report("cancel")
    functions = [("main", "/bin/c", "c.c"), ("slower", "/bin/c", "c.c"), ("faster", "/bin/c", "c.c")]
    root = Node(0, costs(5000, 0), costs(5000, 0))
    root.add(1, costs(40000, 1000), costs(50000, 1300))
    root.add(2, costs(49000, 1000), costs(38000, 900))
    bench = add_bench(report, "cancel", functions, root)
    line = lambda n, counted: {"file": "c.c", "note": None, "lines": [[7, costs(n, counted), "work();"]]}
    bench["sources"] = [{"function": 1, "base": line(40000, 1000), "head": line(50000, 1300)},
                        {"function": 2, "base": line(49000, 1000), "head": line(38000, 900)}]
    return report


def unknown():
    """What is compared is not among the metrics."""
    report = syscalls(Report("unknown"))
    report.benches[0]["metric"] = "syscalls"
    return report


def mixed():
    """Three benchmarks: one fails by few system calls, one by many bytes, one costs much less Ir."""
    report = syscalls(Report("mixed"))
    functions = [("main", "/bin/h", "h.c"), ("grow", "/bin/h", "h.c")]
    root = Node(0, costs(1000, 0), costs(1000, 0))
    root.add(1, costs(999000, 1000), costs(1999000, 3000), (1, 2))
    heap = compared_in(add_bench(report, "heap", functions, root, verdict="exceeded"), "AllocBlocks", [cause_of(0, 1, 2000)])
    heap["metrics"] = heap["metrics"][-1:]
    root = Node(0, costs(0, 0), costs(0, 0))
    root.add(1, costs(400000, 0), costs(100000, 0), (2, 1))
    add_bench(report, "faster", functions, root, verdict="passed", notRun=True)
    return report


def unlimited(report=None):
    """What grew has no limit."""
    report = syscalls(report or Report("unlimited"))
    report.benches[0].update(verdict="passed", lacksLimit=True, notRun=False, limits=[])
    return report


def counted():
    """One of two that pass grew without a limit, and the other is within the default one."""
    report = unlimited(Report("counted"))
    add_bench(report, "kept", [("main", "/bin/k", "k.c")], Node(0, costs(1000, 0), costs(1001, 0)), verdict="passed",
              limits=[{"status": "pass", "fails": False, "metric": "Ir", "function": None, "limit": "+1%", "isDefault": True, "name": None, "base": 1000, "head": 1001}])
    return report


SHAPES = {shape.__name__: shape for shape in (syscalls, cancelling, unknown, mixed, unlimited, counted)}

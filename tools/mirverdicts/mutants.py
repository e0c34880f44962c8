#!/usr/bin/env python3
"""Compares a tool with LLVM's llc on MIR files that are almost right.

    tools/mirverdicts/mutants.py FOLDER --tool LLC [--sample N] [--per N] [--seed S] [--jobs N] [--keep DIR] [--show N]

N .mir files below FOLDER that both accept (the same ones each time) are changed
in one place, --per times each: an operand lost, another class or type of a
register, a flag (killed, dead, undef, implicit, …), two instructions exchanged,
a successor, an immediate, a register, a memory operand. Both are asked for
-run-pass=none -verify-machineinstrs; what counts is the list of lines
"*** Bad machine code: …" or, of a file that is refused, the first error with
its place. Differences are counted by kind, the most frequent first; --keep
leaves the changed files and both answers of those that differ.
"""
import argparse, collections, concurrent.futures, os, random, re, subprocess, sys, tempfile

ap = argparse.ArgumentParser()
ap.add_argument("folder")
ap.add_argument("--tool", required=True)
ap.add_argument("--llc", default="llc-22")
ap.add_argument("--sample", type=int, default=300)
ap.add_argument("--per", type=int, default=6)
ap.add_argument("--seed", type=int, default=1)
ap.add_argument("--jobs", type=int, default=1)
ap.add_argument("--keep")
ap.add_argument("--show", type=int, default=0)
ap.add_argument("--only", default="")
o = ap.parse_args()

FLAGS = ["killed", "dead", "undef", "implicit", "implicit-def", "early-clobber", "renamable", "internal", "def",
         "debug-use"]
REG = re.compile(r"(?<![\w.%$@&-])[%$][a-z0-9_]+(?![\w-])")
SKIP = re.compile(r"^%(bb|stack|fixed-stack|const|jump-table|subreg|ir|ir-block)$")


def body_lines(lines):
    inside = False
    for i, l in enumerate(lines):
        if l.startswith("body:"):
            inside = True
        elif l.startswith(("...", "---")):
            inside = False
        elif inside and re.match(r" {2,}\S", l) and l.strip()[0] not in ";#" and ":" not in l.strip().split(" ")[0]:
            if not re.match(r"\s*(successors|liveins):", l) and l.strip() not in ("{", "}"):
                yield i


def regs(l):
    return [m for m in REG.finditer(l) if not SKIP.match(m.group())]


def sub_at(l, m, s):
    return l[:m.start()] + s + l[m.end():]


def m_drop(rnd, lines, at):
    k = rnd.choice(at)
    head, mem, tail = lines[k].partition(" :: ")
    lhs, eq, rhs = head.rpartition(" = ")
    parts = rhs.split(", ")
    first = parts[0].rsplit(" ", 1)
    n = rnd.randrange(len(parts))
    if n == 0 and len(first) == 2:
        parts[0] = first[0] + (" " + parts.pop(1) if len(parts) > 1 else "")
    elif n:
        del parts[n]
    else:
        return False
    lines[k] = lhs + eq + ", ".join(parts) + mem + tail


def m_add(rnd, lines, at):
    k, j = rnd.choice(at), rnd.choice(at)
    head, mem, tail = lines[k].partition(" :: ")
    other = lines[j].partition(" :: ")[0].split(", ")
    if len(other) < 2:
        return False
    lines[k] = head + ", " + rnd.choice(other[1:]) + mem + tail


def m_class(rnd, lines, at):
    cl = [(k, m) for k in at for m in re.finditer(r"(?<=[%\w]:)[a-z]\w*|(?<=:)_", lines[k])]
    reg = [(k, m) for k, l in enumerate(lines) for m in re.finditer(r"(?<=class: )[\w']+", l)]
    if not cl + reg:
        return False
    k, m = rnd.choice(cl + reg)
    lines[k] = sub_at(lines[k], m, rnd.choice(cl + reg)[1].group())


def m_flag(rnd, lines, at):
    k = rnd.choice(at)
    have = list(re.finditer(r"\b(?:%s) " % "|".join(FLAGS), lines[k]))
    if have and rnd.random() < .5:
        lines[k] = sub_at(lines[k], rnd.choice(have), rnd.choice(FLAGS) + " " if rnd.random() < .4 else "")
        return
    r = regs(lines[k].partition(" :: ")[0])
    if not r:
        return False
    m = rnd.choice(r)
    lines[k] = sub_at(lines[k], m, rnd.choice(FLAGS) + " " + m.group())


def m_swap(rnd, lines, at):
    k = rnd.randrange(len(at) - 1)
    a, b = at[k], at[k + 1] if rnd.random() < .7 else rnd.choice(at)
    lines[a], lines[b] = lines[b], lines[a]


def m_line(rnd, lines, at):
    k = rnd.choice(at)
    if rnd.random() < .6:
        del lines[k]
    else:
        lines.insert(k, lines[k])


def m_edge(rnd, lines, at):
    s = [k for k, l in enumerate(lines) if re.match(r"\s*(successors|liveins):", l)]
    b = [k for k in at if "%bb." in lines[k]]
    if not s + b:
        return False
    k = rnd.choice(s + b)
    if k in s and rnd.random() < .4:
        del lines[k]
        return
    l = list(re.finditer(r"(?<=%bb\.)\d+", lines[k])) or regs(lines[k])
    if not l:
        return False
    m = rnd.choice(l)
    if m.group()[0] in "%$":
        lines[k] = sub_at(lines[k], m, rnd.choice([x.group() for i in at for x in regs(lines[i])] or ["$noreg"]))
    else:
        lines[k] = sub_at(lines[k], m, str(rnd.randrange(5)))


def m_imm(rnd, lines, at):
    l = [(k, m) for k in at for m in re.finditer(r"(?<=[ ,])-?\d+(?=,|$|\)| ::)", lines[k])]
    if not l:
        return False
    k, m = rnd.choice(l)
    lines[k] = sub_at(lines[k], m, rnd.choice(["0", "1", "-1", "7", "31", "64", "255", "4096", "65537", "2147483648",
                                               "%stack.0", "$noreg", "%bb.0", "@g"] if rnd.random() < .8 else
                                              ["18446744073709551615", "99999999999999999999", "0x10", "x", "i32 1"]))


def m_type(rnd, lines, at):
    l = [(k, m) for k in at for m in re.finditer(r"(?<=\()(?:s\d+|p\d+|<\d+ x \w+>)(?=\))", lines[k])]
    if not l:
        return False
    k, m = rnd.choice(l)
    lines[k] = sub_at(lines[k], m, rnd.choice(["s1", "s8", "s16", "s32", "s64", "s128", "p0", "p1", "<2 x s32>", "<4 x s16>",
                                               "<2 x p0>", "<vscale x 2 x s32>", "s24"]))


def m_reg(rnd, lines, at):
    k = rnd.choice(at)
    r = regs(lines[k].partition(" :: ")[0])
    if not r:
        return False
    pool = [m.group() for i in at for m in regs(lines[i])]
    m = rnd.choice(r)
    new = rnd.choice(pool)
    if new[0] == "$" and lines[k][m.end():m.end() + 1] == "(":
        return False  # LLVM writes past its tables where a physical register has a type
    if rnd.random() < .2:
        subs = re.findall(r"(?<=\.)sub\w+|(?<=subreg\.)\w+", "\n".join(lines))
        if subs:
            new = m.group() + "." + rnd.choice(subs)
    lines[k] = sub_at(lines[k], m, new)


def m_op(rnd, lines, at):
    l = [(k, m) for k in at for m in [re.match(r"\s*(?:.*? = )?(?:[a-z-]+ )*([A-Z]\w+)", lines[k])] if m]
    if not l:
        return False
    (k, m), (_, n) = rnd.choice(l), rnd.choice(l)
    new = n.group(1)
    if rnd.random() < .3:
        new = rnd.choice(["COPY", "G_ADD", "G_TRUNC", "IMPLICIT_DEF", "G_CONSTANT", "G_LOAD", "PHI", "G_ICMP", "G_BITCAST",
                          "INSERT_SUBREG", "REG_SEQUENCE", "G_BUILD_VECTOR", "G_UNMERGE_VALUES", "KILL", "DBG_VALUE"])
    lines[k] = lines[k][:m.start(1)] + new + lines[k][m.end(1):]


def m_mem(rnd, lines, at):
    l = [k for k in at if " :: " in lines[k]]
    if not l:
        return False
    k = rnd.choice(l)
    m = rnd.choice(list(re.finditer(r"\bload\b|\bstore\b|\(s\d+\)|align \d+|volatile |\(<[^>]*>\)|, ", lines[k].partition(" :: ")[2])) or [None])
    if not m:
        return False
    head = lines[k].partition(" :: ")[0] + " :: "
    lines[k] = head + sub_at(lines[k][len(head):], m, rnd.choice(["load", "store", "(s8)", "(s32)", "(s64)", "(<2 x s32>)", "align 8", "align 3", ""]))


def m_frame(rnd, lines, at):
    l = [(k, m) for k, x in enumerate(lines) for m in re.finditer(r"(?<=: )(true|false|-?\d+|'[^']*'|[a-z-]+)(?=,|$| \})", x)
         if not x.startswith(("#", ";", "  ;"))]
    if not l:
        return False
    k, m = rnd.choice(l)
    v = m.group()
    if v in ("true", "false"):
        new = "false" if v == "true" else "true"
    elif re.match(r"-?\d", v):
        new = rnd.choice(["0", "1", "3", "8", "-4", "4096", "x"])
    else:
        new = rnd.choice(["''", "'$noreg'", "default", "0", rnd.choice(l)[1].group()])
    lines[k] = sub_at(lines[k], m, new)


KINDS = [m_drop, m_add, m_class, m_flag, m_flag, m_swap, m_line, m_edge, m_imm, m_type, m_reg, m_reg, m_op, m_mem, m_frame]


def flags_of(text):
    run = re.search(r"RUN:\s*(.*?\bllc\b[^|]*)", text)
    return re.findall(r"-{1,2}(?:mtriple|march|mcpu|mattr)[= ][^\s%]+", run.group(1)) if run else []


def ask(cmd, flags, path):
    args = [cmd] + [w for f in flags for w in f.split(" ")] + ["-run-pass=none", "-verify-machineinstrs", "-o", "/dev/null", path]
    env = dict(os.environ, LLVM_DISABLE_CRASH_REPORT="1", LLVM_DISABLE_SYMBOLIZATION="1")
    try:
        r = subprocess.run(args, capture_output=True, text=True, errors="replace", timeout=60, env=env)
    except subprocess.TimeoutExpired:
        return "timeout", ["timeout"], ""
    bad = re.findall(r"^(\*\*\* Bad machine code: .*)\n- function: *(.*)", r.stderr, re.M)
    bad = [m for m, f in bad if f == bad[0][1]]  # LLVM stops at the first bad function
    if bad:
        return "bad", bad, r.stderr
    e = [l for l in r.stderr.split("\n") if "error:" in l or l.startswith("LLVM ERROR")]
    if r.returncode and e:
        return "error", [re.sub(r"^.*?\.mir:", "", e[0])], r.stderr
    if r.returncode:
        return "crash", ["crash %d" % r.returncode], r.stderr
    return "ok", [], r.stderr


def known(path, cmd, flags, cache={}):
    return ask(cmd, flags, path)[0] == "ok"


def one(job):
    src, rel, flags, n, work = job
    rnd = random.Random("%d %s %d" % (o.seed, rel, n))
    lines = [l for l in src.split("\n") if not re.match(r"\s*[;#] ?[A-Z0-9_-]+:", l)]
    at = list(body_lines(lines))
    if len(at) < 2:
        return None
    kind = rnd.choice(KINDS)
    if kind(rnd, lines, at) is False:
        return None
    path = os.path.join(work, "%s.%d.mir" % (rel.replace("/", "__")[:-4], n))
    with open(path, "w") as f:
        f.write("\n".join(lines))
    ref = ask(o.llc, flags, path)
    if ref[0] == "crash":
        os.remove(path)
        return kind.__name__, None, None, rel
    own = ask(o.tool, flags, path)
    same = ref[:2] == own[:2]
    if not same and o.keep:
        with open(path + ".txt", "w") as f:
            f.write("FLAGS %s\n--- llvm\n%s\n--- tool\n%s\n" % (" ".join(flags), ref[2], own[2]))
    else:
        os.remove(path)
    return kind.__name__, ref[:2], own[:2], os.path.basename(path)


def main():
    files = sorted(os.path.join(d, f) for d, _, fs in os.walk(o.folder) for f in fs if f.endswith(".mir"))
    files = [f for f in files if re.search(o.only, f) and os.path.getsize(f) < 100000]
    random.Random(1).shuffle(files)
    work = o.keep or tempfile.mkdtemp(prefix="mutants")
    os.makedirs(work, exist_ok=True)
    jobs, n = [], 0
    with concurrent.futures.ThreadPoolExecutor(o.jobs) as ex:
        def good(f):
            src = open(f, errors="replace").read()
            fl = flags_of(src)
            return (src, fl) if known(f, o.llc, fl) and known(f, o.tool, fl) else None
        while files and n < o.sample:
            chunk, files = files[:o.sample - n], files[o.sample - n:]
            for f, g in zip(chunk, ex.map(good, chunk)):
                if g:
                    n += 1
                    jobs += [(g[0], os.path.relpath(f, o.folder), g[1], k, work) for k in range(o.per)]
        res = [r for r in ex.map(one, jobs) if r]
    kinds = collections.Counter()
    per = collections.defaultdict(lambda: [0, 0])
    outcome = collections.Counter()
    examples = collections.defaultdict(list)
    crashed = 0
    for kind, ref, own, name in res:
        if ref is None:
            crashed += 1
            continue
        per[kind][1] += 1
        outcome[ref[0]] += 1
        if ref == own:
            per[kind][0] += 1
            outcome[ref[0] + " same"] += 1
            continue
        a, b = ref[1], own[1]
        if ref[0] == own[0] == "bad":
            for m, c in ((collections.Counter(a) - collections.Counter(b)).items()):
                kinds["missing  " + m] += 1
                examples["missing  " + m].append(name)
            for m, c in ((collections.Counter(b) - collections.Counter(a)).items()):
                kinds["invented " + m] += 1
                examples["invented " + m].append(name)
            if collections.Counter(a) == collections.Counter(b):
                kinds["order"] += 1
                examples["order"].append(name)
            continue
        strip = lambda s: re.sub(r"^\d+:\d+: ", "", s)
        key = "%s: %s  |  ours %s: %s" % (ref[0], strip(a[0]) if a else "", own[0], strip(b[0]) if b else "")
        if ref[0] == own[0] == "error" and strip(a[0]) == strip(b[0]):
            key = "place of: " + strip(a[0])
        key = re.sub(r"'[^']*'", "'…'", key)
        kinds[key] += 1
        examples[key].append(name)
    total, same = sum(p[1] for p in per.values()), sum(p[0] for p in per.values())
    print("%d files, %d mutants (%d more crash LLVM): %d same (%.1f%%)" % (n, total, crashed, same, 100.0 * same / max(1, total)))
    for k in ("ok", "bad", "error", "timeout"):
        print("  LLVM says %s: %d, same %d" % (k, outcome[k], outcome[k + " same"]))
    for k in sorted(per):
        print("  %-8s %d/%d" % (k[2:], *per[k]))
    for k, c in kinds.most_common(o.show or 100):
        print("%5d  %s   [%s]" % (c, k, examples[k][0]))


main()

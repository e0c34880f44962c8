#!/usr/bin/env python3
"""Collects what LLVM's machine verifier says about MIR files.

    tools/mirverdicts/collect.py OUT FOLDER [--sample N] [--mutate SEED]
    MIRVERIFY_REF=OUT go test ./mir/mirverify -run AgainstLLVM -v

Every .mir file below FOLDER (or N of them, the same ones each time) is given to
llc-22 -run-pass=none -verify-machineinstrs with the target flags of its first
RUN line; OUT gets one file each: flags, path, exit status, messages. With
--mutate each file is changed in one place first (a line lost, doubled, moved, a
register or type exchanged, a kill flag lost), which gives functions that are
almost right; the changed files lie in OUT too.
"""
import argparse, os, random, re, shlex, subprocess

p = argparse.ArgumentParser()
p.add_argument("out")
p.add_argument("folder")
p.add_argument("--sample", type=int, default=0)
p.add_argument("--mutate", type=int)
p.add_argument("--llc", default="llc-22")
o = p.parse_args()


def body_lines(lines):
    inside = False
    for i, l in enumerate(lines):
        if l.startswith("body:"):
            inside = True
        elif l.startswith(("...", "---")):
            inside = False
        elif inside and l.startswith("    ") and l.strip() and l.strip()[0] != ";":
            yield i


def mutate(rnd, lines):
    at = list(body_lines(lines))
    if len(at) < 2:
        return False
    k, j = rnd.choice(at), rnd.choice(at)
    l = lines[k]
    kind = rnd.randrange(7)
    if kind == 0:
        del lines[k]
    elif kind == 1:
        lines.insert(k, l)
    elif kind == 2:
        lines[k] = l.replace("killed ", "") if "killed" in l else re.sub(r"(= .*?[ (])([%$])", r"\1killed \2", l, count=1)
    elif kind == 3:
        lines[k], lines[j] = lines[j], lines[k]
    elif kind == 4:
        lines[k] = re.sub(r"%\d+", "%%%d" % rnd.randrange(8), l, count=1)
    elif kind == 5:
        lines[k] = re.sub(r"\(s\d+\)", "(s%d)" % rnd.choice([8, 16, 32, 64]), l, count=1)
    else:
        regs = re.findall(r"[%$][a-z0-9_]+", lines[j])
        if regs:
            lines[k] = re.sub(r"(?<=[ ,])[%$][a-z0-9_]+(?!.*= )", lambda m: rnd.choice(regs), l, count=1)
    return True


files = sorted(os.path.join(d, f) for d, _, fs in os.walk(o.folder) for f in fs if f.endswith(".mir"))
rnd = random.Random(o.mutate or 1)
if o.sample and o.sample < len(files):
    files = rnd.sample(files, o.sample)
os.makedirs(o.out, exist_ok=True)
for f in files:
    text = open(f, errors="replace").read()
    run = re.search(r"RUN:\s*(.*\bllc\b[^|]*)", text)
    flags = " ".join(re.findall(r"-{1,2}(?:mtriple|march|mcpu|mattr)[= ]\S+", run.group(1))) if run else ""
    name = os.path.relpath(f, o.folder).replace("/", "__")
    if o.mutate is not None:
        lines = [l for l in text.split("\n") if not re.match(r"\s*[;#] ?[A-Z0-9_-]+:", l)]
        if not mutate(rnd, lines):
            continue
        f = os.path.abspath(os.path.join(o.out, name))
        open(f, "w").write("\n".join(lines))
    cmd = "%s %s -run-pass=none -verify-machineinstrs -o /dev/null %s" % (o.llc, flags, shlex.quote(f))
    r = subprocess.run(cmd, shell=True, capture_output=True, text=True, errors="replace")
    open(os.path.join(o.out, name + ".err"), "w").write("CMD %s\nFILE %s\nRC %d\n%s" % (flags, f, r.returncode, r.stderr))

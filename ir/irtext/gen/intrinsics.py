#!/usr/bin/env python3
"""Writes zz_intrattrs.txt and zz_intrinsics.txt beside this folder: the attributes of the intrinsics of LLVM 22,
taken from the headers of an installed LLVM.  Use: gen/intrinsics.py /usr/lib/llvm-22/include

zz_intrattrs.txt   one combination a line: attributes of the function|N:attributes of result (0) or parameter N-1|…
                   (% in range(% …) stands for the type of the parameter)
zz_intrinsics.txt  one intrinsic a line, sorted: name, space, number of its combination
"""
import os, re, sys

inc = sys.argv[1] if len(sys.argv) > 1 else '/usr/lib/llvm-22/include'
text = open(inc + '/llvm/IR/IntrinsicImpl.inc').read()
names = dict(re.findall(r'ATTRIBUTE_ENUM\((\w+),(\w+)\)', open(inc + '/llvm/IR/Attributes.inc').read()))
locs = ['argmem', 'inaccessiblemem', 'errnomem', '', 'target_mem0', 'target_mem1']
kinds = ['none', 'read', 'write', 'readwrite']


def memory(n):
    m = [(n >> 2 * i) & 3 for i in range(6)]
    out = [kinds[m[3]]] + ['%s: %s' % (locs[i], kinds[m[i]]) for i in range(6) if i != 3 and m[i] != m[3]]
    return 'memory(%s)' % ', '.join(out)


def attrs(body):
    out = []
    for line in body.split('\n'):
        line = line.strip()
        if m := re.match(r'Attribute::get\(C, Attribute::(\w+)\),$', line):
            out.append(names[m[1]])
        elif m := re.match(r'Attribute::get\(C, Attribute::(\w+), (\d+)\),$', line):
            out.append('%s %s' % (names[m[1]], m[2]) if names[m[1]] == 'align' else '%s(%s)' % (names[m[1]], m[2]))
        elif m := re.search(r'Attribute::Range, ConstantRange\(APInt\(BitWidth, (-?\d+),.*?APInt\(BitWidth, (-?\d+),', line):
            out.append('range(%% %s, %s)' % (m[1], m[2]))
        elif 'CaptureInfo::none()' in line:
            out.append('captures(none)')
        elif m := re.search(r'createFromIntValue\((\d+)\)', line):
            out.append(memory(int(m[1])))
        elif 'Attribute' in line and not line.startswith('return'):
            sys.exit('unknown attribute: ' + line)
    return ' '.join(out)


def cases(name):
    body = text[text.index('static AttributeSet ' + name):text.index('} // ' + name)]
    return {int(n): attrs(b) for n, b in re.findall(r'case (\d+):(.*?)\}\);', body, re.S)}


arg, fn = cases('getIntrinsicArgAttributeSet'), cases('getIntrinsicFnAttributeSet')
table = lambda start, end: text[text.index(start):text.index(end, text.index(start))]
pairs = [tuple(map(int, p)) for p in re.findall(r'\{(\d+), (\d+)\}', table('ArgAttrIdTable[] = {', '};'))]
infos = [tuple(map(int, p)) for p in re.findall(r'\{(\d+), (\d+)\}', table('ArgAttributesInfoTable[] = {', '};'))]
combos, rows = {}, []
for f, a, name in re.findall(r'(\d+) << \d+ \| (\d+), // llvm\.(\S+)', table('IntrinsicsToAttributesMap[] = {', '};')):
    if re.match(r'(aarch64|amdgcn|arm|dx|hexagon|loongarch|mips|nvvm|ppc|r600|riscv|s390|spv|ve|wasm|xcore)\.', name):
        continue
    start, n = infos[int(a)]
    line = '|'.join([fn.get(int(f), '')] + ['%d:%s' % (i, arg[k]) for i, k in pairs[start:start + n]])
    rows.append((name, combos.setdefault(line, len(combos))))
here = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
open(here + '/zz_intrattrs.txt', 'w').write(''.join(l + '\n' for l in combos))
open(here + '/zz_intrinsics.txt', 'w').write(''.join('%s %d\n' % r for r in sorted(rows, key=lambda r: r[0].encode())))

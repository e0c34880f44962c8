#!/usr/bin/env python3
"""Writes zz_attrs.txt, zz_sigs.txt and zz_names.txt into the folder above: attributes and signatures of the intrinsics
of LLVM 22, taken from the headers of an installed LLVM.  Use: gen/intrinsics.py /usr/lib/llvm-22/include

zz_attrs.txt  one combination a line: attributes of the function|N:attributes of result (0) or parameter N-1|...
              (% in range(% ...) stands for the type of the parameter), each in the order in which they are printed
zz_sigs.txt   one signature a line: LLVM's type codes, two hexadecimal digits each
zz_names.txt  one intrinsic a line, sorted by bytes: name, space, "o" (overloaded) or "-", combination, space, signature
"""
import os, re, sys

inc = sys.argv[1] if len(sys.argv) > 1 else '/usr/lib/llvm-22/include'
text = open(inc + '/llvm/IR/IntrinsicImpl.inc').read()
names = dict(re.findall(r'ATTRIBUTE_ENUM\((\w+),(\w+)\)', open(inc + '/llvm/IR/Attributes.inc').read()))
enum = table0 = open(inc + '/llvm/IR/Attributes.inc').read().split('#ifdef GET_ATTR_ENUM')[1].split('#endif')[0]
order = {names[n]: int(k) for n, k in re.findall(r'(\w+) = (\d+)', enum) if n in names}
locs = ['argmem', 'inaccessiblemem', 'errnomem', '', 'target_mem0', 'target_mem1']
kinds = ['none', 'read', 'write', 'readwrite']


def memory(n):
    m = [(n >> 2 * i) & 3 for i in range(6)]
    out = [kinds[m[3]]] * (m[3] != 0 or not any(m)) + ['%s: %s' % (locs[i], kinds[m[i]]) for i in range(6) if i != 3 and m[i] != m[3]]
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
    return ' '.join(sorted(out, key=lambda a: order[re.split(r'[ (]', a)[0]]))


def cases(name):
    body = text[text.index('static AttributeSet ' + name):text.index('} // ' + name)]
    return {int(n): attrs(b) for n, b in re.findall(r'case (\d+):(.*?)\}\);', body, re.S)}


arg, fn = cases('getIntrinsicArgAttributeSet'), cases('getIntrinsicFnAttributeSet')
table = lambda start, end: text[text.index(start):text.index(end, text.index(start))]
pairs = [tuple(map(int, p)) for p in re.findall(r'\{(\d+), (\d+)\}', table('ArgAttrIdTable[] = {', '};'))]
infos = [tuple(map(int, p)) for p in re.findall(r'\{(\d+), (\d+)\}', table('ArgAttributesInfoTable[] = {', '};'))]

def numbers(start):
    body = re.sub(r'/\*.*?\*/', '', table(start, '};').split('{', 1)[1])
    return [eval(' '.join(x.replace('U', '').split())) for x in body.split(',') if x.strip()]


short, long = numbers('IIT_Table[] = {'), numbers('IIT_LongEncodingTable[] = {')
overloads = numbers('OTable[] = {')


def signature(i):
    v = short[i]
    if v >> 15:
        at = v & 0x7fff
        # Zero ends the list, but for a result of type void, and where zero is an argument of a code.
        return long, at
    out = []
    while True:
        out.append(v & 15)
        v >>= 4
        if not v:
            return out, 0


ONE, TWO = {15, 22, 23, 24, 28, 34, 36, 37, 38}, {27, 29}


def one(s, i):
    """Passes over one type; the index behind it."""
    c = s[i]
    i += 1
    if c in (9, 10, 11, 12, 13, 16, 25, 31, 32, 39, 41, 44, 50, 51, 52, 53, 35):  # vector, scalable
        return one(s, i)
    if c == 28:  # same width: then the element
        return one(s, i + 1)
    if c in ONE:
        return i + 1
    if c in TWO:
        return i + 2
    if c == 21:
        n = s[i] + 2
        i += 1
        for _ in range(n):
            i = one(s, i)
    return i


def clean(i):
    s, at = signature(i)
    end = one(s, at)
    while end < len(s) and s[end] != 0:
        end = one(s, end)
    return ''.join('%02x' % x for x in s[at:end])


combos, sigs, rows = {}, {}, []
for i, (f, a, name) in enumerate(re.findall(r'(\d+) << \d+ \| (\d+), // llvm\.(\S+)', table('IntrinsicsToAttributesMap[] = {', '};'))):
    start, n = infos[int(a)] if int(a) < len(infos) else (0, 0)
    line = '|'.join([fn.get(int(f), '')] + ['%d:%s' % (j, arg[k]) for j, k in pairs[start:start + n]])
    over = 'o' if overloads[(i + 1) // 8] >> ((i + 1) % 8) & 1 else '-'
    rows.append((name, over, combos.setdefault(line, len(combos)), sigs.setdefault(clean(i), len(sigs))))
here = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
open(here + '/zz_attrs.txt', 'w').write(''.join(l + '\n' for l in combos))
open(here + '/zz_sigs.txt', 'w').write(''.join(l + '\n' for l in sigs))
open(here + '/zz_names.txt', 'w').write(''.join('%s %s%d %d\n' % r for r in sorted(rows, key=lambda r: r[0].encode())))

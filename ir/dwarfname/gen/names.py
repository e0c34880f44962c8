#!/usr/bin/env python3
"""Writes zz_names.txt into the folder above: DWARF's and LLVM's names of the constants that stand in debug info
metadata, taken from the headers of an installed LLVM 22.  Use: gen/names.py /usr/lib/llvm-22/include

One constant a line: prefix, number in decimal, name.
"""
import os, re, sys

inc = sys.argv[1] if len(sys.argv) > 1 else '/usr/lib/llvm-22/include'
text = open(inc + '/llvm/BinaryFormat/Dwarf.def').read()
out = []
for kind, prefix in [('TAG', 'DW_TAG_'), ('ATE', 'DW_ATE_'), ('LANG', 'DW_LANG_'), ('LNAME', 'DW_LNAME_'), ('CC', 'DW_CC_'),
                     ('VIRTUALITY', 'DW_VIRTUALITY_'), ('OP', 'DW_OP_'), ('APPLE_ENUM_KIND', 'DW_APPLE_ENUM_KIND_'),
                     ('AT', 'DW_AT_'), ('FORM', 'DW_FORM_')]:
    for num, name in re.findall(r'^HANDLE_DW_%s\(\s*(0x[0-9a-fA-F]+|\d+),\s*(\w+)' % kind, text, re.M):
        out.append((prefix, int(num, 0), name))
for i, n in enumerate(['fragment', 'convert', 'tag_offset', 'entry_value', 'implicit_pointer', 'arg', 'extract_bits_sext', 'extract_bits_zext']):
    out.append(('DW_OP_', 0x1000 + i, 'LLVM_' + n))
for n, s in [(1, 'define'), (2, 'undef'), (3, 'start_file'), (4, 'end_file'), (255, 'vendor_ext')]:
    out.append(('DW_MACINFO_', n, s))
flags = open(inc + '/llvm/IR/DebugInfoFlags.def').read()
for kind, prefix in [('DI', 'DIFlag'), ('DISP', 'DISPFlag')]:
    for num, name in re.findall(r'^HANDLE_%s_FLAG\(([^,]+), (\w+)\)' % kind, flags, re.M):
        if name != 'Largest':
            out.append((prefix, eval(num.replace('u', '')), name))
here = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
open(here + '/zz_names.txt', 'w').write(''.join('%s %d %s\n' % r for r in out))

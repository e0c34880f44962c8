	.text
	.globl	f
	.type	f,@function
f:
	.cfi_startproc
	.cfi_personality 155, DW.ref.p
	.cfi_lsda 27, .Lexception0
	.long	16909060
	.cfi_def_cfa_offset 16
	.cfi_offset %r14, -8
	.zero	600
	.cfi_remember_state
	.zero	1200
	.cfi_restore_state
	.long	5
.Lfunc_end0:
	.size	f, .Lfunc_end0-f
	.cfi_endproc
	.type	g,@function
g:
	.cfi_startproc
	.long	0
	.cfi_endproc
	.section	.gcc_except_table,"a",@progbits
	.p2align	2, 0x0
.Lexception0:
	.byte	255
	.uleb128 .Lfunc_end0-f
	.p2align	2, 0x0
	.data
	.p2align	3, 0x0
	.type	d,@object
d:
	.byte	17
	.zero	1
	.short	4386
	.long	287454020
	.quad	1234605616436508552
	.quad	x
	.quad	x-3
	.short	x+257
	.long	.Lfunc_end0+4
	.long	x-d
	.long	.Lfunc_end0-f
	.quad	d
	.asciz	"text"
	.size	d, 40
	.bss
b:
	.zero	8
	.comm	k,12,4
	.section	".note.GNU-stack","",@progbits

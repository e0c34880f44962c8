	.text
	.globl	f
	.type	f,@function
f:
	.cfi_startproc
	.cfi_personality 155, DW.ref.p
	.cfi_lsda 27, .Lexception0
	.long	16909060
	.cfi_def_cfa_offset 16
	.cfi_offset 65, -8
	.space	600
	.cfi_remember_state
	.space	1200
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
	.space	1
	.short	4386
	.long	287454020
	.long	287454020
	.long	1432778632
	.long	x
	.long	x-3
	.short	x+257
	.long	.Lfunc_end0+4
	.long	x-d
	.long	.Lfunc_end0-f
	.long	d
	.asciz	"text"
	.size	d, 40
	.section	.bss,"aw",@nobits
b:
	.space	4
	.comm	k,12,4
	.section	".note.GNU-stack","",@progbits

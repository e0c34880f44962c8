declare preserve_nonecc void @use(ptr, ptr)
define void @f(i64 %n) {
  %a = alloca i32, align 64
  %b = alloca i8, i64 %n
  call preserve_nonecc void @use(ptr %a, ptr %b)
  ret void
}

; RUN: not mirin llc -mtriple=bpfel %s -o - 2>&1 | filecheck %s

declare i64 @user(ptr)

; CHECK: in function big: Looks like the BPF stack limit is exceeded. {{.*}} 520 bytes of 512: buffer has 520 bytes
define i64 @big() {
  %buffer = alloca [520 x i8], align 8
  %r = call i64 @user(ptr %buffer)
  ret i64 %r
}

; CHECK: in function six: {{.*}}too many arguments
define i64 @six(i64 %a, i64 %b, i64 %c, i64 %d, i64 %e, i64 %f) {
  ret i64 %f
}

; CHECK: in function variadic: variadic function is not supported
define i64 @variadic(i64 %a, ...) {
  ret i64 %a
}

; CHECK: in function dynamic: legalizing {{.*}}G_DYN_STACKALLOC
define i64 @dynamic(i64 %n) {
  %p = alloca i8, i64 %n
  %r = call i64 @user(ptr %p)
  ret i64 %r
}

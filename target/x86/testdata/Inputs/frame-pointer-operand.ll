define void @f(i64 %n) "frame-pointer"="all" {
  call void asm sideeffect "nop", "{bp}"(i64 %n)
  ret void
}

; The smallest whole program: mirin run examples/hello.ll

@greeting = private unnamed_addr constant [21 x i8] c"Hello from LLVM IR.\0A\00"

declare i32 @printf(ptr, ...)

define i32 @main() {
  %n = call i32 (ptr, ...) @printf(ptr @greeting)
  ret i32 0
}

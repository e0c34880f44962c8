; Counts the primes below the number given as first argument (default 1000000)
; with a sieve:  mirin run examples/primes.ll 1000000

@fmt = private unnamed_addr constant [23 x i8] c"%u primes are below %u\00"

declare i32 @atoi(ptr)
declare ptr @calloc(i64, i64)
declare void @free(ptr)
declare i32 @puts(ptr)
declare i32 @snprintf(ptr, i64, ptr, ...)

define i32 @count(i32 %n) {
entry:
  %bytes = zext i32 %n to i64
  %sieve = call ptr @calloc(i64 %bytes, i64 1)
  br label %outer

outer:
  %i = phi i32 [ 2, %entry ], [ %i.next, %next ]
  %found = phi i32 [ 0, %entry ], [ %found.next, %next ]
  %more = icmp ult i32 %i, %n
  br i1 %more, label %test, label %done

test:
  %i.ext = zext i32 %i to i64
  %slot = getelementptr i8, ptr %sieve, i64 %i.ext
  %mark = load i8, ptr %slot
  %prime = icmp eq i8 %mark, 0
  br i1 %prime, label %cross, label %next

cross:
  %start = shl i32 %i, 1
  br label %inner

inner:
  %j = phi i32 [ %start, %cross ], [ %j.next, %strike ]
  %inside = icmp ult i32 %j, %n
  br i1 %inside, label %strike, label %next

strike:
  %j.ext = zext i32 %j to i64
  %p = getelementptr i8, ptr %sieve, i64 %j.ext
  store i8 1, ptr %p
  %j.next = add i32 %j, %i
  br label %inner

next:
  %one = phi i32 [ 0, %test ], [ 1, %inner ]
  %found.next = add i32 %found, %one
  %i.next = add i32 %i, 1
  br label %outer

done:
  call void @free(ptr %sieve)
  ret i32 %found
}

define i32 @main(i32 %argc, ptr %argv) {
entry:
  %line = alloca [64 x i8]
  %given = icmp sgt i32 %argc, 1
  br i1 %given, label %parse, label %run

parse:
  %arg = getelementptr ptr, ptr %argv, i64 1
  %text = load ptr, ptr %arg
  %parsed = call i32 @atoi(ptr %text)
  br label %run

run:
  %n = phi i32 [ 1000000, %entry ], [ %parsed, %parse ]
  %c = call i32 @count(i32 %n)
  %w = call i32 (ptr, i64, ptr, ...) @snprintf(ptr %line, i64 64, ptr @fmt, i32 %c, i32 %n)
  %r = call i32 @puts(ptr %line)
  ret i32 0
}

package link

import (
	debugelf "debug/elf"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/mirin-go/mirin/codegen/driver"
	"github.com/mirin-go/mirin/codegen/pass"
	"github.com/mirin-go/mirin/codegen/pipeline"
	"github.com/mirin-go/mirin/internal/testenv"
	"github.com/mirin-go/mirin/ir/irtext"
	"github.com/mirin-go/mirin/mc"
	"github.com/mirin-go/mirin/mc/object/elf"
	"github.com/mirin-go/mirin/target"
	"github.com/mirin-go/mirin/target/all"
	"github.com/mirin-go/mirin/target/x86/elfabi"
)

// compile makes an object of LLVM IR.
func compile(t *testing.T, text string, reloc target.RelocModel) *mc.Object {
	t.Helper()
	mod, err := irtext.Parse("test.ll", []byte(text), irtext.Options{})
	if err != nil {
		t.Fatal(err)
	}
	m, err := target.NewMachine(all.Find(all.DefaultTriple, ""), target.Options{Triple: all.DefaultTriple, Reloc: reloc})
	if err != nil {
		t.Fatal(err)
	}
	mod.Triple, mod.DataLayout = all.DefaultTriple, m.Target.DataLayout(m.Triple)
	j := &driver.Job{Machine: m, Module: mod, Runner: &pass.Runner{Passes: pipeline.Passes(pipeline.Options{Target: m.Target})}, Workers: 1}
	o, _, errs := j.Object()
	if len(errs) > 0 {
		t.Fatal(errors.Join(errs...))
	}
	return o
}

// linked links objects and gives the path of the program.
func linked(t *testing.T, o *Options, objs ...*mc.Object) string {
	t.Helper()
	var in []Input
	for i, obj := range objs {
		in = append(in, Input{Name: string(rune('a'+i)) + ".o", Object: obj})
	}
	b, err := Executable(&elfabi.ABI, in, o)
	if err != nil {
		t.Fatal(err)
	}
	p := filepath.Join(t.TempDir(), "prog")
	if err := os.WriteFile(p, b, 0o755); err != nil {
		t.Fatal(err)
	}
	return p
}

// runs runs a program and compares what it prints, and its exit status.
func runs(t *testing.T, prog, want string, code int) {
	t.Helper()
	cmd := exec.Command(prog, "one", "two")
	out, err := cmd.CombinedOutput()
	if cmd.ProcessState == nil {
		t.Fatal(err)
	}
	if got := cmd.ProcessState.ExitCode(); string(out) != want || got != code {
		t.Errorf("got %q and exit status %d (%v), want %q and %d", out, got, err, want, code)
	}
}

func TestHello(t *testing.T) {
	for _, strip := range []bool{false, true} {
		p := linked(t, &Options{Strip: strip}, compile(t, `
@s = private constant [13 x i8] c"Hello, %s %d\00"
declare i32 @printf(ptr, ...)
define i32 @main(i32 %argc, ptr %argv) {
  %p = getelementptr ptr, ptr %argv, i32 1
  %a = load ptr, ptr %p
  %r = call i32 (ptr, ...) @printf(ptr @s, ptr %a, i32 %argc)
  ret i32 %r
}`, target.RelocPIC))
		runs(t, p, "Hello, one 3", 12)
	}
}

// clangObject makes an object of C or C++ by an installed clang.
func clangObject(t *testing.T, ext, text string, flags ...string) *mc.Object {
	t.Helper()
	clang := testenv.LLVM(t, "clang")
	src := filepath.Join(t.TempDir(), "a"+ext)
	if err := os.WriteFile(src, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command(clang, append([]string{"-c", src, "-o", src + ".o"}, flags...)...).CombinedOutput(); err != nil {
		t.Skipf("skipped: clang: %s", out)
	}
	b, err := os.ReadFile(src + ".o")
	if err != nil {
		t.Fatal(err)
	}
	o, err := elf.Read(b)
	if err != nil {
		t.Fatal(err)
	}
	return o
}

// clangIR makes an object by clang's front end and this project's back end.
func clangIR(t *testing.T, ext, text string, flags ...string) *mc.Object {
	t.Helper()
	clang := testenv.LLVM(t, "clang")
	src := filepath.Join(t.TempDir(), "a"+ext)
	if err := os.WriteFile(src, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command(clang, append([]string{"-S", "-emit-llvm", src, "-o", src + ".ll"}, flags...)...).CombinedOutput(); err != nil {
		t.Skipf("skipped: clang: %s", out)
	}
	b, err := os.ReadFile(src + ".ll")
	if err != nil {
		t.Fatal(err)
	}
	return compile(t, string(b), target.RelocPIC)
}

// programs of C and C++ with what they print. They run through clang's objects
// in its models of code, and through objects of this project.
var programs = []struct {
	name, ext, text, want string
	code                  int
	flags                 []string
}{
	{"streams", ".c", `#include <stdio.h>
#include <string.h>
#include <unistd.h>
FILE **p = &stdout;
extern char **environ, **__environ;
int main(int argc, char **argv) {
  fprintf(stdout, "%s\n", argv[1]);
  fflush(*p);
  int (*f)(const char *) = puts;
  f(environ == __environ ? "same" : "different");
  size_t (*len)(const char *) = strlen;
  return len(argv[2]);
}`, "one\nsame\n", 3, nil},
	{"errno, math", ".c", `#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
static void last(void) { puts("last"); }
int main(int argc, char **argv) {
  atexit(last);
  errno = 0;
  FILE *f = fopen("/no/such/file", "r");
  printf("%d %d %.3f\n", f == 0, errno == ENOENT, sin(argc) + pow(argc, 2));
  exit(7);
}`, "1 1 9.141\nlast\n", 7, nil},
	{"thread-local", ".c", `#include <pthread.h>
#include <stdio.h>
__thread int a = 5;
static __thread long b;
_Thread_local char big[100] __attribute__((aligned(64))) = {1};
static void *run(void *p) { a += 2; b += a; big[3] = b; printf("%d %ld %d %d\n", a, b, big[0] + big[3], (int)((unsigned long)big % 64)); return &a; }
int main(void) {
  pthread_t t; void *r;
  a = 100;
  pthread_create(&t, 0, run, 0);
  pthread_join(t, &r);
  run(0);
  return r == (void *)&a;
}`, "7 7 8 0\n102 102 103 0\n", 0, nil},
	{"constructors", ".c", `#include <stdio.h>
__attribute__((constructor(300))) static void c(void) { puts("c"); }
__attribute__((constructor)) static void d(void) { puts("d"); }
__attribute__((constructor(200))) static void b(int argc) { printf("b %d\n", argc); }
__attribute__((constructor(150))) static void a(void) { puts("a"); }
__attribute__((destructor(150))) static void z(void) { puts("z"); }
__attribute__((destructor)) static void y(void) { puts("y"); }
int main(void) { puts("main"); return 0; }`, "a\nb 3\nc\nd\nmain\ny\nz\n", 0, nil},
	{"weak, common, sections", ".c", `#include <stdio.h>
extern int absent __attribute__((weak));
extern void absentf(void) __attribute__((weak));
int common; int common2[10];
__attribute__((section("myset"))) int e1 = 1;
__attribute__((section("myset"))) int e2 = 2;
extern int __start_myset[], __stop_myset[];
static const char *const names[] = {"x", "y"};
const char *const *const pn = names;
int main(void) {
  int n = 0;
  for (int *p = __start_myset; p < __stop_myset; p++) n += *p;
  if (absentf) absentf();
  printf("%d %d %d %s\n", &absent == 0, common + common2[9], n, pn[1]);
  return 0;
}`, "1 0 3 y\n", 0, []string{"-fcommon"}},
	{"interposed", ".c", `#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static char pool[1 << 20]; static size_t used; static int calls;
void *malloc(size_t n) { calls++; void *p = pool + used; used += (n + 15) & ~15ul; return p; }
void free(void *p) {}
void *calloc(size_t a, size_t b) { return memset(malloc(a * b), 0, a * b); }
void *realloc(void *p, size_t n) { return memcpy(malloc(n), p, n); }
int main(void) { char *s = strdup("dup"); printf("%s %d\n", s, calls > 0 && s >= pool && s < pool + sizeof pool); return 0; }`, "dup 1\n", 0, nil},
	{"compare pointers", ".c", `#include <stdio.h>
#include <stdlib.h>
static int cmp(const void *a, const void *b) { return *(int *)a - *(int *)b; }
int (*table[])(const char *) = {puts, 0};
int main(void) {
  int v[] = {3, 1, 2};
  qsort(v, 3, sizeof v[0], cmp);
  printf("%d%d%d %d\n", v[0], v[1], v[2], table[0] == puts);
  return table[0]("x") < 0;
}`, "123 1\nx\n", 0, nil},
	{"exceptions", ".cpp", `#include <cstdio>
#include <stdexcept>
#include <string>
#include <vector>
struct D { const char *n; ~D() { std::printf("~%s\n", n); } };
static int depth(int n) { D d{n ? "in" : "bottom"}; if (!n) throw std::runtime_error("deep " + std::to_string(42)); return depth(n - 1) + 1; }
int main() {
  try { depth(1); } catch (const std::exception &e) { std::printf("caught %s\n", e.what()); }
  try { throw 3; } catch (int i) { std::printf("%d\n", i); }
  std::vector<int> v; try { v.at(10) = 1; } catch (const std::out_of_range &) { std::puts("range"); }
  return 0;
}`, "~bottom\n~in\ncaught deep 42\n3\nrange\n", 0, nil},
	{"iostream", ".cpp", `#include <iostream>
#include <map>
#include <memory>
#include <string>
struct Base { virtual ~Base() { std::cout << "~Base\n"; } virtual int f() { return 1; } };
struct Derived : Base { int f() override { return 2; } };
static std::map<std::string, int> global{{"a", 1}, {"b", 2}};
thread_local std::string tls = "tls";
int main() {
  std::unique_ptr<Base> p = std::make_unique<Derived>();
  for (auto &[k, v] : global) std::cout << k << v << ' ';
  std::cout << p->f() << ' ' << dynamic_cast<Derived *>(p.get())->f() << ' ' << tls << std::endl;
}`, "a1 b2 2 2 tls\n~Base\n", 0, nil},
	{"terminate", ".cpp", `#include <cstdio>
int main() { std::puts("before"); std::fflush(stdout); std::set_terminate([] { std::_Exit(9); }); throw 1; }`, "before\n", 9,
		[]string{"-include", "exception", "-include", "cstdlib"}},
}

func TestPrograms(t *testing.T) {
	for _, p := range programs {
		for _, model := range [][]string{{"-fPIC", "-O2"}, {"-fPIE", "-O0"}, {"-fPIC", "-O1", "-ffunction-sections", "-fdata-sections", "-fno-plt"}} {
			t.Run(p.name+" clang "+strings.Join(model, " "), func(t *testing.T) {
				runs(t, linked(t, nil, clangObject(t, p.ext, p.text, append(model, p.flags...)...)), p.want, p.code)
			})
		}
		for _, model := range [][]string{{"-fPIC", "-O1"}, {"-fPIE", "-O0"}} {
			t.Run(p.name+" "+strings.Join(model, " "), func(t *testing.T) {
				o := clangIR(t, p.ext, p.text, append(model, p.flags...)...)
				runs(t, linked(t, nil, o), p.want, p.code)
				runs(t, linked(t, &Options{legacyInit: true, Strip: true}, o), p.want, p.code)
			})
		}
	}
}

// TestSeveral: two objects share inline functions and common symbols, a strong
// symbol replaces a weak one, and exceptions pass from one to the other.
func TestSeveral(t *testing.T) {
	const header = `#include <cstdio>
#include <string>
struct E { std::string what; };
inline int counter() { static int n; return ++n; }
template <class T> T twice(T v) { return v + v; }
`
	a := header + `void thrower(int); __attribute__((weak)) int which() { return 1; } int *address();
int main() { counter(); try { thrower(twice(4)); } catch (E &e) { std::printf("%s %d %d\n", e.what.c_str(), counter(), which()); } return address() == nullptr; }`
	b := header + `int which() { return 2; } int *address() { static int n; return &n; }
void thrower(int n) { counter(); throw E{std::to_string(twice(n))}; }`
	for _, how := range []func(*testing.T, string, string, ...string) *mc.Object{clangObject, clangIR} {
		x, y := how(t, ".cpp", a, "-fPIC"), how(t, ".cpp", b, "-fPIC", "-O1")
		runs(t, linked(t, nil, x, y), "16 3 2\n", 0)
		runs(t, linked(t, nil, y, x), "16 3 2\n", 0)
	}
}

// TestAbsolute: code that is not position-independent works where it can, and
// is refused by name where it cannot.
func TestAbsolute(t *testing.T) {
	const main = `
@s = private constant [3 x i8] c"hi\00"
@p = internal constant ptr @s
declare i32 @puts(ptr)
define i32 @main() {
  %r = call i32 @puts(ptr @s)
  ret i32 0
}`
	runs(t, linked(t, nil, compile(t, main, target.RelocStatic)), "hi\n", 0)
	o := clangObject(t, ".c", "#include <stdio.h>\nint main(void) { return puts(\"hi\") < 0; }", "-fno-pic", "-O1")
	if _, err := Executable(&elfabi.ABI, []Input{{"a.o", o}}, nil); err == nil || !strings.Contains(err.Error(), "R_X86_64_32 against") ||
		!strings.Contains(err.Error(), "-relocation-model=pic") {
		t.Errorf("got %v", err)
	}
}

func TestErrors(t *testing.T) {
	pic := func(text string) *mc.Object { return compile(t, text, target.RelocPIC) }
	for _, tc := range []struct {
		name string
		objs []*mc.Object
		opt  *Options
		want string
	}{
		{"missing", []*mc.Object{pic("declare void @nowhere()\ndeclare void @there()\n@x = external global i32\ndefine i32 @main() {\n  call void @nowhere()\n  call void @there()\n  %v = load i32, ptr @x\n  ret i32 %v\n}")},
			nil, "undefined symbol x, nowhere, there (in a.o)"},
		{"no main", []*mc.Object{pic("define i32 @f() {\n  ret i32 0\n}")}, nil, "there is no function main"},
		{"nothing", nil, nil, "there is no function main"},
		{"twice", []*mc.Object{pic("define i32 @main() {\n  ret i32 0\n}"), pic("define i32 @main() {\n  ret i32 0\n}")}, nil, "symbol main is defined twice: in a.o and in b.o"},
		{"hidden", []*mc.Object{pic("declare hidden i32 @abs(i32)\ndefine i32 @main() {\n  %v = call i32 @abs(i32 1)\n  ret i32 %v\n}")}, nil, "undefined symbol abs (in a.o)"},
		{"no library", []*mc.Object{pic("define i32 @main() {\n  ret i32 0\n}")}, &Options{Libraries: []string{"nosuchlibrary"}}, "library nosuchlibrary: no libnosuchlibrary.so is in"},
	} {
		var in []Input
		for i, o := range tc.objs {
			in = append(in, Input{string(rune('a'+i)) + ".o", o})
		}
		if _, err := Executable(&elfabi.ABI, in, tc.opt); err == nil || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("%s: got %v, want %s", tc.name, err, tc.want)
		}
	}
	in := []Input{{"a.o", pic("define i32 @main() {\n  ret i32 0\n}")}}
	in[0].Object.Symbols[len(in[0].Object.Symbols)-1].Type = mc.TypeIFunc
	if _, err := Executable(&elfabi.ABI, in, nil); err == nil || !strings.Contains(err.Error(), "STT_GNU_IFUNC") {
		t.Errorf("ifunc: got %v", err)
	}
}

// TestLibraries: -l names a library with and without its development files,
// before those that are searched anyway; a library's own symbols are refused
// where it is not named.
func TestLibraries(t *testing.T) {
	clang := testenv.LLVM(t, "clang")
	dir := t.TempDir()
	src := filepath.Join(dir, "x.c")
	os.WriteFile(src, []byte("extern int back(void); int shared = 7; int fromlib(int n) { return n + back() + shared; } double sin(double x) { return 3; }"), 0o644)
	if out, err := exec.Command(clang, "-shared", "-fPIC", "-fno-builtin", src, "-Wl,-soname,"+dir+"/libx.so.1", "-o", dir+"/libx.so.1").CombinedOutput(); err != nil {
		t.Skipf("skipped: clang: %s", out)
	}
	for _, flags := range [][]string{{"-fPIC"}, {"-fPIE", "-mcmodel=small"}} {
		o := clangObject(t, ".c", "extern int fromlib(int); extern int shared; double sin(double); int back(void) { return 30; }"+
			"int main(int c, char **v) { shared++; return fromlib(1) + (int)sin(c); }", append(flags, "-fno-builtin")...)
		if _, err := Executable(&elfabi.ABI, []Input{{"a.o", o}}, nil); err == nil || !strings.Contains(err.Error(), "undefined symbol") {
			t.Errorf("got %v", err)
		}
		runs(t, linked(t, &Options{LibraryDirs: []string{dir}, Libraries: []string{"x", "m"}}, o), "", 42)
		os.Symlink("libx.so.1", dir+"/libx.so")
		runs(t, linked(t, &Options{LibraryDirs: []string{dir}, Libraries: []string{"x"}}, o), "", 42)
		runs(t, linked(t, &Options{Libraries: []string{dir + "/libx.so"}}, o), "", 42)
	}
}

// TestFile: segments are never writable and executable, LLVM's reader finds
// nothing wrong with the file, and linking again gives the same bytes.
func TestFile(t *testing.T) {
	o := clangObject(t, ".cpp", programs[len(programs)-2].text, "-fPIC", "-g")
	var first []byte
	for range 3 {
		b, err := Executable(&elfabi.ABI, []Input{{"a.o", o}}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if first != nil && string(b) != string(first) {
			t.Fatal("another result")
		}
		first = b
	}
	f, err := debugelf.NewFile(strings.NewReader(string(first)))
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range f.Progs {
		if p.Flags&debugelf.PF_W != 0 && p.Flags&debugelf.PF_X != 0 {
			t.Errorf("%v is writable and executable", p.ProgHeader)
		}
		if p.Align > 1 && p.Vaddr%p.Align != p.Off%p.Align {
			t.Errorf("%v is not aligned", p.ProgHeader)
		}
	}
	p := filepath.Join(t.TempDir(), "prog")
	os.WriteFile(p, first, 0o755)
	out, err := exec.Command(testenv.LLVM(t, "llvm-readelf"), "--all", "-W", p).CombinedOutput()
	if err != nil || strings.Contains(string(out), "warning") || strings.Contains(string(out), "error:") {
		t.Errorf("llvm-readelf: %v\n%s", err, out)
	}
}

// TestCrash: a signal ends the program as it would any other.
func TestCrash(t *testing.T) {
	p := linked(t, nil, compile(t, "declare void @abort()\ndefine i32 @main() {\n  call void @abort()\n  ret i32 0\n}", target.RelocPIC))
	err := exec.Command(p).Run()
	var exit *exec.ExitError
	if !errors.As(err, &exit) || exit.Sys().(syscall.WaitStatus).Signal() != syscall.SIGABRT {
		t.Errorf("got %v", err)
	}
}

// TestUnwind throws and catches without any front end at hand: an exception
// passes a frame with a cleanup.
func TestUnwind(t *testing.T) {
	o := compile(t, `
@_ZTIi = external constant ptr
@s = private constant [8 x i8] c"cleanup\00"
declare i32 @puts(ptr)
declare ptr @__cxa_allocate_exception(i64)
declare void @__cxa_throw(ptr, ptr, ptr)
declare ptr @__cxa_begin_catch(ptr)
declare void @__cxa_end_catch()
declare i32 @__gxx_personality_v0(...)
declare i32 @llvm.eh.typeid.for.p0(ptr)
define void @thrower() personality ptr @__gxx_personality_v0 {
  %e = call ptr @__cxa_allocate_exception(i64 4)
  store i32 42, ptr %e
  invoke void @__cxa_throw(ptr %e, ptr @_ZTIi, ptr null) to label %no unwind label %pad
no:
  unreachable
pad:
  %l = landingpad { ptr, i32 } cleanup
  %r = call i32 @puts(ptr @s)
  resume { ptr, i32 } %l
}
define i32 @main() personality ptr @__gxx_personality_v0 {
  invoke void @thrower() to label %no unwind label %pad
no:
  ret i32 1
pad:
  %l = landingpad { ptr, i32 } catch ptr @_ZTIi
  %k = extractvalue { ptr, i32 } %l, 1
  %want = call i32 @llvm.eh.typeid.for.p0(ptr @_ZTIi)
  %is = icmp eq i32 %k, %want
  br i1 %is, label %catch, label %other
other:
  ret i32 2
catch:
  %p = extractvalue { ptr, i32 } %l, 0
  %v = call ptr @__cxa_begin_catch(ptr %p)
  %i = load i32, ptr %v
  call void @__cxa_end_catch()
  ret i32 %i
}`, target.RelocPIC)
	_, err := Executable(&elfabi.ABI, []Input{{"a.o", o}}, nil)
	var missing *MissingError
	if errors.As(err, &missing) {
		t.Skipf("skipped: libstdc++ is not installed: %v", err)
	}
	runs(t, linked(t, nil, o), "cleanup\n", 42)
}

package searchable

import (
	"bytes"
	"errors"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/mirin-go/mirin/diag"
	"github.com/mirin-go/mirin/tablegen"
	"github.com/mirin-go/mirin/tablegen/include"
)

var update = flag.Bool("update", false, "write what is found into testdata")

const includeLine = "include \"llvm/TableGen/SearchableTable.td\"\n"

// ours answers LLVM's include file with our own.
func ours(p string) ([]byte, error) {
	return include.ReadFile(nil)(strings.Replace(p, "llvm/TableGen/", "mirin/", 1))
}

// parse reads a description.
func parse(t *testing.T, name, src string) *tablegen.Records {
	t.Helper()
	rs, err := tablegen.Parse(tablegen.Options{ReadFile: ours}, name, []byte(src))
	if err != nil {
		t.Fatal(err)
	}
	return rs
}

func generate(t *testing.T, name, src string) (string, error) {
	rs := parse(t, name, src)
	tabs, err := Collect(rs)
	if err != nil {
		return "", err
	}
	b, err := AppendGo(nil, rs, tabs, "main")
	return string(b), err
}

// head is what the cases build on.
const head = includeLine + `class T<string n, bits<8> i, bit f> {
  string Name = n; bits<8> I = i; bit F = f; int X = 7; list<int> L = [1]; string U = ?; bits<4> BU = ?; bits<70> Wide = 0; dag D = ?;
}
`

// TestCases: each case of testdata/cases.txt is refused with the message that
// stands there, or accepted; where llvm-tblgen is installed it decides alike,
// but for the cases that are marked.
func TestCases(t *testing.T) {
	file := "testdata/cases.txt"
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	tblgen, inc := llvm()
	var out strings.Builder
	for _, c := range strings.Split(string(text), "=== ")[1:] {
		title, rest, _ := strings.Cut(c, "\n")
		src, want, _ := strings.Cut(rest, "--- ")
		name, mark, _ := strings.Cut(title, " ")
		_, err := generate(t, name+".td", head+src)
		got := "ok\n"
		if err != nil {
			var l diag.List
			if !errors.As(err, &l) || l[0].Line == 0 || l[0].Col == 0 || l[0].Source == "" {
				t.Errorf("%s: no place: %v", name, err)
			}
			got = strings.TrimRight(string(diag.AppendError(nil, "", err)), "\n") + "\n"
		}
		out.WriteString("=== " + title + "\n" + src + "--- " + got)
		if got != want && !*update {
			t.Errorf("%s:\n%sinstead of\n%s", name, got, want)
		}
		if tblgen == "" {
			continue
		}
		cmd := exec.Command(tblgen, "-gen-searchable-tables", "-I", inc, "-")
		cmd.Stdin = strings.NewReader(head + src)
		ref := cmd.Run() == nil
		if mark == "stricter" != (ref != (err == nil)) && mark != "crash" {
			t.Errorf("%s %s: LLVM accepts: %v; we: %v", name, mark, ref, err)
		}
	}
	if *update {
		if err := os.WriteFile(file, []byte(out.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// llvm returns the path of llvm-tblgen 22 and of its headers, "" without.
func llvm() (tool, inc string) {
	tool, err := exec.LookPath("llvm-tblgen-22")
	inc = "/usr/lib/llvm-22/include"
	if _, err2 := os.Stat(inc + "/llvm/TableGen/SearchableTable.td"); err != nil || err2 != nil {
		return "", ""
	}
	return tool, inc
}

// many is a description with every kind of field, gaps, repeated keys and case.
func many() string {
	var b strings.Builder
	b.WriteString(includeLine + `
class Color<bits<8> n> { bits<8> N = n; }
def Red : Color<9>; def Green : Color<2>; def Blue : Color<40>;
def Colors : GenericEnum { let FilterClass = "Color"; let ValueField = "N"; }
def Kinds : GenericEnum { let FilterClass = "Color"; }
class Row<string n, bits<12> e, Color c, bit f, bits<33> w> {
  string Name = n; bits<12> Enc = e; Color Col = c; Color Kind = c; bit Flag = f; bits<33> Wide = w; code Feat = [{ 3 + 4 }]; bit Only = f;
}
def Tab : GenericTable {
  let FilterClass = "Row"; let Fields = ["Name", "Enc", "Col", "Kind", "Flag", "Wide", "Feat"];
  let PrimaryKey = ["Col", "Enc"]; let PrimaryKeyName = "byColEnc";
  string TypeOf_Col = "Colors"; string TypeOf_Kind = "Kinds"; string GoType_Feat = "int";
}
def Some : GenericTable {
  let FilterClass = "Row"; let FilterClassField = "Only"; let CppTypeName = "ns::SomeRow"; let Fields = ["Enc", "Name"];
  let PrimaryKey = ["Enc"]; let PrimaryKeyName = "rangeOfEnc"; let PrimaryKeyReturnRange = 1; let PrimaryKeyEarlyOut = 1;
}
def byName : SearchIndex { let Table = Tab; let Key = ["Name"]; }
def byEnc : SearchIndex { let Table = Tab; let Key = ["Enc"]; let EarlyOut = 1; }
def byFlagName : SearchIndex { let Table = Tab; let Key = ["Flag", "Name"]; let EarlyOut = 1; }
def byKind : SearchIndex { let Table = Tab; let Key = ["Kind", "Wide"]; let EarlyOut = 1; }
class Seq<bits<4> n> { bits<4> N = n; string S = "s" # n; }
foreach i = 3-9 in def "q" # i : Seq<!sub(12, i)>;
def SeqTab : GenericTable { let FilterClass = "Seq"; let Fields = ["N", "S"]; let PrimaryKey = ["N"]; let PrimaryKeyName = "seqByN"; }
`)
	colors := []string{"Red", "Green", "Blue"}
	for i := range 60 {
		name := string([]byte{"aAbB_z"[i%6], "xXyZ_"[i*7%5], "qQ"[i%2]})
		b.WriteString("def r" + strconv.Itoa(i) + " : Row<\"" + name + "\", " + strconv.Itoa(i*37%50*11) + ", " + colors[i%3] + ", " +
			strconv.Itoa(i/3%2) + ", " + strconv.FormatInt(int64(i%4)*5e9%(1<<33), 10) + ">;\n")
	}
	return b.String()
}

// TestLLVMOrder: rows and indices have the order that llvm-tblgen gives them.
func TestLLVMOrder(t *testing.T) {
	tool, inc := llvm()
	if tool == "" {
		t.Skip("no llvm-tblgen-22 with its headers")
	}
	src := many()
	tabs, err := Collect(parse(t, "many.td", src))
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(tool, "-gen-searchable-tables", "-I", inc, "-")
	cmd.Stdin = strings.NewReader(src)
	ref, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range tabs.Enums {
		var got []string
		for _, x := range e.Entries {
			got = append(got, x.Name+" = "+strconv.FormatInt(x.Value, 10))
		}
		if want := lines(t, ref, "enum "+e.Name+" {", "};", `^\s*(.*),$`); !slices.Equal(got, want) {
			t.Errorf("%s: %q, LLVM %q", e.Name, got, want)
		}
	}
	for _, x := range tabs.Tables {
		var got []string
		for _, r := range x.Rows {
			s := ""
			for k, f := range x.Fields {
				lit := f.literal(r[k])
				if f.Enum != nil {
					lit = r[k].Text
				}
				s += "," + strings.ReplaceAll(lit, " ", "")
			}
			got = append(got, strings.TrimPrefix(s, ","))
		}
		want := lines(t, ref, " "+x.Name+"[] = {", " };", `^\s*\{(.*)\}, //`)
		for i := range want {
			want[i] = strings.ReplaceAll(want[i], " ", "")
			for k := 0; k+1 < len(want[i]); k++ { // hexadecimal digits, not names
				if want[i][k:k+2] == "0x" {
					n := k + strings.IndexAny(want[i][k:]+",", ",")
					want[i] = want[i][:k] + strings.ToLower(want[i][k:n]) + want[i][n:]
				}
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s:\n%q, LLVM\n%q", x.Name, got, want)
		}
		for _, l := range x.Lookups {
			if l.Primary {
				continue
			}
			_, body, _ := bytes.Cut(ref, []byte(l.Name+"("))
			_, body, _ = bytes.Cut(body, []byte(l.Name+"(")) // the definition
			var got []string
			for _, r := range l.Order {
				got = append(got, strconv.Itoa(r))
			}
			if want := lines(t, body, "Index[] = {", "};", `(\d+) \},$`); !slices.Equal(got, want) {
				t.Errorf("%s: %q, LLVM %q", l.Name, got, want)
			}
		}
	}
}

// lines finds the lines between from and to and takes the group of the expression out of each.
func lines(t *testing.T, b []byte, from, to, group string) []string {
	t.Helper()
	_, body, ok := strings.Cut(string(b), from+"\n")
	body, _, ok2 := strings.Cut(body, "\n"+strings.TrimLeft(to, " "))
	if strings.HasPrefix(to, " ") || strings.Contains(from, "Index") {
		body, _, ok2 = strings.Cut(string(b)[strings.Index(string(b), from):], "};")
	}
	if !ok || !ok2 {
		t.Fatalf("no %q in LLVM's output", from)
	}
	re := regexp.MustCompile(group)
	var out []string
	for _, l := range strings.Split(body, "\n") {
		if m := re.FindStringSubmatch(l); m != nil {
			out = append(out, m[1])
		}
	}
	return out
}

// TestRun compiles a generated file and compares each lookup with a search of
// all rows, for every key near those that there are.
func TestRun(t *testing.T) {
	if testing.Short() {
		t.Skip("runs the compiler")
	}
	gobin, err := exec.LookPath("go")
	if err != nil {
		t.Skip("no go command")
	}
	src, err := generate(t, "many.td", many())
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	check, err := os.ReadFile("testdata/check.go.txt")
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"go.mod": "module check\n\ngo 1.22\n", "tab.go": src, "main.go": string(check)} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.Command(gobin, "run", ".")
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil || strings.TrimSpace(string(out)) != "ok" {
		t.Errorf("%v\n%s", err, out)
	}
}

// TestTrail: an error in a record of a multiclass shows the defm.
func TestTrail(t *testing.T) {
	_, err := generate(t, "m.td", includeLine+`class E { string S; }
multiclass M { def _x : E; }
defm a : M;
def Tab : GenericTable { let FilterClass = "E"; let Fields = ["S"]; }
`)
	want := `m.td:3:20: error: record 'a_x' for table 'Tab' is missing field 'S'
multiclass M { def _x : E; }
                   ^
m.td:4:10: note: instantiated from multiclass
defm a : M;
         ^
`
	if got := string(diag.AppendError(nil, "", err)); got != want {
		t.Errorf("%s", got)
	}
}

// TestLegacy: classes below SearchableTable.
func TestLegacy(t *testing.T) {
	src, err := generate(t, "legacy.td", includeLine+`
class ST<string n, bits<8> i> : SearchableTable { let SearchableFields = ["Enc", "Name"]; string Name = n; bits<8> Enc = i; let EnumValueField = "Enc"; }
def : ST<"x", 4>; def : ST<"w", 3>;
class SU<bits<8> i> : SearchableTable { let SearchableFields = ["Enc"]; let EnumNameField = ?; bits<8> Enc = i; }
def : SU<3>;
`)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"STValues_x STValues = 4", "var STsList = [...]ST{", "func lookupSTByEnc(EncKey uint8) *ST {", "func lookupSUByEnc(EncKey uint8) *SU {", "func lookupSTByName(NameKey string) *ST {"} {
		if !strings.Contains(src, want) {
			t.Errorf("no %q in\n%s", want, src)
		}
	}
}

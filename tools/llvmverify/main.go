// Command llvmverify has LLVM's own machine verifier judge what Mirin's passes
// make of modules: every machine pass of the pipeline is the last one once, what
// is printed then is read and verified by llc.
//
//	go run ./tools/llvmverify [-flags '-O2'] [-ref llc-22] [-only REGEX] [-keep DIR] FILE.ll…
//
// Each complaint is printed with its module and pass, and the exit status is 1 when
// there is one. Modules that Mirin refuses are counted and named. A pass that leaves the
// text as it was is not asked about again. Over many modules -every K judges each behind
// one pass in K, other ones from module to module, so that all are judged.
package main

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"time"
)

var (
	llc   = flag.String("llc", "mirin llc", "the command that is judged")
	flags = flag.String("flags", "-O2", "its flags")
	ref   = flag.String("ref", "llc-22", "LLVM's llc")
	only  = flag.String("only", "", "judge only the passes whose names match")
	jobs  = flag.Int("j", 1, "modules at a time")
	keep  = flag.String("keep", "", "keep the MIR that is complained about in this folder")
	every = flag.Int("every", 1, "judge a module behind one pass in so many")
	limit = flag.Duration("limit", time.Minute, "how long a command may take")
)

func main() {
	log.SetFlags(0)
	flag.Parse()
	pattern, err := regexp.Compile(*only)
	if err != nil {
		log.Fatal(err)
	}
	stages, err := passes(pattern)
	if err != nil {
		log.Fatal(err)
	}
	if *every < 1 {
		log.Fatal("-every must be 1 or more")
	}
	type job struct {
		file  string
		first int // the place of the first pass that is judged
	}
	files := make(chan job)
	var wg sync.WaitGroup
	var mu sync.Mutex
	judged, same, refused, faults := 0, 0, 0, 0
	for range *jobs {
		wg.Go(func() {
			for j := range files {
				v, err := judge(j.file, stages, j.first)
				mu.Lock()
				judged, same, faults = judged+v.judged, same+v.same, faults+v.bad
				if err != nil {
					refused++
					fmt.Printf("refused: %s: %v\n", j.file, err)
				}
				mu.Unlock()
			}
		})
	}
	for k, f := range flag.Args() {
		files <- job{f, k % *every}
	}
	close(files)
	wg.Wait()
	fmt.Printf("%d modules, %d of them refused, behind %d passes: %d texts verified, %d more the same as before, %d complained about\n",
		flag.NArg(), refused, len(stages), judged, same, faults)
	if faults > 0 {
		os.Exit(1)
	}
}

// passes names the machine passes of the pipeline as -stop-after takes them:
// one that runs several times is NAME,K.
func passes(pattern *regexp.Regexp) ([]string, error) {
	out, err := run(*llc+" "+*flags+" -print-pipeline", nil)
	if err != nil {
		return nil, err
	}
	var names []string
	seen := map[string]int{}
	machine := false
	for _, name := range strings.Fields(string(out)) {
		machine = machine || name == "irtranslator"
		if !machine || name == "greedy" || name == "basic" {
			continue // IR; what these decide virtregrewriter carries out: the text does not have it
		}
		k := seen[name]
		seen[name]++
		if !pattern.MatchString(name) {
			continue
		}
		if k > 0 {
			name = fmt.Sprintf("%s,%d", name, k)
		}
		names = append(names, name)
	}
	return names, nil
}

// verdict counts the texts of a module that were judged, those that were that of the stage
// before, and those that were complained about.
type verdict struct{ judged, same, bad int }

// judge verifies a module behind one stage in -every, from the first on. The error is why
// Mirin refuses the module.
func judge(file string, stages []string, first int) (v verdict, err error) {
	var before []byte
	for k := first; k < len(stages); k += *every {
		stage := stages[k]
		text, err := run(*llc+" "+*flags+" -o - -stop-after="+stage+" "+file, nil)
		if err != nil {
			return v, err
		}
		if bytes.Equal(text, before) {
			v.same++
			continue
		}
		before = text
		v.judged++
		if _, err := run(*ref+" -x mir -run-pass=none -verify-machineinstrs -o /dev/null -", text); err != nil {
			v.bad++
			fmt.Printf("%s behind %s:\n%v\n", file, stage, err)
			if *keep != "" {
				name := strings.ReplaceAll(strings.Trim(file, "/"), "/", "_") + "." + stage + ".mir"
				if err := os.WriteFile(filepath.Join(*keep, name), text, 0o644); err != nil {
					log.Print(err)
				}
			}
		}
	}
	return v, nil
}

// run gives what a command prints; an error has the first lines of its complaint.
func run(command string, input []byte) ([]byte, error) {
	ctx, cancel := context.WithTimeout(context.Background(), *limit)
	defer cancel()
	words := strings.Fields(command)
	cmd := exec.CommandContext(ctx, words[0], words[1:]...)
	cmd.Stdin = bytes.NewReader(input)
	var out, msg bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &msg
	if err := cmd.Run(); err != nil {
		const most = 12
		text := msg.String()
		if at := strings.Index(text, "*** Bad machine code"); at > 0 {
			text = text[at:] // the function stands before it
		}
		lines := strings.SplitAfterN(strings.TrimSpace(text), "\n", most+1)
		return nil, fmt.Errorf("%v: %s", err, strings.Join(lines[:min(len(lines), most)], ""))
	}
	return out.Bytes(), nil
}

package mir

// A tie says that a use and a definition of an instruction are to be one
// register. Four bits of either operand hold the other's number, when both
// numbers are below farTie-1; the others are in Function.farTies, as inline
// assembly of seven results and statepoints need. Operands behind an inserted
// or a removed one keep their ties.

const (
	tiedShift = 12
	// farTie in the four bits says that farTies has the partner.
	farTie = 15
	// subMask is what is left of the 16 bits for sub-register and target flags.
	subMask = 1<<tiedShift - 1
)

// tiedOp is an operand with a far tie.
type tiedOp struct {
	instr InstrID
	op    uint32
}

func (o *Operand) tie() int { return int(o.sub >> tiedShift) }

func (o *Operand) setTie(t int) { o.sub = o.sub&subMask | uint16(t)<<tiedShift }

// Tie ties use operand use to definition def, untying either from what it is tied to.
func (f *Function) Tie(i InstrID, def, use int) {
	f.Untie(i, def)
	f.Untie(i, use)
	f.tie(i, def, use)
}

// tie ties two operands that are not tied, or whose ties were taken out of farTies.
func (f *Function) tie(i InstrID, def, use int) {
	ops := f.Ops(i)
	if def+1 < farTie && use+1 < farTie {
		ops[def].setTie(use + 1)
		ops[use].setTie(def + 1)
		return
	}
	if f.farTies == nil {
		f.farTies = map[tiedOp]uint32{}
	}
	ops[def].setTie(farTie)
	ops[use].setTie(farTie)
	f.farTies[tiedOp{i, uint32(def)}] = uint32(use)
	f.farTies[tiedOp{i, uint32(use)}] = uint32(def)
}

// TiedTo returns the operand that n is tied to, -1 for none.
func (f *Function) TiedTo(i InstrID, n int) int {
	switch t := f.Op(i, n).tie(); t {
	case 0:
		return -1
	case farTie:
		p, ok := f.farTies[tiedOp{i, uint32(n)}]
		if !ok {
			panic("mir: a tied operand has no partner")
		}
		return int(p)
	default:
		return t - 1
	}
}

// Untie dissolves the tie of operand n.
func (f *Function) Untie(i InstrID, n int) {
	t := f.TiedTo(i, n)
	if t < 0 {
		return
	}
	ops := f.Ops(i)
	if ops[n].tie() == farTie {
		delete(f.farTies, tiedOp{i, uint32(n)})
		delete(f.farTies, tiedOp{i, uint32(t)})
	}
	ops[n].setTie(0)
	ops[t].setTie(0)
}

// copyTies gives to, a copy of the untied operands of from, the ties of from.
func (f *Function) copyTies(to, from InstrID) {
	for n := range f.Ops(from) {
		if t := f.TiedTo(from, n); t > n {
			f.Tie(to, n, t)
		}
	}
}

// shiftTies renumbers the ties of i after the operands that were at position at
// and behind it moved by d; the operand at position at was inserted or removed
// and has no tie.
func (f *Function) shiftTies(i InstrID, at, d int) {
	ops := f.Ops(i)
	moved := func(n int) int {
		if n >= at {
			return n + d
		}
		return n
	}
	var far [][2]int // the ties to be made again
	for n := range ops {
		switch t := ops[n].tie(); t {
		case 0:
		case farTie:
			was := n
			if n >= at {
				was = n - d
			}
			k := tiedOp{i, uint32(was)}
			if p, ok := f.farTies[k]; ok {
				far = append(far, [2]int{n, moved(int(p))})
				delete(f.farTies, k)
				delete(f.farTies, tiedOp{i, p})
			}
		default:
			if p := moved(t - 1); n+1 < farTie && p+1 < farTie {
				ops[n].setTie(p + 1)
			} else if n < p {
				far = append(far, [2]int{n, p})
			}
		}
	}
	for _, p := range far {
		f.tie(i, p[0], p[1])
	}
}

package interp

import "strings"

// getopt reads options as POSIX has it. glibc moves arguments that are no
// options to the end; where that would happen the call is refused.
func (c *libCall) getopt() error {
	vm, l := c.vm, &c.vm.lib
	argc, argv, opts := int(c.int(0)), c.reg(1), string(c.str(2))
	if c.err != nil {
		return c.err
	}
	opts = strings.TrimPrefix(opts, "+")
	variable := func(name string) *object {
		p, _ := l.externVar(vm, name)
		return &vm.objs[uint32(p.p)]
	}
	ind := int(variable("optind").load(0, 4).v)
	setInd := func() { variable("optind").store(0, 4, def(uint64(ind)), vm.prvShift) }
	arg := func(i int) (reg, string) {
		o, off, err := vm.access(addPtr(argv, uint64(i)*vm.ptrBytes), vm.ptrBytes, 1, false)
		if err != nil {
			c.fail(err)
			return reg{}, ""
		}
		p := vm.loadPtr(o, off)
		s, err := vm.cstring(p, ^uint64(0), c.name)
		if err != nil {
			c.fail(err)
		}
		return p, string(s)
	}
	if l.optLeft == "" {
		if ind >= argc {
			return c.retInt(-1)
		}
		_, s := arg(ind)
		switch {
		case s == "--":
			ind++
			setInd()
			return c.retInt(-1)
		case len(s) < 2 || s[0] != '-':
			for i := ind + 1; i < argc && c.err == nil; i++ {
				if _, s := arg(i); len(s) > 1 && s[0] == '-' {
					return unsupported("getopt with options after other arguments")
				}
			}
			return c.retInt(-1)
		}
		l.optLeft = s[1:]
	}
	if c.err != nil {
		return c.err
	}
	p, whole := arg(ind)
	at := addPtr(p, uint64(len(whole)-len(l.optLeft)+1)) // behind the option's letter
	b := l.optLeft[0]
	l.optLeft = l.optLeft[1:]
	k := strings.IndexByte(opts, b)
	if k < 0 || b == ':' {
		return c.optFault("invalid option", b, opts, &ind, setInd, variable)
	}
	if k+1 < len(opts) && opts[k+1] == ':' {
		left := l.optLeft
		l.optLeft = ""
		ind++
		switch {
		case left != "":
		case k+2 < len(opts) && opts[k+2] == ':':
			at = reg{}
		case ind >= argc:
			setInd()
			return c.optFault("option requires an argument", b, opts, nil, nil, variable)
		default:
			at, _ = arg(ind)
			ind++
		}
		vm.storePtr(variable("optarg"), 0, at)
	} else if l.optLeft == "" {
		ind++
	}
	setInd()
	return c.retInt(int(b))
}

// optFault writes the message that getopt has for a wrong option.
func (c *libCall) optFault(msg string, b byte, opts string, ind *int, setInd func(), variable func(string) *object) error {
	l := &c.vm.lib
	if ind != nil && l.optLeft == "" {
		*ind++
		setInd()
	}
	variable("optopt").store(0, 4, def(uint64(b)), c.vm.prvShift)
	quiet := strings.HasPrefix(opts, ":")
	if !quiet && variable("opterr").load(0, 4).v != 0 {
		l.stderr.Write([]byte(l.program + ": " + msg + " -- '" + string(rune(b)) + "'\n"))
	}
	if quiet && ind == nil {
		return c.retInt(':')
	}
	return c.retInt('?')
}

package interp

// timeLib reads the clock of the options. Calendars are in UTC.
func timeLib(name string) libFn {
	switch name {
	case "time":
		return func(c *libCall) error {
			t := uint64(c.vm.o.Now().Unix())
			if p := c.reg(0); p.v != 0 && c.err == nil {
				o, off, err := c.vm.access(p, 8, 1, true)
				if err != nil {
					return err
				}
				o.store(off, 8, def(t), c.vm.prvShift)
			}
			return c.ret(t)
		}
	case "clock":
		return func(c *libCall) error { return c.ret(uint64(c.vm.o.Now().UnixMicro() % 1e9)) }
	case "gettimeofday", "clock_gettime":
		return func(c *libCall) error {
			i := 0
			if name == "clock_gettime" {
				i = 1
			}
			now := c.vm.o.Now()
			o, off, err := c.vm.access(c.reg(i), 16, 1, true)
			if err != nil {
				return err
			}
			sub := uint64(now.Nanosecond())
			if i == 0 {
				sub /= 1000
			}
			o.store(off, 8, def(uint64(now.Unix())), c.vm.prvShift)
			o.store(off+8, 8, def(sub), c.vm.prvShift)
			return c.ret(0)
		}
	case "times", "getrusage":
		return func(c *libCall) error {
			n, i := uint64(32), 0
			if name == "getrusage" {
				n, i = 144, 1
			}
			if b := c.bytes(i, n, true); b != nil {
				clear(b)
			}
			return c.ret(0)
		}
	case "difftime":
		return func(c *libCall) error { return c.ret(intToFP(leafF64, uint64(c.i64(0)-c.i64(1)), 64, true)) }
	case "usleep", "sleep", "nanosleep", "sched_yield":
		return func(c *libCall) error { return c.ret(0) }
	}
	return nil
}

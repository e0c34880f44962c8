package mir

// Listener is told of the changes of a function's blocks, so that what was
// computed about the code stays true while it is edited: live intervals, use
// counts, work lists. Instructions that stand in no block are nobody's
// business: they are told of when they are put into one.
type Listener interface {
	// Created tells that i was put into a block.
	Created(i InstrID)
	// Erased tells that i is about to be taken out of its block; it is still whole.
	Erased(i InstrID)
	// Moved tells that i stands at another place, perhaps in another block.
	Moved(i InstrID)
	// OperandChanged tells that operand n of i is another one, names another
	// register or has other flags. was is what stood there; its kind is OpNone
	// when the operand is new.
	OperandChanged(i InstrID, n int, was Operand)
	// OperandRemoved tells that was, operand n of i, is gone and that those
	// behind it moved up.
	OperandRemoved(i InstrID, n int, was Operand)
}

// NoListener ignores every change: a Listener that wants to hear of few embeds it.
type NoListener struct{}

// Created implements Listener.
func (NoListener) Created(InstrID) {}

// Erased implements Listener.
func (NoListener) Erased(InstrID) {}

// Moved implements Listener.
func (NoListener) Moved(InstrID) {}

// OperandChanged implements Listener.
func (NoListener) OperandChanged(InstrID, int, Operand) {}

// OperandRemoved implements Listener.
func (NoListener) OperandRemoved(InstrID, int, Operand) {}

// Listen makes l hear of changes, after those that listen already.
func (f *Function) Listen(l Listener) { f.listeners = append(f.listeners, l) }

// Unlisten undoes the last Listen of l.
func (f *Function) Unlisten(l Listener) {
	for k := len(f.listeners) - 1; k >= 0; k-- {
		if f.listeners[k] == l {
			f.listeners = append(f.listeners[:k:k], f.listeners[k+1:]...)
			return
		}
	}
}

// The functions below are called where nobody listens most of the time; the
// caller looks at f.listeners first.

func (f *Function) tellCreated(i InstrID) {
	for _, l := range f.listeners {
		l.Created(i)
	}
}

func (f *Function) tellErased(i InstrID) {
	for _, l := range f.listeners {
		l.Erased(i)
	}
}

func (f *Function) tellMoved(i InstrID) {
	for _, l := range f.listeners {
		l.Moved(i)
	}
}

func (f *Function) tellChanged(i InstrID, n int, was Operand) {
	if f.instrs[i].block == 0 {
		return
	}
	for _, l := range f.listeners {
		l.OperandChanged(i, n, was)
	}
}

func (f *Function) tellRemoved(i InstrID, n int, was Operand) {
	if f.instrs[i].block == 0 {
		return
	}
	for _, l := range f.listeners {
		l.OperandRemoved(i, n, was)
	}
}

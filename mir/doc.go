// Package mir is Machine IR in memory: functions of target instructions in
// blocks, over virtual or physical registers, as LLVM's MachineFunction.
//
// A Function owns flat arenas: instructions, operands, blocks, virtual
// registers, memory operands. Rows are named by 32-bit ids (InstrID, OpID,
// BlockID; 0 is none) and hold no pointers, so that a garbage collection does
// not walk them; a test keeps it so. The arenas are private: who edits, edits
// through methods, and tables beside them are sized by NumInstrIDs,
// NumBlockIDs and NumVRegs. The operands of an instruction are one contiguous
// run; register operands are linked into the use-def list of their register
// inside the operand itself (16 bytes in all).
//
// Instructions know their order (Before, OrderKey), edges their other end,
// operands their register's other operands. A Listener hears of every change
// and keeps what was computed about the code true. No count wraps: an arena
// that is full, or a number that a field cannot hold, is a panic, and readers
// ask before.
//
// What a body shares with its module is reached through tables of the
// function: the IR function it came from, the target's facts (desc.Info),
// symbols, constants. Data flows: codegen/globalisel creates generic
// instructions, the passes of codegen rewrite them, codegen/asmprinter turns
// them into mc instructions; mir/mirtext reads and prints any stage.
//
// Package mir imports ir and desc; never target.
package mir

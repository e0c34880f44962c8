package desc

// MVT is a machine value type, LLVM's number; constants are in zz_valuetypes.go.
type MVT uint16

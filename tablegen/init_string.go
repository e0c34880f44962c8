package tablegen

// String returns the value in source form.
func (x *IntInit) String() string { return string(x.AppendText(nil)) }

// String returns the value in source form.
func (x *BitInit) String() string { return string(x.AppendText(nil)) }

// String returns the value in source form.
func (x *BitsInit) String() string { return string(x.AppendText(nil)) }

// String returns the value in source form.
func (x *StringInit) String() string { return string(x.AppendText(nil)) }

// String returns the value in source form.
func (x *ListInit) String() string { return string(x.AppendText(nil)) }

// String returns the value in source form.
func (x *DagInit) String() string { return string(x.AppendText(nil)) }

// String returns the value in source form.
func (x *DefInit) String() string { return string(x.AppendText(nil)) }

// String returns the value in source form.
func (x *UnsetInit) String() string { return string(x.AppendText(nil)) }

// String returns the value in source form.
func (x *VarInit) String() string { return string(x.AppendText(nil)) }

// String returns the value in source form.
func (x *VarBitInit) String() string { return string(x.AppendText(nil)) }

// String returns the value in source form.
func (x *FieldInit) String() string { return string(x.AppendText(nil)) }

// String returns the value in source form.
func (x *OpInit) String() string { return string(x.AppendText(nil)) }

// String returns the value in source form.
func (x *ClassInit) String() string { return string(x.AppendText(nil)) }

// String returns the value in source form.
func (x *AnonNameInit) String() string { return string(x.AppendText(nil)) }

package tablegen

// AppendText appends the value in source form.
func (x *IntInit) AppendText(b []byte) []byte { return b }

// AppendText appends the value in source form.
func (x *BitInit) AppendText(b []byte) []byte { return b }

// AppendText appends the value in source form.
func (x *BitsInit) AppendText(b []byte) []byte { return b }

// AppendText appends the value in source form.
func (x *StringInit) AppendText(b []byte) []byte { return b }

// AppendText appends the value in source form.
func (x *ListInit) AppendText(b []byte) []byte { return b }

// AppendText appends the value in source form.
func (x *DagInit) AppendText(b []byte) []byte { return b }

// AppendText appends the value in source form.
func (x *DefInit) AppendText(b []byte) []byte { return b }

// AppendText appends the value in source form.
func (x *UnsetInit) AppendText(b []byte) []byte { return b }

// AppendText appends the value in source form.
func (x *VarInit) AppendText(b []byte) []byte { return b }

// AppendText appends the value in source form.
func (x *VarBitInit) AppendText(b []byte) []byte { return b }

// AppendText appends the value in source form.
func (x *FieldInit) AppendText(b []byte) []byte { return b }

// AppendText appends the value in source form.
func (x *OpInit) AppendText(b []byte) []byte { return b }

// AppendText appends the value in source form.
func (x *ClassInit) AppendText(b []byte) []byte { return b }

// AppendText appends the value in source form.
func (x *AnonNameInit) AppendText(b []byte) []byte { return b }

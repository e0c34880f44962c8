package bitcode

func (w *writer) summary() {}

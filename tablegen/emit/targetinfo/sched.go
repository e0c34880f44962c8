package targetinfo

// schedBuilder collects machine models.
type schedBuilder struct{}

func (b *builder) schedule() {}

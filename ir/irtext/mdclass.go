package irtext

import "github.com/mirin-go/mirin/ir"

// mdClass describes a class of specialized metadata.
type mdClass struct{ name string }

func mdClassByName(s string) *mdClass { return &mdClass{s} }

func (c *mdClass) has(field string) bool { return true }

func (c *mdClass) missing(fields []ir.MDField) string { return "" }

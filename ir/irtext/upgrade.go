package irtext

import (
	"github.com/mirin-go/mirin/ir"
	"github.com/mirin-go/mirin/ir/autoupgrade"
)

// upgradeLayout returns the data layout that LLVM 22 makes of an older one;
// where that is not a valid layout, the old one.
func upgradeLayout(dl, triple string) string {
	up := autoupgrade.DataLayout(dl, triple)
	if _, err := ir.ParseDataLayout(up); err != nil {
		return dl
	}
	return up
}

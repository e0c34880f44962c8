package main

import (
	"os"

	"github.com/mirin-go/mirin/tablegen"
	"github.com/mirin-go/mirin/tablegen/emit/searchable"
)

// genGoSearchable writes the searchable tables of the records as Go.
func genGoSearchable(o *tblgenOptions, rs *tablegen.Records, _ string) ([]byte, error) {
	t, err := searchable.Collect(rs)
	if err != nil {
		return nil, err
	}
	return searchable.AppendGo(nil, rs, t, o.goPackage)
}

// readIncluded reads a file. The classes of our generators, mirin/NAME.td, are
// built in; a file of that name comes first.
func readIncluded(p string) ([]byte, error) {
	b, err := os.ReadFile(p)
	if err == nil {
		return b, nil
	}
	switch p {
	case "mirin/SearchableTable.td":
		return []byte(searchable.Prelude), nil
	}
	return nil, err
}

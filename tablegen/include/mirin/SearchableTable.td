// Tables that a generated program searches; docs/tablegen/searchable-tables.md.
// llvm/TableGen/SearchableTable.td declares the same and may be included instead.

#ifndef MIRIN_SEARCHABLE_TABLE_TD
#define MIRIN_SEARCHABLE_TABLE_TD

// An enumeration of the records of a class.
class GenericEnum {
  string FilterClass;         // the class
  string NameField;           // field with the name of a constant; else the record's name
  string ValueField;          // field with its number; else 0, 1, … in the order of names
}

// A table of the records of a class.
class GenericTable {
  string FilterClass;         // the class
  string FilterClassField = ?; // a bit field: only records where it is set
  string CppTypeName = FilterClass; // type of a row
  list<string> Fields;        // the columns
  list<string> PrimaryKey;    // the rows are ordered by these
  string PrimaryKeyName;      // the function that finds a row by them
  bit PrimaryKeyEarlyOut = false;
  bit PrimaryKeyReturnRange = false; // it returns all rows of a key
}

// One more way to search a table; the record's name is the function's.
class SearchIndex {
  GenericTable Table;
  list<string> Key;
  bit EarlyOut = false;       // compare with the least and the greatest first
}

// The older form: enumeration, table and lookups of the classes below.
class SearchableTable {
  list<string> SearchableFields;
  string EnumNameField = "Name";
  string EnumValueField;
}

#endif

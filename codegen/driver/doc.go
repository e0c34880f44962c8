// Package driver takes functions through a pipeline, several at a time: each
// worker has a pass.Context and reuses machine functions; results come back in
// the module's order, whatever the number of workers, so that output is the
// same for every -j.
package driver

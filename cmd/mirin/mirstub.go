package main

import "io"

func mirUpgradeMain(args []string, stdin io.Reader, stdout, stderr io.Writer) int { return 2 }
func mirStatsMain(args []string, stdin io.Reader, stdout, stderr io.Writer) int   { return 2 }

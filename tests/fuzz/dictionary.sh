#!/bin/sh
# SPDX-License-Identifier: MIT
# Prints the dictionary of a fuzz target, if it has one:
# `dictionary.sh fuzz-NAME`.
case $1 in
fuzz-directory | fuzz-features | fuzz-jitdump | fuzz-merge | fuzz-pipe | \
	fuzz-reader | fuzz-redact | fuzz-repair | fuzz-report | fuzz-rewrite | \
	fuzz-sample | fuzz-sql)
	dict=capture
	;;
fuzz-cfi | fuzz-dwarf | fuzz-elf | fuzz-gotab)
	dict=elf
	;;
fuzz-demangle | fuzz-formats | fuzz-kallsyms | fuzz-perfmap | fuzz-tracing)
	dict=text
	;;
fuzz-bundle | fuzz-inflate | fuzz-parquet | fuzz-snapshot)
	dict=table
	;;
*)
	exit 0
	;;
esac
echo "$(dirname "$0")/dict/$dict.dict"

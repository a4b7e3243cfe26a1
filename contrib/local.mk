# For hosts without coldperf.
dist_pkgdata_SCRIPTS = %D%/coldperf-capture.sh
EXTRA_DIST += %D%/pre-commit
# The project's files for OSS-Fuzz; `check.sh --fuzz` builds with them.
EXTRA_DIST += %D%/oss-fuzz/Dockerfile %D%/oss-fuzz/build.sh \
	%D%/oss-fuzz/project.yaml
# One program for any Linux.
EXTRA_DIST += %D%/static/build.sh
# dpkg-buildpackage -b makes a package for Debian.
EXTRA_DIST += debian/changelog debian/coldperf.lintian-overrides \
	debian/control debian/copyright debian/rules debian/source/format \
	debian/source/lintian-overrides
# An image with that program; a flake for Nix.
EXTRA_DIST += .dockerignore flake.nix %D%/container/Dockerfile
# rpmbuild -ta makes packages of the archive of a release.
EXTRA_DIST += %D%/rpm/coldperf.spec
# A formula for Homebrew on Linux.
EXTRA_DIST += %D%/homebrew/coldperf.rb
# Many captures of many hosts: docs/FLEET.md.
EXTRA_DIST += %D%/fleet/demo.sh %D%/fleet/engine.py %D%/fleet/map.py \
	%D%/fleet/rename-host.py %D%/fleet/sums.py \
	%D%/fleet/clickhouse/ingest.sql %D%/fleet/clickhouse/queries.sql \
	%D%/fleet/clickhouse/schema.sql %D%/fleet/duckdb/queries.sql \
	%D%/fleet/duckdb/reduce.sql %D%/fleet/spark/reduce.py
# The tables of docs/SQL.md, for DuckDB.
EXTRA_DIST += %D%/duckdb/tables.sql
# Gates of continuous integration, by coldperf run.
EXTRA_DIST += %D%/ci/github.yml %D%/ci/gitlab.yml

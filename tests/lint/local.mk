# Lint: the form of the sources, as tests.  Sanitizers would see nothing there.
lint_tests = %D%/layers.t %D%/circles.t %D%/format.t %D%/headers.t %D%/source.t %D%/registry.t \
	%D%/deps.t %D%/diagnostics.t %D%/corpus.t %D%/shell.t
dist_check_SCRIPTS += $(lint_tests)
if !SANITIZED
TESTS += $(lint_tests)
endif
# Needs headers that are fetched: see below.
dist_check_SCRIPTS += %D%/darwin.t
plain_tests += %D%/darwin.t
EXTRA_DIST += %D%/source.py %D%/rooms.py tests/tap.py tests/coverage.py

# The headers of macOS, out of the package of a compiler that carries them; the
# test skips without.
darwin-headers:
	$(MKDIR_P) %D%
	cd %D% && python3 -m pip download -q --no-deps --only-binary :all: \
		-d wheel ziglang==0.17.1 && \
	python3 -c 'import glob, zipfile; \
		z = zipfile.ZipFile(glob.glob("wheel/*.whl")[0]); \
		z.extractall("wheel", [n for n in z.namelist() \
			if "/any-darwin-any/" in n])' && \
	rm -rf darwin && \
	mv wheel/ziglang/lib/libc/include/any-darwin-any darwin && \
	rm -rf wheel
.PHONY: darwin-headers

# Lint: the form of the sources, as tests.  Sanitizers would see nothing there.
lint_tests = %D%/layers.t %D%/circles.t %D%/format.t %D%/headers.t %D%/source.t %D%/registry.t \
	%D%/deps.t %D%/diagnostics.t %D%/corpus.t %D%/shell.t
dist_check_SCRIPTS += $(lint_tests)
if !SANITIZED
TESTS += $(lint_tests)
endif
EXTRA_DIST += %D%/source.py %D%/rooms.py tests/tap.py tests/coverage.py

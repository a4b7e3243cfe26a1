# The program as a whole.
cli_tests = %D%/cli.t %D%/golden.t %D%/plugin.t %D%/debuginfod.t \
	%D%/jitdump.t %D%/check.t %D%/formats.t %D%/sandbox.t %D%/stacks.t \
	%D%/payload.t
words_tests = %D%/names.t %D%/output.t %D%/weight.t %D%/annotate.t \
	%D%/completion.t %D%/habits.t %D%/ways.t %D%/progress.t %D%/jobs.t \
	%D%/advice.t %D%/idle.t %D%/cgroups.t %D%/palette.t %D%/title.t %D%/series.t
plain_tests += $(words_tests)
EXTRA_DIST += %D%/shared/arm/report.text %D%/shared/group/report.text \
	%D%/shared/lbr/report.text %D%/shared/mem/report.text \
	%D%/shared/offcpu/report.text %D%/shared/throttled/report.text
EXTRA_DIST += %D%/widths/c.script %D%/widths/c.text %D%/widths/cpp.script \
	%D%/widths/cpp.text %D%/widths/go.script %D%/widths/go.text \
	%D%/widths/java.script %D%/widths/java.text %D%/widths/kernel.script \
	%D%/widths/kernel.text %D%/widths/node.script %D%/widths/node.text \
	%D%/widths/python.script %D%/widths/python.text %D%/widths/rust.script \
	%D%/widths/rust.text %D%/widths/good-fp.text %D%/widths/good-sched.text \
	%D%/widths/good-waits.text %D%/widths/languages.text
# Sums and words of each capture by many selections: once, without sanitizers.
plain_cli_tests = %D%/filters.t %D%/import.t %D%/sql.t %D%/memory.t %D%/merge.t %D%/typed.t \
	%D%/widths.t
dist_check_SCRIPTS += $(cli_tests) $(words_tests) $(plain_cli_tests)
TESTS += $(cli_tests)
if !SANITIZED
TESTS += $(plain_cli_tests)
endif

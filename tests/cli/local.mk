# The program as a whole.
cli_tests = %D%/cli.t %D%/golden.t %D%/memory.t %D%/names.t \
	%D%/output.t %D%/plugin.t %D%/debuginfod.t %D%/jitdump.t %D%/weight.t %D%/annotate.t \
	%D%/check.t %D%/completion.t %D%/habits.t %D%/formats.t %D%/ways.t \
	%D%/progress.t %D%/jobs.t %D%/sandbox.t %D%/stacks.t \
	%D%/merge.t %D%/idle.t %D%/cgroups.t %D%/palette.t %D%/title.t \
	%D%/typed.t %D%/widths.t
EXTRA_DIST += %D%/shared/arm/report.text %D%/shared/group/report.text \
	%D%/shared/lbr/report.text %D%/shared/mem/report.text \
	%D%/shared/offcpu/report.text %D%/shared/throttled/report.text
EXTRA_DIST += %D%/widths/good-cpi.text %D%/widths/good-fp.text \
	%D%/widths/good-hybrid.text %D%/widths/good-jitdump.text \
	%D%/widths/good-mem.text %D%/widths/good-sched.text \
	%D%/widths/good-waits.text %D%/widths/languages.text
# Sums of each capture by many selections, counted by hand.
sum_tests = %D%/filters.t %D%/sql.t
dist_check_SCRIPTS += $(cli_tests) $(sum_tests)
TESTS += $(cli_tests)
if !SANITIZED
TESTS += $(sum_tests)
endif

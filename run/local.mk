coldperf_SOURCES += \
	%D%/api.c %D%/api.h %D%/bare-event.c %D%/bare-event.h \
	%D%/callchains.c %D%/cgroups.c %D%/choice.c %D%/choice.h %D%/collect.c \
	%D%/event-name.c %D%/flaws.c %D%/formats.c \
	%D%/functions.c \
	%D%/inlining.c %D%/instructions.c %D%/intervals.c %D%/intervals.h %D%/jitdump.c \
	%D%/kept-samples.c %D%/label.c %D%/listing.c %D%/max-stack.c \
	%D%/meaning.c %D%/moment.c %D%/moment.h %D%/naming.c %D%/options.h \
	%D%/origins.c %D%/origins-time.c %D%/payload.c %D%/payload-filter.c %D%/redact.c %D%/run.c \
	%D%/sample-fields.c \
	%D%/sideband.c %D%/spans.c %D%/tables.c %D%/tables-code.c %D%/tables-events.c \
	%D%/tables-learn.c %D%/tables-rows.h %D%/tables-said.c \
	%D%/tables-shown.c %D%/weight.c
# Analyses, and so the tests of them alone, ask which event comes first.
libcoldperf_a_SOURCES += %D%/bare-event.c %D%/bare-event.h

coldperf_SOURCES += \
	%D%/api.c %D%/api.h %D%/callchains.c %D%/collect.c %D%/filter.c %D%/filter.h \
	%D%/inlining.c %D%/instructions.c %D%/jitdump.c %D%/kept-samples.c %D%/label.c \
	%D%/listing.c %D%/naming.c %D%/options.h %D%/run.c %D%/sample-fields.c \
	%D%/sideband.c %D%/weight.c

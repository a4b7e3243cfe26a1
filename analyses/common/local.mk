libcoldperf_a_SOURCES += \
	%D%/advice.c %D%/advice.def %D%/advice.h \
	%D%/call-paths.c %D%/call-paths.h %D%/call-sums.c %D%/call-sums.h \
	%D%/chance.c %D%/chance.h %D%/code-groups.c %D%/code-groups.h \
	%D%/data-source.c %D%/data-source.h \
	%D%/event.c %D%/event.h %D%/field-keys.c %D%/field-keys.h %D%/frame-label.c %D%/frame-label.h \
	%D%/hw-events.c %D%/hw-events.h %D%/label.c %D%/label.h \
	%D%/losses.c %D%/losses.h %D%/matched.c %D%/matched.h %D%/options.c %D%/options.h \
	%D%/parallel.c %D%/parallel.h \
	 %D%/ratio.c %D%/ratio.h \
	%D%/record-hint.c %D%/record-hint.h %D%/sample-groups.c \
	%D%/sample-groups.h %D%/slab.h %D%/slices.h %D%/stack-ends.c \
	%D%/stack-ends.h %D%/stack-tree.c %D%/stack-tree.h \
	%D%/syscall-names.c %D%/syscall-names.def %D%/syscall-names.h \
	%D%/time-buckets.c %D%/time-buckets.h %D%/tracepoint-fields.c \
	%D%/tracepoint-fields.h

libcoldperf_a_SOURCES += \
	%D%/feature.c %D%/feature.h %D%/repair.c %D%/repair.h \
	%D%/put.h %D%/repair-attrs.c %D%/repair-attrs.h \
	%D%/repair-check.c %D%/repair-check.h \
	%D%/repair-counter.c %D%/repair-counter.h \
	%D%/repair-format.c %D%/repair-format.h \
	%D%/repair-ids.c %D%/repair-ids.h \
	%D%/repair-nameless.c %D%/repair-nameless.h \
	%D%/repair-newer.c %D%/repair-newer.h \
	%D%/repair-odd.c %D%/repair-odd.h \
	%D%/repair-record.c %D%/repair-record.h \
	%D%/repair-features.c %D%/repair-features.h \
	%D%/repair-symbols.c %D%/repair-symbols.h %D%/repair-tracing.c \
	%D%/repair-tracing.h %D%/repair-user.c %D%/repair-user.h \
	%D%/repaired.h %D%/file.c %D%/file.h %D%/rewrite.c \
	%D%/rewrite.h %D%/writer.c %D%/writer.h

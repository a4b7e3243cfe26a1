libcoldperf_a_SOURCES += \
	%D%/feature.c %D%/feature.h %D%/repair.c %D%/repair.h \
	%D%/put.h %D%/repair-attrs.c \
	%D%/repair-check.c \
	%D%/repair-counter.c \
	%D%/repair-format.c \
	%D%/repair-ids.c \
	%D%/repair-nameless.c \
	%D%/repair-newer.c \
	%D%/repair-odd.c \
	%D%/repair-record.c \
	%D%/repair-features.c \
	%D%/repair-symbols.c %D%/repair-tracing.c \
	%D%/repair-user.c \
	%D%/repaired.h %D%/file.c %D%/rewrite.c \
	%D%/rewrite.h %D%/writer.c %D%/writer.h

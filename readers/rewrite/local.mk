libcoldperf_a_SOURCES += \
	%D%/feature.c %D%/feature.h %D%/file.c %D%/file.h %D%/rewrite.c \
	%D%/rewrite.h %D%/writer.c %D%/writer.h

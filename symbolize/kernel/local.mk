libcoldperf_a_SOURCES += \
	%D%/kallsyms-line.c %D%/kallsyms-line.h %D%/kallsyms.c \
	%D%/kallsyms.h %D%/running-kernel.c %D%/running-kernel.h

libcoldperf_a_SOURCES += \
	%D%/opinion.h %D%/rules.c %D%/rules.h %D%/stack-rules.c \
	%D%/stack-rules.h %D%/stacks.h
elfutils_sources = %D%/libdw.c %D%/libdw.h %D%/opinion.c %D%/stacks.c
no_elfutils_sources = %D%/none.c

libcoldperf_a_SOURCES += \
	%D%/libdw.c %D%/libdw.h %D%/opinion.c %D%/opinion.h \
	%D%/rules.c %D%/rules.h %D%/stack-rules.c %D%/stack-rules.h \
	%D%/stacks.c %D%/stacks.h

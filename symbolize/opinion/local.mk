libcoldperf_a_SOURCES += \
	%D%/opinion.h %D%/rules.c %D%/rules.h %D%/stack-rules.c \
	%D%/stack-rules.h %D%/stacks.h
if LIBDW
libcoldperf_a_SOURCES += \
	%D%/libdw.c %D%/libdw.h %D%/opinion.c %D%/stacks.c
else
libcoldperf_a_SOURCES += %D%/none.c
endif

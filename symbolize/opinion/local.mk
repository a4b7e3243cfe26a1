libcoldperf_a_SOURCES += \
	%D%/libdw.c %D%/libdw.h %D%/opinion.c %D%/opinion.h \
	%D%/rules.c %D%/rules.h

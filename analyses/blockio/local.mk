libcoldperf_a_SOURCES += \
	%D%/brief.c %D%/brief.h %D%/count.c %D%/count.h \
	%D%/device-times.c %D%/device-times.h \
	%D%/requests-in-flight.c %D%/requests-in-flight.h \
	%D%/tables.c %D%/tables.h

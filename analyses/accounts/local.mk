libcoldperf_a_SOURCES += \
	%D%/accounts.c %D%/accounts.def %D%/accounts.h %D%/table.c %D%/table.h \
	%D%/tellers.c %D%/tellers.h %D%/thresholds.def %D%/words.c %D%/words.h

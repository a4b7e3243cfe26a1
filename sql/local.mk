libcoldperf_a_SOURCES += \
	%D%/libsqlite.c %D%/libsqlite.h \
	%D%/answer.c %D%/data.c %D%/data.h %D%/values.h %D%/views.h %D%/database.c %D%/database.h %D%/module.c %D%/module.h %D%/paths.c \
	%D%/sql.h %D%/sums.c %D%/tables.c %D%/tables.h %D%/values.c %D%/views.c \
	%D%/vtab.c %D%/words.c %D%/words.h

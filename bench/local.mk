EXTRA_DIST += %D%/record-1m.sh %D%/workload.c

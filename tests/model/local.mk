# Tests of this folder; see tests/local.mk.
model_tests = %D%/order %D%/map %D%/stack %D%/session %D%/jit %D%/held %D%/contents
check_PROGRAMS += $(model_tests)
TESTS += $(model_tests)
%C%_contents_SOURCES = %D%/contents.c run/merge/contents.c run/merge/contents.h

# Tests of this folder; see tests/local.mk.

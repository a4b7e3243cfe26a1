# Tests of this folder; see tests/local.mk.
dist_check_SCRIPTS += %D%/flame.t
TESTS += %D%/flame.t
EXTRA_DIST += %D%/flame.js %D%/package.json %D%/package-lock.json %D%/.npmrc

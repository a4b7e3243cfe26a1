# Damaged captures; COUNT=1200 make check TESTS=tests/damage/damage.t for all.
dist_check_SCRIPTS += %D%/damage.t
TESTS += %D%/damage.t

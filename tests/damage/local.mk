# Damaged captures; COUNT=1200 make check TESTS=tests/damage/damage.t for all,
# FLIPS=0 for each bit of each size and each type of each sample.
damage_tests = %D%/block.t %D%/bomb.t %D%/counter.t \
	%D%/damage.t %D%/flip.t %D%/label.t %D%/mend.t %D%/missing-data.t \
	%D%/packed.t %D%/packed-type.t %D%/repair-user.t \
	%D%/silent.t %D%/sizes.t %D%/stray.t %D%/table.t %D%/types.t \
	%D%/unknown-id.t
# Many files each: by day with sanitizers, without them at night.
swept_tests = %D%/account.t %D%/header.t %D%/repair.t %D%/shift.t
dist_check_SCRIPTS += $(damage_tests) $(swept_tests)
TESTS += $(damage_tests)
if SANITIZED
TESTS += $(swept_tests)
else
nightly_tests += $(swept_tests)
endif
thorough_tests += %D%/damage.t %D%/repair.t %D%/shift.t %D%/sizes.t %D%/types.t

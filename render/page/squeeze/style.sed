# Short names for what only the style asks for: the script has the other colours.
s/--accent-paper\([):]\)/--p\1/g
s/--accent\([):]\)/--a\1/g
s/--dim\([):]\)/--d\1/g
s/--hot\([):]\)/--t\1/g
s/--hover\([):]\)/--h\1/g
s/--ink\([):]\)/--i\1/g
s/--line\([):]\)/--e\1/g
s/--mark\([):]\)/--k\1/g
s/--mono\([):]\)/--n\1/g
s/--panel\([):]\)/--q\1/g
s/--paper\([):]\)/--w\1/g
s/--rule\([):]\)/--r\1/g
s/--sans\([):]\)/--f\1/g

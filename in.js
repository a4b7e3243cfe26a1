let left = 400;
function tell(x, y) {
	if (left-- < 0) {
		throw 1;
	}
	LOG(typeof x === 'function' ? 'f' : x, y);
	return x;
}
function f0(a, b, c) {
	const v1 = 't' || (({ k: 't' }).k);
	if (({ k: null + 2 }).k) {
		do {
			for (let v2 = 0; v2 < 2; v2++) {
				return;
			}
		} while (0);
		tell(a);
	} else {
		if (!(['t', null][1])) {
			if ((v1 + null) && (2 || b)) {
				tell(['t' && 't', 0 ?? null][1]);
			} else {
				c += (tell(1, null)) && (b ?? c);
			}
			const v3 = (x = 1) => {
				a++;
			};
			tell(v3(1));
		} else if ([2 === c, 't'][0]) {
			if (tell(tell(2, 1), null === 't')) {
				c &&= ({ k: 't' }).k;
				tell(!null);
			}
		} else if (tell(!1, !a)) {
			switch ((({ k: 1 }).k) === (a ? v1 : c)) {
			case 0:
				return b || a;
				break;
			case 't':
				const v4 = c;
				break;
			default:
				tell((c || 0) && (tell(0, 0)));
			}
			for (let v5 = 0; v5 < 2; v5++) {
				b = v5;
				const v6 = !(({ k: v5 }).k);
				const v7 = [tell(null, a), 0 + a][0];
			}
		}
		for (const v8 of [1, 2]) {
			if ((({ k: null }).k) ?? (null ? a : 't')) {
				tell([v1 || v8, b][1]);
			} else {
				return null;
			}
			tell((2 + 't') === (tell(1, 0)));
		}
	}
}
function f1(a, b, c) {
	try {
		for (const v9 of [1, 2]) {
			if (2 ? (null || 1) : (0 === c)) {
				return (!0) && (2 ?? 1);
			}
			switch ((({ k: v9 }).k) ? a : c) {
			case 0: {
				const v10 = ({ k: 't' && 1 }).k;
				const v11 = v10;
				break;
			}
			case 't': {
				tell((tell(b, a)) === (!2));
				tell(2 && 't');
				break;
			}
			default:
				tell((0 === 0) + (b === 0));
			}
		}
		a ??= a;
		const v12 = !a;
	} catch (error) {
		if (({ k: c === null }).k) {
			if (b) {
				return;
				return (error && 1) ? a : 0;
			} else {
				a = (b === error) && (({ k: 't' }).k);
				b++;
			}
		} else if (tell(error + 1, 0)) {
			for (let v13 = 0; v13 < 2; v13++) {
				break;
			}
		} else {
			b++;
		}
	}
}
class K2 {
	draw(a, b, c) {
		if (b && (a + 0)) {
			const v14 = (tell(b, a)) || (2 || 't');
			return ({ k: ({ k: b }).k }).k;
		}
	}
}
const k2 = new K2();
try {
	tell(f0(0, 1, 2));
} catch (e) {
	LOG('E', String(e));
}
try {
	tell(f0(1, null, 't'));
} catch (e) {
	LOG('E', String(e));
}
try {
	tell(f0('t', 0, 0));
} catch (e) {
	LOG('E', String(e));
}
try {
	tell(f0(null, 1));
} catch (e) {
	LOG('E', String(e));
}
try {
	tell(f1(0, 1, 2));
} catch (e) {
	LOG('E', String(e));
}
try {
	tell(f1(1, null, 't'));
} catch (e) {
	LOG('E', String(e));
}
try {
	tell(f1('t', 0, 0));
} catch (e) {
	LOG('E', String(e));
}
try {
	tell(f1(null, 1));
} catch (e) {
	LOG('E', String(e));
}
try {
	tell(k2.draw(0, 1, 2));
} catch (e) {
	LOG('E', String(e));
}
try {
	tell(k2.draw(1, null, 't'));
} catch (e) {
	LOG('E', String(e));
}
try {
	tell(k2.draw('t', 0, 0));
} catch (e) {
	LOG('E', String(e));
}
try {
	tell(k2.draw(null, 1));
} catch (e) {
	LOG('E', String(e));
}

// The language and its library: regular expressions, JSON, exceptions (which are setjmp and longjmp), garbage.
"use strict";
var rounds = Number(scriptArgs[0] || 1);

// By characters: charCodeAt(i) takes a time like i.
function sum(text) {
	var a = 1, b = 0, i, list = text.split("");
	for (i = 0; i < list.length; ++i) {
		a = (a + list[i].charCodeAt(0)) % 65521;
		b = (b + a) % 65521;
	}
	return (b * 65536 + a).toString(16);
}

function random(seed) {
	return function (below) {
		seed = (seed * 69069 + 1) % 4294967296;
		return Math.floor(seed / 4294967296 * below);
	};
}

function tree(next, depth) {
	if (depth === 0)
		return { value: next(100), text: "leaf" + next(10) };
	return { left: tree(next, depth - 1), right: tree(next, depth - 1), list: [depth, null, true, depth / 3] };
}

function depth_of_recursion(n) {
	try {
		return depth_of_recursion(n + 1);
	} catch (error) {
		if (n % 16 === 0)
			throw error;
		return n;
	}
}

function fails(what) {
	try {
		return what();
	} catch (error) {
		return error.name;
	} finally {
		fails.times = (fails.times || 0) + 1;
	}
}

function words(next, n) {
	var list = [], i;
	for (i = 0; i < n; ++i)
		list.push(next(100000).toString(36));
	return list;
}

for (var round = 0; round < rounds; ++round) {
	var next = random(round + 7), list = words(next, 400);
	print("sorted", sum(list.sort().join()), sum(list.sort(function (a, b) {
		return b.length - a.length || (a < b ? 1 : -1);
	}).join(" ")));

	var text = JSON.stringify(tree(next, 6), null, " ");
	print("json", text.length, sum(text), JSON.stringify(JSON.parse(text)).length);

	print("regexp", text.replace(/"(\w+)": *(\d+)/g, function (all, name, number) {
		return number + name.toUpperCase();
	}).split(/[{},\s]+/).length, (text.match(/leaf(?=[357])\d/g) || []).length, /^(a+)+b/.test("aaaaaaaaaaaab"));

	print("fails", fails(function () { return null.x; }), fails(function () { return nothing; }),
		fails(function () { return JSON.parse("{1}"); }), fails(function () { return new RegExp("(").test(""); }),
		fails(function () { return decodeURI("%"); }), fails(function () { return [].reduce(sum); }),
		fails(function () { return eval("1 +"); }), fails.times);
	print("recursion", fails(function () { return depth_of_recursion(1) > 10; }));

	print("numbers", (0.1 + 0.2).toPrecision(17), 1e21 + 1, (123.456).toFixed(1), (255).toString(2), -0 === 0,
		parseInt("0x1f"), Math.sqrt(2), Math.pow(2, -1074), Math.atan2(1, -1), 7 % -3, 1 << 33, -1 >>> 28);
	print("dates", new Date(86400000 * 11016).toISOString(), Date.UTC(1999, 11, 31), Date.parse("1970-01-02"));
	print("strings", encodeURIComponent("\u00e4\u20ac/"), "x\u00c4y".toLowerCase().length,
		"a-b-c".split("-", 2), "abc".slice(-2), " x ".trim() + "|");

	var garbage = {}, i;
	for (i = 0; i < 3000; ++i)
		garbage["k" + i % 97] = { i: i, before: i % 50 ? garbage["k" + (i + 1) % 97] : null };
	gc();
	print("objects", Object.keys(garbage).length, Object.keys(garbage).sort().slice(0, 3));

	var counters = [1, 2, 3].map(function (by) {
		var n = 0;
		return { get next() { n += by; return n; }, set next(value) { n = value; } };
	});
	counters[1].next = 40;
	print("closures", counters.map(function (c) { return c.next + c.next; }).join());
}

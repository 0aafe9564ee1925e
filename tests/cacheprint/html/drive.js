"use strict";
/* Put into a copy of a report by cacheprint_html.t.sh: plays the user and leaves TAP in <pre id=tap>.
 * KIND is set before it: which report it is. */
const tap = [];
let count = 0;
const ok = (good, name, detail) => {
	tap.push(`${good ? "ok" : "not ok"} ${++count} - ${KIND}: ${name}`);
	if (!good && detail !== undefined) tap.push("# " + String(detail).slice(0, 300));
};
const is = (got, want, name) => ok(got === want, name, `got ${got}, not ${want}`);
const one = (selector) => document.querySelector(selector);
const all = (selector) => [...document.querySelectorAll(selector)];
const pause = () => new Promise((done) => setTimeout(done, 0));
const cellText = (row, head) => {
	const heads = all("#functions th button").map((b) => b.textContent);
	return row.children[heads.indexOf(head)].textContent;
};
const press = (key, target = document.body) =>
	target.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
const type = (text) => {
	one("#find").value = text;
	one("#find").dispatchEvent(new Event("input", { bubbles: true }));
};
const choose = (name) => {
	const option = all("#event option").find((o) => o.textContent.split(" - ")[0] === name);
	one("#event").value = option.value;
	one("#event").dispatchEvent(new Event("change", { bubbles: true }));
};
async function go(hash) {
	location.hash = hash;
	await pause();
	await pause();
}
const numbers = (head) => all("#functions tbody tr").map((r) => Number(cellText(r, head).replace(/[,%]/g, "")));
const descends = (list) => list.every((v, i) => i === 0 || list[i - 1] >= v);

const parts = {
	async small() {
		is(document.title, "cacheprof: ./traverse", "the title is the command");
		ok(one("#facts").textContent.includes("32768 B, 32 B, 2-way associative"), "the caches are told");
		ok(one("#levels").textContent.includes("56.25%"), "rates are those of the text report");
		is(all("#functions tbody tr").length, 3, "all functions are there");
		is(cellText(all("#functions tbody tr")[0], "D1m"), "1,048,577", "sorted by misses");
		is(cellText(all("#functions tbody tr")[0], "%"), "88.89%", "share");
		is(cellText(all("#functions tbody tr")[1], "cum-%"), "100.0%", "cumulative share");
		choose("Dr");
		is(cellText(all("#functions tbody tr")[0], "Dr"), "2", "another event: sorted by it");
		ok(one("#bars .who").textContent.startsWith("main"), "another event: bars");
		choose("D1m");
		const link = all("#functions a").find((a) => a.textContent === "rmTraverse");
		await go(link.getAttribute("href"));
		ok(one("#overview").hidden && !one("#source").hidden, "a function's link opens its source");
		ok(one(".l.target").textContent.includes("15"), "... at its first line", one(".l.target").textContent);
		press("n");
		ok(one(".l.target").textContent.includes("arr[i][j] = i + j"), "n: the first hot line");
		press("n");
		ok(one(".l.target").textContent.includes("arr[j][i] = i + j"), "n: the next hot line");
		press("p");
		ok(one(".l.target").textContent.includes("arr[i][j] = i + j"), "p: the one before");
		const hot = all(".l").find((l) => l.textContent.includes("arr[j][i]"));
		ok(hot.querySelector(".hot"), "a hot line has colour");
		is(hot.textContent.replace(/\s+/g, " ").trim(), "2,097,152 1,048,576 1,048,576 0 100.0% 18 arr[j][i] = i + j;", "its numbers");
		press("Escape");
		await pause(); await pause();
		ok(!one("#overview").hidden, "Escape goes back");
	},
	async odd() {
		ok(!window.hacked, "nothing of the profile was run");
		is(all("#functions tbody tr").length, 4, "all functions are there");
		ok(one("#functions").textContent.includes("<\/script><script>"), "markup is text");
		is(all("script").length, 3, "and made no script");
		await go("#s0");
		ok(one("#source h2").textContent.startsWith("src/odd, \"name\".c"), "odd names", one("#source h2").textContent);
	},
	async diff() {
		ok(one("#totals").textContent.includes("-983,038"), "changes of the totals");
		const first = all("#functions tbody tr")[0];
		is(cellText(first, "change"), "-983,039", "the largest change first");
		is(cellText(first, "D1m before"), "1,048,577", "before");
		is(cellText(first, "after"), "65,538", "after");
		await go(first.querySelector("a").getAttribute("href"));
		const removed = one(".l.del"), added = all(".l.add").find((l) => l.textContent.includes("i * j"));
		ok(removed && removed.textContent.includes("-1,048,576"), "a removed line", removed && removed.textContent);
		ok(added && added.textContent.includes("+65,537"), "an added line", added && added.textContent);
		ok(all(".l").some((l) => /\+0|\s0\s.*for \(i = 0/.test(l.textContent)), "lines moved are the same lines");
	},
	async partial() {
		ok(one("#levels").textContent.includes("instructions-1---"), "a rate of what was not counted");
		is(all("#functions tbody tr").length, 1, "and all that comes behind it");
	},
	async once() {
		is(all("#totals tr").find((r) => r.firstChild.textContent === "D1mw%").children[3].textContent, "-", "a rate of nothing has not changed");
		await go("#s0");
		ok(!one(".l.del") && !one(".l.add"), "a file that only one of the runs came to is as it was");
		ok(one(".l").textContent.includes("<lines unknown>"), "and so is what has no line", one(".l").textContent);
	},
	async large() {
		const time = (name, limit, work) => {
			const start = performance.now();
			work();
			document.body.offsetHeight; /* lay out, too */
			const took = performance.now() - start;
			ok(took < limit, `${name} in less than ${limit} ms`, took);
			tap.push(`# ${name}: ${took.toFixed(0)} ms`);
		};
		is(all("#functions tbody tr").length, 300, "a long table begins short");
		time("sorting 20,000 functions", 1000, () => all("#functions th button").find((b) => b.textContent === "Ir").click());
		ok(descends(numbers("Ir")), "sorted by Ir");
		is(one("#functions th[aria-sort]").getAttribute("aria-sort"), "descending", "... which is said");
		all("#functions th button").find((b) => b.textContent === "Ir").click();
		ok(!descends(numbers("Ir")), "and the other way");
		time("switching the event", 1000, () => choose("Dw"));
		ok(descends(numbers("Dw")), "sorted by Dw");
		time("searching", 1000, () => type("function_19_7"));
		ok(all("#functions tbody tr").every((r) => r.textContent.includes("function_19_7")), "what is found");
		is(one("#functions-count").textContent, "11 of 20,000", "... and how many");
		type("no such thing");
		is(all("#functions tbody tr").length, 0, "nothing is found");
		press("Escape", one("#find"));
		is(all("#functions tbody tr").length, 300, "Escape: all again");
		time("showing more", 2000, () => one("#functions .more").click());
		is(all("#functions tbody tr").length, 1300, "more are shown");
		let index = data0.files.findIndex((f) => f.n.endsWith("long.c"));
		const start = performance.now();
		await go(`#s${index}:9000`);
		document.body.offsetHeight;
		const took = performance.now() - start;
		tap.push(`# a source of 10,000 lines: ${took.toFixed(0)} ms`);
		ok(took < 1000, "a source of 10,000 lines opens in less than a second", took);
		is(all(".l").filter((l) => l.id).length, 10000, "all its lines are there");
		const box = one(".l.target").getBoundingClientRect();
		ok(box.top >= 0 && box.bottom <= innerHeight, "the line asked for is in view", `${box.top} ${box.bottom}`);
		const names = one("#source .heads").getBoundingClientRect();
		ok(names.top >= one("header").getBoundingClientRect().bottom - 1 && names.bottom <= box.top,
			"the names of the columns stay in view", `${names.top} ${names.bottom}`);
	},
	async names() {
		const rows = all("#functions tbody td.name"), bars = all("#bars .who");
		is(rows[0].textContent, "std::vector<...>::push_back(std::__cxx11::basic_string<...> const&) (v.h)", "a long name is shortened");
		is(rows[1].textContent, "std::vector<...>::push_back(std::__cxx11::basic_string<...>&&) (w.h)", "... and so is the next");
		ok(rows.every((r) => r.scrollWidth <= r.clientWidth), "names are not cut off in the table");
		is(bars[0].textContent, rows[0].textContent, "bars have the same");
		ok(rows[0].title.startsWith("std::vector<std::__cxx11::basic_string<char, "), "the whole name is shown where one points", rows[0].title);
		is(bars[0].title, rows[0].title, "... also of a bar");
		type("char_traits<char>");
		is(all("#functions tbody tr").length, 2, "the whole name is found");
	},
};
let data0 = null;
addEventListener("load", async () => {
	try {
		data0 = JSON.parse(one("#data").textContent);
		await parts[KIND]();
	} catch (error) {
		ok(false, "no exception", error.stack);
	}
	const pre = document.createElement("pre");
	pre.id = "tap";
	pre.textContent = "\nTAP\n" + tap.join("\n") + "\nEND\n";
	document.body.replaceChildren(pre);
});

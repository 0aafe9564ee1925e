"use strict";
/* Shows the data that cacheprint put into this page. All text goes through textContent or esc(). */
(() => {
const data = JSON.parse(document.getElementById("data").textContent);
const $ = (id) => document.getElementById(id);
const HTML = { "&": "&amp;", "<": "&lt;", ">": "&gt;", "\"": "&quot;", "'": "&#39;" };
const esc = (s) => String(s).replace(/[&<>"']/g, (c) => HTML[c]);
const zero = data.totals.map(() => 0);
const compares = data.before !== null;
const ROWS = 300, MORE = 1000, LINES = 200, BARS = 12;
data.files.forEach((f, i) => { f.index = i; });
const state = { event: data.sort, columns: new Set(data.shown), find: "", rows: { functions: ROWS, files: ROWS },
	order: { functions: null, files: null } };

/* ---- numbers ---- */

/* The value of a column: its formula in postfix notation, numbers being indices of counts. */
function value(column, counts) {
	const stack = [];
	for (const item of column.rpn) {
		if (typeof item === "number") { stack.push(Number(counts[item])); continue; }
		if (Array.isArray(item)) { stack.push(item[0]); continue; }
		const b = stack.pop(), a = stack.pop();
		stack.push(item === "+" ? a + b : item === "-" ? a - b : item === "*" ? a * b :
			b === 0 ? NaN : a / b);
	}
	return stack[0];
}

const commas = (digits) => digits.replace(/\B(?=(\d{3})+$)/g, ",");

function number(column, v) {
	if (Number.isNaN(v)) return "-";
	if (column.percent) return percent(v * 100);
	const sign = v < 0 ? "-" : "", size = Math.abs(v);
	if (column.whole) return sign + commas(BigInt(Math.round(size)).toString());
	const [whole, rest] = size.toFixed(2).split(".");
	return sign + commas(whole) + "." + rest;
}

/* Events themselves are exact beyond 2^53: they come as texts then. */
function exact(column, counts) {
	if (column.rpn.length === 1 && typeof counts[column.rpn[0]] === "string")
		return commas(counts[column.rpn[0]]);
	return number(column, value(column, counts));
}

function percent(p) {
	if (!Number.isFinite(p)) return "-";
	return (p > -9.995 && p < 99.995 ? p.toFixed(2) : p.toFixed(1)) + "%";
}

/* What a rate of nothing has changed by is unknown; a line that only one side has begins or ends at no rate. */
const change = (column, item) => {
	const a = value(column, item.b || zero), b = value(column, item.t || zero);
	return item.bare ? (Number.isNaN(b) ? 0 : b) - (Number.isNaN(a) ? 0 : a) : b - a;
};
const lineItem = (t, b) => ({ t: t || zero, b: b || zero, bare: true });
const signed = (column, v) => (v > 0 ? "+" : "") + number(column, v);

/* What tables and bars are about: the value, or in a comparison the change. */
const figure = (column, item) => compares ? change(column, item) : value(column, item.t);
const shown = (column, item) => compares ? signed(column, change(column, item)) : exact(column, item.t);
const whole = (column) => value(column, compares ? data.before : data.totals);

function heat(column, v) {
	if (!column.shares || !v) return "";
	const share = Math.abs(v / whole(column));
	if (!(share >= 0.0005)) return "";
	return ` class="${v < 0 ? "cool" : "hot"}" style="--a:${Math.min(0.75, 0.75 * Math.sqrt(share)).toFixed(3)}"`;
}

const current = () => data.columns[state.event];
const columns = () => data.columns.filter((c, i) => state.columns.has(i) || i === state.event);

/* ---- small pieces ---- */

function table(heads, rows) {
	return `<table><thead><tr>${heads.map((h, i) => `<th scope="col"${i ? (h === "meaning" ? " class=\"words\"" : "") : " class=\"name\""}>${esc(h)}</th>`).join("")}</tr></thead>` +
		`<tbody>${rows.map((r) => `<tr>${r.map((c, i) => `<td${i ? (heads[i] === "meaning" ? " class=\"words\"" : "") : " class=\"name\""}>${esc(c)}</td>`).join("")}</tr>`).join("")}</tbody></table>`;
}

const find = (name) => data.columns.find((c) => c.name === name);

function facts() {
	const rows = [];
	data.profiles.forEach((p, i) => {
		const side = compares ? (i ? "After: " : "Before: ") : "";
		rows.push([side + "Profile", p.path], ["Command", p.command]);
		for (const [key, text] of p.descriptions)
			if (!key.startsWith("refs ")) rows.push([key, text]);
	});
	$("facts").innerHTML = rows.map(([k, v]) => `<dt>${esc(k)}</dt><dd>${esc(v)}</dd>`).join("");
	$("title").textContent = "cacheprof: " + data.profiles[data.profiles.length - 1].command;
	document.title = $("title").textContent;
	$("generator").textContent = data.generator;
}

/* References, misses and rates, as at the end of a run. */
function levels() {
	const rows = [["instructions", "Ir", "I1mr", "ILmr"], ["data", "Refs", "D1m", "DLm"],
		["data reads", "Dr", "D1mr", "DLmr"], ["data writes", "Dw", "D1mw", "DLmw"],
		["all", "AllRefs", "L1m", "LLm"]];
	if (compares || !find("Refs") || !find("D1m")) return;
	const cell = (name) => { const c = find(name); return c ? exact(c, data.totals) : "-"; };
	const rate = (part, all) => find(part) && find(all) ? percent(100 * value(find(part), data.totals) / value(find(all), data.totals)) : "-";
	$("levels").innerHTML = table(["", "references", "L1 misses", "rate", "LL misses", "rate"],
		rows.map(([label, refs, l1, ll]) => [label, cell(refs), cell(l1), rate(l1, refs), cell(ll), rate(ll, refs)])) +
		"<p class=\"note\">L1 is I1 for instructions and D1 for data. All rates are misses per reference of the row.</p>";
}

function totals() {
	if (!compares) {
		$("totals").innerHTML = table(["event", "count", "meaning"],
			data.columns.filter((c) => c.rpn.length === 1).map((c) => [c.name, exact(c, data.totals), c.meaning || ""]));
		return;
	}
	const item = { t: data.totals, b: data.before };
	$("totals").innerHTML = table(["event", "before", "after", "change", "%"], data.columns.map((c) =>
		[c.name, exact(c, data.before), exact(c, data.totals), signed(c, change(c, item)),
			c.percent ? "" : percent(100 * change(c, item) / value(c, data.before))]));
}

const matches = (text) => text.toLowerCase().includes(state.find);

function link(f, line) {
	return data.files[f].embedded ? `#s${f}${line ? ":" + line : ""}` : null;
}

/* A long name of a function comes with a shorter one. */
const brief = (item) => item.s || item.n;

function named(item) {
	const file = item.f === undefined ? item : data.files[item.f];
	const target = item.f === undefined ? link(item.index) : link(item.f, item.line);
	const name = esc(item.f === undefined ? item.n : brief(item) || "(no name)");
	const where = item.f === undefined ? "" : ` <small>(${esc(file.l)})</small>`;
	return (target ? `<a href="${target}">${name}</a>` : name) + where;
}

function bars() {
	const column = current();
	document.querySelectorAll(".event").forEach((e) => { e.textContent = column.name; });
	const items = data.functions.filter((f) => matches(f.n + " " + data.files[f.f].n))
		.map((f) => [f, figure(column, f)]).filter(([, v]) => v && Number.isFinite(v))
		.sort((a, b) => Math.abs(b[1]) - Math.abs(a[1])).slice(0, BARS);
	const most = items.length ? Math.abs(items[0][1]) : 1;
	$("bars").innerHTML = items.map(([f, v]) =>
		`<span class="who" title="${esc(f.n)}">${named(f)}</span>` +
		`<span class="bar${v < 0 ? " less" : ""}" style="width:${(100 * Math.abs(v) / most).toFixed(2)}%"></span>` +
		`<span class="much">${compares ? signed(column, v) : number(column, v)}` +
		`${column.shares ? " &middot; " + percent(100 * v / whole(column)) : ""}</span>`).join("") ||
		"<span class=\"note\">nowhere</span>";
}

/* ---- the sortable tables ---- */

/* A column of a table: what it is called, what it sorts by, what it prints. */
function cells(kind) {
	const list = [];
	for (const c of columns()) {
		const main = c === current();
		if (compares && main) {
			list.push({ head: c.name + " before", key: (x) => value(c, x.b || zero), html: (x) => `<td>${exact(c, x.b || zero)}</td>` });
			list.push({ head: "after", key: (x) => value(c, x.t), html: (x) => `<td>${exact(c, x.t)}</td>` });
		}
		const key = (x) => Math.abs(figure(c, x));
		list.push({ head: compares ? (main ? "change" : c.name) : c.name, main, key,
			html: (x) => `<td${heat(c, figure(c, x))}>${shown(c, x)}</td>` });
		if (main && c.shares) {
			list.push({ head: "%", key, html: (x) => `<td>${percent(100 * figure(c, x) / whole(c))}</td>` });
			if (!compares)
				list.push({ head: "cum-%", key, html: (x, sum) => `<td>${percent(100 * sum / whole(c))}</td>` });
		}
	}
	list.push({ head: kind === "files" ? "file" : "function (file)", name: true, key: (x) => x.n,
		html: (x) => `<td class="name" title="${esc(x.n)}">${named(x)}</td>` });
	return list;
}

function sorted(items, cell, down) {
	const keyed = items.map((x) => [x, cell.key(x)]);
	const order = (a, b) => cell.name ? (a < b ? -1 : a > b ? 1 : 0) :
		Number.isNaN(a) ? (Number.isNaN(b) ? 0 : -1) : Number.isNaN(b) ? 1 : a - b;
	keyed.sort((a, b) => (down ? -order(a[1], b[1]) : order(a[1], b[1])) || (a[0].n < b[0].n ? -1 : 1));
	return keyed.map((k) => k[0]);
}

function showTable(kind) {
	const list = cells(kind);
	const chosen = state.order[kind] || { head: list.find((c) => c.main).head, down: true };
	const cell = list.find((c) => c.head === chosen.head) || list.find((c) => c.main);
	const items = data[kind].filter((x) => matches(kind === "files" ? x.n : x.n + " " + data.files[x.f].n));
	const rows = sorted(items, cell, chosen.down), some = rows.slice(0, state.rows[kind]);
	let sum = 0;
	$(kind).innerHTML = "<table><thead><tr>" + list.map((c) =>
		`<th scope="col"${c.name ? " class=\"name\"" : ""}${c === cell ? ` aria-sort="${chosen.down ? "descending" : "ascending"}"` : ""}>` +
		`<button type="button" data-kind="${kind}" data-head="${esc(c.head)}">${esc(c.head)}</button></th>`).join("") +
		"</tr></thead><tbody>" + some.map((x) => {
			sum += value(current(), x.t);
			return "<tr>" + list.map((c) => c.html(x, sum)).join("") + "</tr>";
		}).join("") + "</tbody></table>" +
		(rows.length > some.length ? `<button type="button" class="more" data-more="${kind}">Show ${commas(String(Math.min(MORE, rows.length - some.length)))} more</button>` : "");
	$(kind + "-count").textContent = commas(String(items.length)) +
		(items.length < data[kind].length ? " of " + commas(String(data[kind].length)) : "");
}

function sortBy(kind, head) {
	const list = cells(kind), cell = list.find((c) => c.head === head);
	const now = state.order[kind] || { head: list.find((c) => c.main).head, down: true };
	state.order[kind] = { head, down: now.head === head ? !now.down : !cell.name };
	showTable(kind);
	const again = [...$(kind).querySelectorAll("th button")].find((b) => b.dataset.head === head);
	if (again) again.focus();
}

/* ---- a source ---- */

/* The lines to show: [number, text, counts after or 0, counts before or 0, "" or "add" or "del"]. */
function sourceLines(file) {
	const text = file.src === null ? [] : file.src.split("\n");
	if (text.length && text[text.length - 1] === "") text.pop();
	if (compares && file.changes) {
		const old = file.old === null ? null : file.old.split("\n");
		return file.changes.map(([b, a, cb, ca]) => {
			const known = a ? text[a - 1] : old && old[b - 1];
			return [a || b, known === undefined || known === null ? missing(a || b) : known, ca, cb,
				!a === !b ? "" : a ? "add" : "del"];
		});
	}
	const counts = new Map(file.lines.map(([n, ...c]) => [n, c]));
	const lines = text.map((t, i) => [i + 1, t, counts.get(i + 1) || 0, 0, ""]);
	for (const [n, ...c] of file.lines)
		if (n === 0) lines.unshift([0, missing(0), c, 0, ""]);
		else if (n > text.length) lines.push([n, missing(n), c, 0, ""]);
	return lines;
}

/* Tab stops count from the beginning of the text, not from that of the row. */
function expand(text) {
	if (!text.includes("\t")) return text;
	let to = "";
	for (const c of text) to += c === "\t" ? " ".repeat(8 - to.length % 8) : c;
	return to;
}

const missing = (n) => n ? (`<line ${n}: there is no text>`) : "<lines unknown>";

function lineCells(list, widths, t, b) {
	const item = lineItem(t, b);
	return list.map((c, i) => {
		if (!t && !b) return ".".padStart(widths[i]);
		const text = shown(c, item), pad = " ".repeat(Math.max(0, widths[i] - text.length));
		const hot = heat(c, figure(c, item));
		return hot ? `${pad}<span${hot}>${text}</span>` : pad + text;
	}).join("  ");
}

function measure(list, lines, heads) {
	const widths = list.map((c) => c.name.length);
	const widen = (t, b) => list.forEach((c, i) => {
		widths[i] = Math.max(widths[i], shown(c, lineItem(t, b)).length);
	});
	for (const [, , t, b] of lines) if (t || b) widen(t, b);
	for (const f of heads) widen(f.t, f.b);
	return widths;
}

function showSource(index, line) {
	const file = data.files[index], list = columns(), lines = sourceLines(file);
	const heads = data.functions.filter((f) => f.f === index).sort((a, b) => a.line - b.line);
	const widths = measure(list, lines, heads), digits = String(lines.length ? lines[lines.length - 1][0] : 0).length;
	const html = [];
	let next = 0;
	lines.forEach(([n, text, t, b, kind], i) => {
		if (i % LINES === 0)
			html.push(i ? "</div>" : "", `<div class="block" style="contain-intrinsic-size:auto ${1.45 * 13 * Math.min(LINES, lines.length - i)}px">`);
		for (; next < heads.length && heads[next].line <= n && kind !== "del"; next++)
			html.push(`<div class="l fn">${lineCells(list, widths, heads[next].t, heads[next].b)}  ${" ".repeat(digits)}  ${esc(brief(heads[next]))}</div>`);
		const number = String(n || "").padStart(digits);
		html.push(`<div class="l ${kind}"${kind === "del" ? "" : ` id="s${index}:${n}"`}>${lineCells(list, widths, t, b)}  ` +
			(n && kind !== "del" ? `<a href="#s${index}:${n}">${number}</a>` : number) + `  ${esc(expand(text))}</div>`);
	});
	if (lines.length) html.push("</div>");
	$("source").innerHTML = `<p><a href="#">&larr; all functions and files</a></p><h2>${esc(file.n)} <small>${file.path && file.path !== file.n ? "found as " + esc(file.path) : ""}</small></h2>` +
		(file.warning ? `<p class="warn">${esc(file.warning)}</p>` : "") +
		`<div class="chips">${heads.map((f) => `<a href="#s${index}:${f.line}" title="${esc(f.n)}">${esc(brief(f))}</a>`).join("")}</div>` +
		`<pre tabindex="0"><div class="heads">${list.map((c, i) => esc(c.name.padStart(widths[i]))).join("  ")}  ${" ".repeat(digits)}  ${compares ? "change" : ""}</div>${html.join("")}</pre>`;
	const target = line && document.getElementById(`s${index}:${line}`);
	if (target) { target.classList.add("target"); target.scrollIntoView({ block: "center" }); } else scrollTo(0, 0);
	state.lines = lines;
	state.hot = -1;
}

/* Goes to the next line (or the one before) that has one percent of the event's total. */
function jump(step) {
	const column = current(), all = whole(column);
	for (let i = state.hot + step; i >= 0 && i < state.lines.length; i += step) {
		const [n, , t, b, kind] = state.lines[i];
		if (kind === "del" || !(t || b)) continue;
		if (Math.abs(figure(column, lineItem(t, b)) / all) < 0.01) continue;
		document.querySelectorAll(".l.target").forEach((e) => e.classList.remove("target"));
		const row = document.getElementById(`s${state.file}:${n}`);
		row.classList.add("target");
		row.scrollIntoView({ block: "center" });
		state.hot = i;
		return;
	}
}

/* ---- the page ---- */

function route() {
	const place = /^#s(\d+)(?::(\d+))?$/.exec(location.hash);
	const file = place && data.files[Number(place[1])];
	state.file = file && file.embedded ? Number(place[1]) : null;
	$("overview").hidden = state.file !== null;
	$("source").hidden = state.file === null;
	if (state.file !== null) showSource(state.file, Number(place[2] || 0));
	else $("source").innerHTML = "";
}

function showAll() {
	bars();
	showTable("functions");
	showTable("files");
}

function setEvent(index) {
	state.event = index;
	state.order = { functions: null, files: null };
	showAll();
	if (state.file !== null) route();
}

function setTheme() {
	const dark = document.documentElement.dataset.theme ? document.documentElement.dataset.theme === "dark" :
		matchMedia("(prefers-color-scheme: dark)").matches;
	document.documentElement.dataset.theme = dark ? "light" : "dark";
}

function keys(e) {
	if (e.ctrlKey || e.metaKey || e.altKey) return;
	const typing = e.target.matches("input, select");
	if (e.key === "Escape") {
		if (typing) { e.target.blur(); if (e.target === $("find")) { $("find").value = ""; setFind(); } }
		else if (state.file !== null) location.hash = "";
	} else if (!typing && e.key === "/") { e.preventDefault(); $("find").focus(); }
	else if (!typing && e.key === "e") { e.preventDefault(); $("event").focus(); }
	else if (!typing && e.key === "t") setTheme();
	else if (!typing && state.file !== null && e.key === "n") jump(1);
	else if (!typing && state.file !== null && e.key === "p") jump(-1);
}

function setFind() {
	state.find = $("find").value.trim().toLowerCase();
	if (state.find && state.file !== null) location.hash = "";
	showAll();
}

$("event").innerHTML = data.columns.map((c, i) =>
	`<option value="${i}"${i === state.event ? " selected" : ""}>${esc(c.name)}${c.meaning ? " - " + esc(c.meaning) : ""}</option>`).join("");
$("columns").innerHTML = data.columns.map((c, i) =>
	`<label title="${esc(c.meaning || "")}"><input type="checkbox" value="${i}"${state.columns.has(i) ? " checked" : ""}> ${esc(c.name)}</label>`).join("");
$("event").addEventListener("change", (e) => setEvent(Number(e.target.value)));
$("columns").addEventListener("change", (e) => {
	state.columns[e.target.checked ? "add" : "delete"](Number(e.target.value));
	showAll();
});
$("find").addEventListener("input", setFind);
$("theme").addEventListener("click", setTheme);
document.addEventListener("keydown", keys);
document.addEventListener("click", (e) => {
	const button = e.target.closest("button");
	if (button && button.dataset.head !== undefined) sortBy(button.dataset.kind, button.dataset.head);
	if (button && button.dataset.more) { state.rows[button.dataset.more] += MORE; showTable(button.dataset.more); }
});
addEventListener("hashchange", route);
facts();
levels();
totals();
showAll();
route();
})();

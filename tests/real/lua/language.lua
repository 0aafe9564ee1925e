-- The language: values, control, functions, metatables, coroutines, errors. The argument says how
-- often. No addresses, clocks or orders of string keys are printed.
local times = tonumber(arg[1]) or 1

local function numbers()
	local sum, product = 0, 1.0
	for i = 1, 1000 do
		sum = sum + i // 3 - i % 7 + (i << 3 ~ i >> 1 & 0xff | 5)
		product = product * (1 + 1 / i) - i / 3.5
	end
	local x <const> = 2 ^ 0.5
	return sum, string.format("%.6e %.3f", product, x), 7 // 0.0, -7 // 2, -7 % 3, 5.5 % -2,
		math.maxinteger + 1 == math.mininteger, 1e308 * 10, 3 | 4.0, "10" + 5, 10 .. 20
end

local function control()
	local out = {}
	for i = 10, 1, -3 do out[#out + 1] = i end
	local i = 0
	while true do
		i = i + 1
		if i % 2 == 0 then goto continue end
		if i > 9 then break end
		out[#out + 1] = i * i
		::continue::
	end
	repeat local done = i > 20; i = i + 4 until done
	return table.concat(out, ","), i
end

local function closures()
	local function counter(step)
		local n = 0
		return function() n = n + step; return n end, function() return n end
	end
	local add, get = counter(3)
	for _ = 1, 100 do add() end
	local functions = {}
	for i = 1, 5 do functions[i] = function(x) i = i + x; return i end end
	return get(), functions[2](10), functions[2](1), functions[3](0),
		select("#", table.unpack({1, nil, 3}, 1, 3)), (select(-1, 1, 2, 3))
end

local Vector = {}
Vector.__index = Vector
Vector.__add = function(a, b) return setmetatable({a[1] + b[1], a[2] + b[2]}, Vector) end
Vector.__eq = function(a, b) return a[1] == b[1] and a[2] == b[2] end
Vector.__lt = function(a, b) return a[1] < b[1] end
Vector.__le = function(a, b) return a[1] <= b[1] end
Vector.__call = function(self, n) return self[n] end
Vector.__len = function() return 2 end
Vector.__concat = function(a, b) return tostring(a) .. "|" .. tostring(b) end
Vector.__tostring = function(v) return "(" .. v[1] .. "," .. v[2] .. ")" end
Vector.__close = function() Vector.closed = (Vector.closed or 0) + 1 end

local function metatables()
	local sum = setmetatable({0, 0}, Vector)
	for i = 1, 50 do
		local v <close> = setmetatable({i, -i}, Vector)
		sum = sum + v
	end
	local log = {}
	local proxy = setmetatable({}, {
		__index = function(_, k) return k .. "?" end,
		__newindex = function(t, k, v) log[#log + 1] = k; rawset(t, k, v) end,
	})
	proxy.a, proxy.b, proxy.a = 1, 2, 3
	return tostring(sum), #sum, sum(1), sum == sum + setmetatable({0, 0}, Vector), sum < sum, sum <= sum,
		sum .. sum, proxy.c, proxy.a, table.concat(log), Vector.closed
end

local function coroutines()
	local function generate(n)
		return coroutine.wrap(function() for i = 1, n do coroutine.yield(i * i) end end)
	end
	local sum = 0
	for square in generate(100) do sum = sum + square end
	local failing = coroutine.create(function(a) local b = coroutine.yield(a + 1); error({code = b}) end)
	local _, first = coroutine.resume(failing, 1)
	local ok, err = coroutine.resume(failing, 42)
	local inner = coroutine.wrap(function() return pcall(function() coroutine.yield(1); error("x", 0) end) end)
	inner()
	return sum, first, ok, err.code, coroutine.status(failing), inner()
end

local function errors()
	local function deep(n) if n == 0 then error("bottom") end; return 1 + deep(n - 1) end
	local ok, message = pcall(deep, 100)
	local handled = select(2, xpcall(deep, function(m) return "handled " .. m:gsub("^.-:%d+: ", "") end, 10))
	local overflow = pcall(function() local function f() return 1 + f() end; return f() end)
	local types = select(2, pcall(function() return {} + 1 end)):gsub("^.-:%d+: ", "")
	local chunk, syntax = load("x = = 1", "=chunk")
	return ok, message:gsub("^.-:%d+: ", ""), handled, overflow, types, chunk, syntax
end

local function garbage()
	local collected = 0
	for i = 1, 200 do
		setmetatable({i}, {__gc = function() collected = collected + 1 end})
	end
	local weak = setmetatable({}, {__mode = "v"})
	for i = 1, 20 do weak[i] = {i} end
	collectgarbage()
	collectgarbage("generational")
	local kept = {}
	for i = 1, 2000 do kept[i % 50 + 1] = {i, tostring(i)} end
	collectgarbage("incremental")
	collectgarbage()
	return collected, #weak, kept[7][2]
end

local tests = {numbers, control, closures, metatables, coroutines, errors, garbage}
for round = 1, times do
	Vector.closed = nil
	for i = 1, #tests do
		local results = table.pack(tests[i]())
		for j = 1, results.n do results[j] = tostring(results[j]) end
		if round == 1 then print(table.concat(results, " ")) end
	end
end

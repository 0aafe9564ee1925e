-- The libraries: string, table, math, utf8, os, io; load and dump.
local times = tonumber(arg[1]) or 1
math.randomseed(42)

local function patterns()
	local text = ("The quick brown fox jumps over the lazy dog; 3.14 and -42, key = value\n"):rep(5)
	local words, longest = 0, ""
	for word in text:gmatch("%a+") do
		words = words + 1
		if #word > #longest then longest = word end
	end
	local swapped = text:gsub("(%w+) = (%w+)", "%2 = %1")
	local upper = text:gsub("%f[%a]%a", string.upper)
	return words, longest, swapped:sub(60, 71), upper:sub(1, 19), text:find("lazy", 1, true),
		text:match("(%-?%d+)%.(%d+)"), ("[[x]]"):match("%b[]"), text:byte(5), ("x"):rep(3, "-")
end

local function formats()
	return string.format("%5d|%-5s|%05.1f|%x|%q|%g|%c|%i|%a", 42, "ab", 3.14159, 255, "a\nb\0", 1e20, 65, -3, 1.0),
		tostring(1e15), tostring(2^53), tostring(-0.0), tostring(1 / 0), math.tointeger("8"),
		tonumber("0x1p4"), tonumber("zz", 36), tonumber("1e1"), ("%s"):format(nil)
end

local function packing()
	local packed = string.pack("<i4 >I2 z s1 d !8 j", -5, 515, "zero", "counted", 0.1, 7)
	local a, b, c, d, e, f = string.unpack("<i4 >I2 z s1 d !8 j", packed)
	return #packed, a, b, c, d, e, f, string.packsize("<i4 i8"), packed:reverse():byte(1, 3)
end

local function tables()
	local list = {}
	for i = 1, 500 do list[i] = (i * 7919) % 1009 end
	table.sort(list)
	local reversed = table.move(list, 1, #list, 1, {})
	table.sort(reversed, function(a, b) return a > b end)
	for i = 1, 100 do table.insert(list, 1 + i % 7, i); table.remove(list, 1 + i % 11) end
	local sparse = {}
	for i = 1, 300 do sparse[i * i] = i end
	local sum, n = 0, 0
	for k, v in pairs(sparse) do sum = sum + k * v; n = n + 1 end
	return #list, list[100], reversed[1], reversed[500], sum, n, next({}), #table.pack(table.unpack(list, 1, 200))
end

local function words()
	local count = {}
	for i = 1, 3000 do
		local word = "w" .. (i * i) % 97
		count[word] = (count[word] or 0) + 1
	end
	local sorted = {}
	for word in pairs(count) do sorted[#sorted + 1] = word end
	table.sort(sorted)
	return #sorted, sorted[1], count[sorted[1]], sorted[#sorted]
end

local function mathematics()
	local sum = 0
	for i = 1, 200 do
		sum = sum + math.sin(i) * math.cos(i) + math.sqrt(i) - math.log(i) + math.exp(-i) + math.fmod(i, 3)
			+ math.abs(-i) + math.floor(i / 3) + math.ceil(i / 7) + (math.random(1, 6))
	end
	return string.format("%.9g", sum), math.ult(1, -1), math.type(1), math.type(1.0), math.max(3, 9, 2), math.random(0) ~= 0
end

local function unicode()
	local s = utf8.char(72, 228, 8364, 128512)
	local codes = {}
	for _, code in utf8.codes(s) do codes[#codes + 1] = code end
	return #s, utf8.len(s), table.concat(codes, ","), utf8.codepoint(s, 2), utf8.offset(s, 3), utf8.len("\xff")
end

local function files()
	local name = "libraries.tmp"
	local out = assert(io.open(name, "w"))
	for i = 1, 500 do out:write(i, " ", i * i, "\n") end
	out:close()
	local sum, lines = 0, 0
	for line in io.lines(name) do
		local a, b = line:match("(%d+) (%d+)")
		sum, lines = sum + a * b, lines + 1
	end
	local file = io.open(name)
	file:seek("set", 10)
	local some, number = file:read(5), file:read("n")
	file:close()
	os.remove(name)
	return sum, lines, some, number, io.open(name) == nil, os.date("!%Y-%m-%d", 86400)
end

local function loading()
	local parts = {}
	for i = 1, 50 do parts[i] = "local v" .. i .. " = " .. i .. " * (...) + " .. i % 3 end
	local source = table.concat(parts, "\n") .. "\nreturn v1 + v25 + v50, function(x) return x .. v2 end"
	local chunk = assert(load(source))
	local again = assert(load(string.dump(chunk, true), "dumped", "b"))
	local a, f = chunk(3)
	local b, g = again(5)
	return a, f("x"), b, g("y"), #string.dump(chunk) > 100
end

local tests = {patterns, formats, packing, tables, words, mathematics, unicode, files, loading}
for round = 1, times do
	for i = 1, #tests do
		local results = table.pack(tests[i]())
		for j = 1, results.n do results[j] = tostring(results[j]) end
		if round == 1 then print((table.concat(results, " "):gsub("[^\32-\126]", "."))) end
	end
end

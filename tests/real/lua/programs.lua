-- Small programs: n-body, queens, fannkuch, matrix, life, a calculator.
local times = tonumber(arg[1]) or 1

local function bodies(steps)
	local list = {}
	for i = 1, 5 do
		list[i] = {x = i * 1.5, y = i * -0.7, z = i / 3, vx = 0.1 * i, vy = -0.2, vz = 0.05 * i, m = 1 / i}
	end
	for _ = 1, steps do
		for i = 1, #list do
			local a = list[i]
			for j = i + 1, #list do
				local b = list[j]
				local dx, dy, dz = a.x - b.x, a.y - b.y, a.z - b.z
				local d = dx * dx + dy * dy + dz * dz + 0.01
				local mag = 0.001 / (d * math.sqrt(d))
				a.vx, a.vy, a.vz = a.vx - dx * b.m * mag, a.vy - dy * b.m * mag, a.vz - dz * b.m * mag
				b.vx, b.vy, b.vz = b.vx + dx * a.m * mag, b.vy + dy * a.m * mag, b.vz + dz * a.m * mag
			end
			a.x, a.y, a.z = a.x + 0.001 * a.vx, a.y + 0.001 * a.vy, a.z + 0.001 * a.vz
		end
	end
	return string.format("%.9f", list[1].x + list[3].y)
end

local function queens(n)
	local count, columns, up, down = 0, {}, {}, {}
	local function place(row)
		if row > n then count = count + 1; return end
		for c = 1, n do
			if not (columns[c] or up[row + c] or down[row - c + n]) then
				columns[c], up[row + c], down[row - c + n] = true, true, true
				place(row + 1)
				columns[c], up[row + c], down[row - c + n] = nil, nil, nil
			end
		end
	end
	place(1)
	return count
end

local function fannkuch(n)
	local p, q, s, sign, maxflips, sum = {}, {}, {}, 1, 0, 0
	for i = 1, n do p[i], q[i], s[i] = i, i, i end
	repeat
		local q0 = p[1]
		if q0 ~= 1 then
			for i = 2, n do q[i] = p[i] end
			local flips = 1
			while true do
				local qq = q[q0]
				if qq == 1 then
					sum = sum + sign * flips
					if flips > maxflips then maxflips = flips end
					break
				end
				q[q0] = q0
				if q0 >= 4 then
					local i, j = 2, q0 - 1
					repeat q[i], q[j] = q[j], q[i]; i = i + 1; j = j - 1 until i >= j
				end
				q0 = qq
				flips = flips + 1
			end
		end
		if sign == 1 then
			p[1], p[2] = p[2], p[1]
			sign = -1
		else
			p[2], p[3] = p[3], p[2]
			sign = 1
			for i = 3, n do
				local sx = s[i]
				if sx ~= 1 then s[i] = sx - 1; break end
				if i == n then return sum, maxflips end
				s[i] = i
				local t = p[1]
				for j = 1, i do p[j] = p[j + 1] end
				p[i + 1] = t
			end
		end
	until false
end

local function matrices(n)
	local function fill(f)
		local m = {}
		for i = 1, n do m[i] = {}; for j = 1, n do m[i][j] = f(i, j) end end
		return m
	end
	local a, b = fill(function(i, j) return i + j end), fill(function(i, j) return i - j / 2 end)
	local c = fill(function(i, j)
		local sum = 0
		for k = 1, n do sum = sum + a[i][k] * b[k][j] end
		return sum
	end)
	return c[1][1], c[n][n]
end

local function calculator(text)
	local at = 1
	local expression
	local function factor()
		local number, after = text:match("^%s*(%d+)()", at)
		if number then at = after; return tonumber(number) end
		at = text:match("^%s*%(()", at)
		local value = expression()
		at = text:match("^%s*%)()", at)
		return value
	end
	local function chain(operators, operand)
		return function()
			local value = operand()
			while true do
				local operator, after = text:match("^%s*([" .. operators .. "])()", at)
				if not operator then return value end
				at = after
				local right = operand()
				value = operator == "+" and value + right or operator == "-" and value - right
					or operator == "*" and value * right or value // right
			end
		end
	end
	expression = chain("+%-", chain("*/", factor))
	return expression()
end

for round = 1, times do
	local results = {bodies(200), queens(6), fannkuch(6), matrices(20),
		calculator("1 + 2 * (3 + 4 * (5 - 2)) / 3 - " .. ("(1+"):rep(20) .. "1" .. (")"):rep(20))}
	if round == 1 then print(table.unpack(results)) end
end

-- The workload in Lua: strings, tables, a sort, numbers as text, deep calls, objects.
local words, counts, names = {}, {}, {}
for i = 1, 1500 do words[i] = ("word %d of some"):format(i * 7919 % 700) end
for _, w in ipairs(words) do counts[w] = (counts[w] or 0) + 1 end
for w in pairs(counts) do names[#names + 1] = w end
table.sort(names, function(a, b) return a < b end)
local text = table.concat(names, " ")
for _ = 1, 3 do text = text:gsub("d (%d)", "d %1%1"):upper():lower() end

local function depth(n) return n == 0 and 0 or 1 + depth(n - 1) end
local deep = 0
for _ = 1, 4 do deep = deep + coroutine.wrap(function() return depth(900) end)() end

local Point = {}
Point.__index, Point.__tostring = Point, function(p) return p.x .. ", " .. p.y .. "; " end
local all, least = {}, 1e9
for i = 1, 300 do
	local p = setmetatable({ x = i, y = i * 0.5 }, Point)
	for k = 0.25, 12 do if p.y * k < least then least = p.y * k end end
	all[i] = tostring(p) .. "(" .. i .. ", " .. i // 2 .. ", " .. i % 3 .. ")"
end
print(#names, #text, deep, least, #table.concat(all), names[1], names[#names])

/**
 * Lua run once per state: what Lua 5.1 has and 5.3 lacks, Redis' helpers, and the locks on the global table.
 * It finds redis.call, redis.pcall, redis.sha1hex and cjson set, and answers the handler that turns an error into
 * Redis' error table with the line it came from.
 */
export const PRELUDE = `
local getinfo, floor, ceil, format, protect = debug.getinfo, math.floor, math.ceil, string.format, pcall
local setmetatable, pairs, ipairs, error = setmetatable, pairs, ipairs, error
debug, dofile, loadfile, print, require = nil, nil, nil, nil, nil

unpack = table.unpack
loadstring = load
math.pow = function(base, exponent) return base ^ exponent end
math.floor = function(value) return floor(value) + 0.0 end
math.ceil = function(value) return ceil(value) + 0.0 end

-- %d in Lua 5.3 wants an integer of the machine's width; timestamps are wider than that here.
string.format = function(template, ...)
  local arguments, count = { ... }, 0
  local total = select('#', ...)
  template = string.gsub(template, '%%([-+ #0]*%d*%.?%d*)([%a%%])', function(flags, conversion)
    if conversion == '%' then return nil end
    count = count + 1
    local number = tonumber(arguments[count])
    if (conversion ~= 'd' and conversion ~= 'i') or not number then return nil end
    arguments[count] = number < 0 and ceil(number) or floor(number)
    return '%' .. flags .. '.0f'
  end)
  return format(template, table.unpack(arguments, 1, total))
end

-- As in Redis 7, what pcall catches is the text of an error table, not the table.
pcall = function(...)
  local outcome = table.pack(protect(...))
  local problem = outcome[2]
  if not outcome[1] and type(problem) == 'table' and problem.err then outcome[2] = problem.err end
  return table.unpack(outcome, 1, outcome.n)
end

redis.LOG_DEBUG, redis.LOG_VERBOSE, redis.LOG_NOTICE, redis.LOG_WARNING = 0, 1, 2, 3
redis.log = function() end
redis.replicate_commands = function() return true end
redis.status_reply = function(text) return { ok = text } end
redis.error_reply = function(text)
  text = string.gsub(text, '^%-', '')
  if not string.find(text, ' ', 1, true) then text = 'ERR ' .. text end
  return { err = text }
end

local READONLY = 'Attempt to modify a readonly table'
local function refuse() error(READONLY, 2) end
local locked = { [_G] = true }
local function readonly(fields)
  local proxy = setmetatable({}, { __index = fields, __newindex = refuse, __metatable = false })
  locked[proxy] = true
  return proxy
end

local set = rawset
rawset = function(target, name, value)
  if locked[target] then error(READONLY, 2) end
  return set(target, name, value)
end

-- Globals move behind an empty _G, so that a script can replace none of them for the scripts after it.
local root, globals = _G, {}
for name, value in pairs(root) do globals[name] = value end
for name in pairs(globals) do root[name] = nil end
for _, name in ipairs({ 'redis', 'cjson', 'string', 'math', 'table', 'coroutine' }) do
  globals[name] = readonly(globals[name])
end
setmetatable(globals, {
  __index = function(_, name)
    error("Script attempted to access nonexistent global variable '" .. tostring(name) .. "'", 2)
  end,
})
setmetatable(root, { __index = globals, __newindex = refuse, __metatable = false })

return function(problem)
  if type(problem) ~= 'table' then problem = { err = 'ERR ' .. tostring(problem) } end
  local level = 2
  local caller = getinfo(level, 'Sl')
  while caller and caller.source ~= '@user_script' do
    level = level + 1
    caller = getinfo(level, 'Sl')
  end
  if caller then problem.source, problem.line = caller.source, caller.currentline end
  return problem
end
`

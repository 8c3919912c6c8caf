import { createRequire } from 'node:module'
import type { LuaState, LuaString } from 'fengari'

const require = createRequire(import.meta.url)

type NumberSlot = { value: number; ttisinteger: () => boolean; setfltvalue: (value: number) => void }
type NumberParser = { luaO_str2num: (text: LuaString, slot: NumberSlot) => number }

/**
 * Loads fengari so that its numbers behave like those of Lua 5.1, which Redis runs: every number a double, integral
 * ones printed without a fraction. Lua 5.3 integers are 32 bits wide in fengari, too narrow for millisecond timestamps.
 */
const loadFengari = (): typeof import('fengari') => {
  const configured = process.env.FENGARICONF
  // Read once, while the package loads (fengari's README, "Configuration").
  process.env.FENGARICONF = JSON.stringify({ LUA_COMPAT_FLOATSTRING: true })
  const fengari = require('fengari') as typeof import('fengari')
  if (configured === undefined) delete process.env.FENGARICONF
  else process.env.FENGARICONF = configured

  const parser = require('fengari/src/lobject.js') as NumberParser
  const parse = parser.luaO_str2num
  parser.luaO_str2num = (text, slot) => {
    const length = parse(text, slot)
    if (length > 0 && slot.ttisinteger()) slot.setfltvalue(slot.value)
    return length
  }
  return fengari
}

const fengari = loadFengari()
const { lualib } = fengari
export const { lua, lauxlib } = fengari

/** Byte string to Lua string. */
export const toLua = (bytes: string): LuaString => Buffer.from(bytes, 'latin1')

/** Lua string to byte string. */
export const fromLua = (text: LuaString): string =>
  Buffer.from(text.buffer, text.byteOffset, text.byteLength).toString('latin1')

/** Raises a Lua error with this text, preceded by the caller's line, from a function that Lua called; never returns. */
export const raise = (L: LuaState, text: string): number => lauxlib.luaL_error(L, toLua('%s'), toLua(text))

/** Sets a global without meeting the guard that refuses new globals. */
export const setGlobal = (L: LuaState, name: string, push: () => void): void => {
  lua.lua_rawgeti(L, lua.LUA_REGISTRYINDEX, lua.LUA_RIDX_GLOBALS)
  lua.lua_pushstring(L, toLua(name))
  push()
  lua.lua_rawset(L, -3)
  lua.lua_pop(L, 1)
}

/** A fresh state with the libraries Redis offers to scripts, no file or process access. */
export const createLuaState = (): LuaState => {
  const L = lauxlib.luaL_newstate()
  const libraries = {
    _G: lualib.luaopen_base,
    table: lualib.luaopen_table,
    string: lualib.luaopen_string,
    math: lualib.luaopen_math,
    coroutine: lualib.luaopen_coroutine,
    debug: lualib.luaopen_debug,
  }
  for (const [name, open] of Object.entries(libraries)) {
    lauxlib.luaL_requiref(L, toLua(name), open, true)
    lua.lua_pop(L, 1)
  }
  // A JavaScript exception thrown below Lua (a RangeError of deep recursion, say) becomes an ordinary Lua error.
  lua.lua_atnativeerror(L, (state) => {
    lua.lua_pushstring(state, toLua(String(lua.lua_touserdata(state, -1))))
    return 1
  })
  return L
}

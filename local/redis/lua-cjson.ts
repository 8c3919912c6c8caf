import type { LuaState } from 'fengari'
import { toBytes, toText } from './backend.ts'
import { readText } from './lua-values.ts'
import { lua, raise, toLua } from './lua-vm.ts'

type Json = null | boolean | number | string | Json[] | { [name: string]: Json }

class JsonError extends Error {}

const MAX_DEPTH = 1000

/** The number of items when the table at `table` is an array (keys 1 to n, at least one), else undefined. */
const arrayLength = (L: LuaState, table: number): number | undefined => {
  let items = 0
  lua.lua_pushnil(L)
  while (lua.lua_next(L, table) !== 0) {
    lua.lua_pop(L, 1)
    if (lua.lua_type(L, -1) !== lua.LUA_TNUMBER) {
      lua.lua_pop(L, 1)
      return undefined
    }
    items += 1
  }
  return items > 0 && items === lua.lua_rawlen(L, table) ? items : undefined
}

const readObject = (L: LuaState, table: number, depth: number): Json => {
  const members: [string, Json][] = []
  lua.lua_pushnil(L)
  while (lua.lua_next(L, table) !== 0) {
    const name = readText(L, -2)
    if (name === undefined) throw new JsonError('Cannot serialise table: table key must be a number or string')
    members.push([toText(name), readJson(L, -1, depth + 1)])
    lua.lua_pop(L, 1)
  }
  return Object.fromEntries(members)
}

const readJson = (L: LuaState, index: number, depth: number): Json => {
  const type = lua.lua_type(L, index)
  if (type === lua.LUA_TNIL || type === lua.LUA_TLIGHTUSERDATA) return null
  if (type === lua.LUA_TBOOLEAN) return lua.lua_toboolean(L, index)
  if (type === lua.LUA_TSTRING) return toText(readText(L, index) ?? '')
  if (type === lua.LUA_TNUMBER) {
    const value = lua.lua_tonumber(L, index)
    if (!Number.isFinite(value)) throw new JsonError('Cannot serialise number: must not be NaN or Inf')
    return Number(value.toPrecision(14))
  }
  if (type !== lua.LUA_TTABLE) throw new JsonError('Cannot serialise value: type not supported')
  if (depth > MAX_DEPTH) throw new JsonError('Cannot serialise, excessive depth')
  lua.lua_checkstack(L, 8)
  const table = lua.lua_absindex(L, index)
  const length = arrayLength(L, table)
  if (length === undefined) return readObject(L, table, depth)
  return Array.from({ length }, (_, i) => {
    lua.lua_rawgeti(L, table, i + 1)
    const item = readJson(L, -1, depth + 1)
    lua.lua_pop(L, 1)
    return item
  })
}

const pushJson = (L: LuaState, value: Json): void => {
  lua.lua_checkstack(L, 4)
  // cjson.null: nil cannot stand inside a table.
  if (value === null) lua.lua_pushlightuserdata(L, null)
  else if (typeof value === 'boolean') lua.lua_pushboolean(L, value)
  else if (typeof value === 'number') lua.lua_pushnumber(L, value)
  else if (typeof value === 'string') lua.lua_pushstring(L, toLua(toBytes(value)))
  else {
    lua.lua_createtable(L, 0, 0)
    const isArray = Array.isArray(value)
    for (const [name, item] of Object.entries(value)) {
      if (isArray) lua.lua_pushnumber(L, Number(name) + 1)
      else lua.lua_pushstring(L, toLua(toBytes(name)))
      pushJson(L, item)
      lua.lua_rawset(L, -3)
    }
  }
}

const encode = (L: LuaState): number => {
  let text: string
  try {
    text = JSON.stringify(readJson(L, 1, 1))
  } catch (error) {
    if (error instanceof JsonError) return raise(L, error.message)
    throw error
  }
  lua.lua_pushstring(L, toLua(toBytes(text)))
  return 1
}

const decode = (L: LuaState): number => {
  let value: Json
  try {
    value = JSON.parse(toText(readText(L, 1) ?? '')) as Json
  } catch (error) {
    return raise(L, `Expected value but found invalid token (${(error as Error).message})`)
  }
  pushJson(L, value)
  return 1
}

/** Pushes the cjson table: encode, decode and null, with Redis' default settings. */
export const pushCjson = (L: LuaState): void => {
  lua.lua_createtable(L, 0, 3)
  const members = {
    encode: () => lua.lua_pushjsfunction(L, encode),
    decode: () => lua.lua_pushjsfunction(L, decode),
    null: () => lua.lua_pushlightuserdata(L, null),
  }
  for (const [name, push] of Object.entries(members)) {
    lua.lua_pushstring(L, toLua(name))
    push()
    lua.lua_rawset(L, -3)
  }
}

import type * as z from 'zod/mini'
import { nearestName } from '../lib/text.ts'

/** Names in a request that had no effect, each with a sentence about it. */
export type Ignored = Record<string, string>

const MAX_NAMES = 100
const MAX_NAME = 200

/** Returns the fields that a schema knows; undefined if it accepts any. Then the code that reads them reports unused ones. */
export const fieldNames = (schema: z.ZodMiniType | undefined): readonly string[] | undefined => {
  if (!schema) return []
  const { shape, catchall } = schema._zod.def as { shape?: object; catchall?: unknown }
  return shape === undefined || catchall !== undefined ? undefined : Object.keys(shape)
}

/** Returns an operation's note on a known name that it does not accept; undefined for any other name. */
export type NoteOn = (name: string) => string | undefined

/** The only name that schemas never pass on. Code that reads any field does not see it either. */
const UNSEEN = '__proto__'

type Def = {
  type: string
  shape?: Record<string, z.core.$ZodType>
  catchall?: unknown
  innerType?: z.core.$ZodType
  in?: z.core.$ZodType
  element?: z.core.$ZodType
  valueType?: z.core.$ZodType
  options?: readonly z.core.$ZodType[]
}

/** Returns the definition of a schema without its wrappers, such as optional and pipe. */
const defOf = (schema: z.core.$ZodType): Def => {
  const def = schema._zod.def as unknown as Def
  const inner = def.innerType ?? (def.type === 'pipe' ? def.in : undefined)
  return inner ? defOf(inner) : def
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** True if a value is a JSON list or object. A received file is neither; its names are not the caller's. */
const holdsNames = (value: unknown): value is object =>
  Array.isArray(value) || (isObject(value) && [Object.prototype, null].includes(Object.getPrototypeOf(value)))

/** Collects the names in a value that its schema does not know, by their path, up to a limit. */
const collect = (
  given: unknown,
  schema: z.core.$ZodType | undefined,
  path: string,
  note: (name: string, known: readonly string[]) => string,
  found: Map<string, string>,
): void => {
  if (found.size >= MAX_NAMES || !holdsNames(given)) return
  const def: Def = schema ? defOf(schema) : { type: 'object', shape: {} }
  const below = (name: string | number, value: unknown, inner: z.core.$ZodType | undefined) =>
    inner && collect(value, inner, `${path}${name}.`, note, found)
  if (def.type === 'union')
    for (const option of def.options ?? []) {
      const { type } = defOf(option)
      const isMeant = isObject(given) ? ['object', 'record', 'union'].includes(type) : ['array', 'union'].includes(type)
      if (isMeant) collect(given, option, path, note, found)
    }
  else if (Array.isArray(given)) {
    if (def.type === 'array') for (const [n, value] of given.entries()) below(n, value, def.element)
  } else if (def.type === 'record') for (const [name, value] of Object.entries(given)) below(name, value, def.valueType)
  else if (def.shape) {
    const { shape } = def
    for (const [name, value] of Object.entries(given)) {
      const isKnown = Object.hasOwn(shape, name)
      const isIgnored = def.catchall === undefined ? !isKnown : name === UNSEEN
      if (isIgnored && found.size < MAX_NAMES)
        found.set(`${path}${name}`.slice(0, MAX_NAME), note(name, Object.keys(shape)))
      if (isKnown) below(name, value, shape[name])
    }
  }
}

/**
 * Returns the names in `given` that the schema does not know, at any depth, by their path, each with a note.
 *
 * `where`: the part of the request. `noteOn`: the operation's own notes on some names.
 */
export const ignoredIn = (
  given: unknown,
  schema: z.ZodMiniType | undefined,
  where: 'query' | 'body',
  noteOn?: NoteOn,
): Ignored => {
  if (!isObject(given)) return {}
  const found = new Map<string, string>()
  const note = (name: string, known: readonly string[]) => {
    const near = nearestName(name, known)
    const general = `This operation knows no such field of the ${where}, so it was left out.`
    return noteOn?.(name) ?? `${general}${near === undefined ? '' : ` Did you mean ${near}?`}`
  }
  collect(given, schema, '', note, found)
  return Object.fromEntries(found)
}

type Told = { ignored?: string[]; notes?: Ignored }

/** Returns an answer's body with the ignored names added; the same body if there are none. */
export const withIgnored = <Body extends object>(body: Body, ignored: Ignored): Body & Told => {
  const names = Object.keys(ignored)
  if (names.length === 0) return body
  const answer = body as Told
  return {
    ...body,
    ignored: [...new Set([...(answer.ignored ?? []), ...names])],
    notes: { ...answer.notes, ...ignored },
  }
}

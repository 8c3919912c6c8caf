import type * as z from 'zod/mini'
import { nearestName } from '../lib/nearest-name.ts'

/** What was sent and not used: each name with a sentence. */
export type Ignored = Record<string, string>

const MAX_NAMES = 100
const MAX_NAME = 200

/** The fields a schema knows; undefined where it takes any, and the code that reads them says which it left out. */
export const fieldNames = (schema: z.ZodMiniType | undefined): readonly string[] | undefined => {
  if (!schema) return []
  const { shape, catchall } = schema._zod.def as { shape?: object; catchall?: unknown }
  return shape === undefined || catchall !== undefined ? undefined : Object.keys(shape)
}

const noteOn = (name: string, known: readonly string[], where: string): string => {
  const near = nearestName(name, known)
  return `This operation knows no such field of the ${where}, so it was left out.${near === undefined ? '' : ` Did you mean ${near}?`}`
}

/** The one name that no schema hands on, so that also the code that reads any field never sees it. */
const UNSEEN = '__proto__'

/** The names in `given` that the schema does not know, each with a note. `where` says what they stand in. */
export const ignoredIn = (given: unknown, schema: z.ZodMiniType | undefined, where: 'query' | 'body'): Ignored => {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return {}
  const known = fieldNames(schema)
  return Object.fromEntries(
    Object.keys(given)
      .filter((name) => (known ? !known.includes(name) : name === UNSEEN))
      .slice(0, MAX_NAMES)
      .map((name) => [name.slice(0, MAX_NAME), noteOn(name, known ?? [], where)]),
  )
}

type Told = { ignored?: string[]; notes?: Ignored }

/** An answer's body that also says what was ignored; the same body where nothing was. */
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

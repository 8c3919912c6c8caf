import * as z from 'zod/mini'
import type { CmsFailure, CmsFailureCode } from '../../../publishing/target/cms-adapter.ts'
import {
  type CmsAnswer,
  type CmsCall,
  type CmsDeps,
  callCms,
  freshParameter,
  type Got,
  got,
  quotable,
  readAnswer,
  refused,
} from '../http.ts'

const text = z.nullish(z.string())
const flag = z.nullish(z.boolean())

export const DirectusField = z.object({
  collection: z.string(),
  field: z.string(),
  type: z.string(),
  schema: z.nullish(
    z.object({
      is_nullable: flag,
      default_value: z.optional(z.unknown()),
      max_length: z.nullish(z.number()),
      is_primary_key: flag,
      has_auto_increment: flag,
      is_generated: flag,
    }),
  ),
  meta: z.nullish(
    z.object({
      interface: text,
      special: z.nullish(z.array(z.string())),
      options: z.nullish(z.looseObject({ choices: z.nullish(z.array(z.looseObject({ value: z.unknown() }))) })),
    }),
  ),
})
export type DirectusField = z.infer<typeof DirectusField>

/** Item of a collection: the values of its fields. */
export type DirectusItem = Record<string, unknown>
const Item = z.record(z.string(), z.unknown())

/** Rights of a token by collection and action. */
const Rights = z.record(z.string(), z.record(z.string(), z.object({ access: text })))

const dataOf = <T extends z.ZodMiniType>(data: T) => z.object({ data })
const Info = dataOf(z.object({ project: z.nullish(z.object({ project_name: text })) }))
const Ids = dataOf(z.object({ id: z.string() }))

/** Errors of Directus. `code` is for programs, `message` a sentence. */
const DirectusErrors = z.object({
  errors: z
    .array(
      z.object({
        message: z.string(),
        extensions: z.optional(z.looseObject({ code: z.optional(z.string()), field: text })),
      }),
    )
    .check(z.minLength(1)),
})

const NAME = 'Directus'
/** Directus fetches a file before it answers. */
const IMPORT_TIMEOUT_MS = 45_000
const NO_CONTENT = 204

const CODES: Readonly<Record<string, CmsFailureCode>> = {
  FORBIDDEN: 'auth_forbidden',
  INVALID_CREDENTIALS: 'auth_invalid',
  INVALID_TOKEN: 'auth_invalid',
  TOKEN_EXPIRED: 'auth_invalid',
  USER_SUSPENDED: 'auth_invalid',
  INVALID_IP: 'auth_forbidden',
  LIMIT_EXCEEDED: 'plan_limit',
  RESOURCE_RESTRICTED: 'plan_limit',
  ROUTE_NOT_FOUND: 'site_not_found',
}

const HINTS: Partial<Record<CmsFailureCode, string>> = {
  auth_invalid: ' Generate a static token for the user in Directus again and copy it.',
  auth_forbidden:
    ' The user of the token needs a policy that may create, read and update items of the collection, and read directus_fields.',
  plan_limit: ' The licence of this Directus does not include it.',
}

/** Error of an answer: its code, the field at fault, and Directus’s sentence. */
export type DirectusError = { code: string; field: string; message: string }

const errorIn = (json: unknown): DirectusError | undefined => {
  const error = DirectusErrors.safeParse(json).data?.errors[0]
  return error && { code: error.extensions?.code ?? '', field: error.extensions?.field ?? '', message: error.message }
}

/** Returns Directus's refusal, in its own words. */
const refusalOf = ({ status, json }: CmsAnswer): CmsFailure => {
  const error = errorIn(json)
  const code =
    CODES[error?.code ?? ''] ?? (status === 401 ? 'auth_invalid' : status === 403 ? 'auth_forbidden' : 'validation')
  const sentence = error ? `${NAME} says: ${quotable(error.message)}` : `${NAME} answered HTTP ${status}.`
  return refused(code, `${sentence}${HINTS[code] ?? ''}`, status)
}

/** A value that an item has already, where it must be unique. */
export type NotUnique = { kind: 'not_unique'; field: string; failure: CmsFailure }

type Schema<T> = Parameters<typeof readAnswer<T>>[0]
type Call = Pick<CmsCall, 'method' | 'json' | 'timeoutMs' | 'writes' | 'mayBeOld' | 'isRefusal'>

const GET: Call = { method: 'GET', writes: false }
/** Reads of the project's structure, which decide nothing about a post. */
const STRUCTURE: Call = { ...GET, mayBeOld: true }

/** Values of a primary key, by which items are found. */
export type KeyField = { name: string; type: string }

/**
 * Returns a condition that every item meets, and that differs each time: Directus’s own cache and those in front of it ignore
 * parameters that they do not know.
 */
const always = ({ name, type }: KeyField): object =>
  type === 'uuid' || type === 'string'
    ? { [name]: { _neq: crypto.randomUUID() } }
    : { [name]: { _neq: -Math.ceil(Math.random() * 2_000_000_000) } }

/** Returns the calls of the API of Directus (https://directus.com/docs/api). */
export const directusApi = (deps: CmsDeps, baseUrl: string, token: string) => {
  const ask = (path: string, call: Call): Promise<CmsAnswer | CmsFailure> =>
    callCms(deps, {
      ...call,
      name: NAME,
      url: `${baseUrl}/${path}`,
      headers: { Authorization: `Bearer ${token}` },
      isOwnError: (json) => errorIn(json) !== undefined,
    })
  const readAs = <T>(answer: CmsAnswer, schema: Schema<T>, writes: boolean): Got<T> =>
    answer.status < 300 ? readAnswer(schema, answer, { name: NAME, writes }) : refusalOf(answer)
  const send = async <T>(path: string, schema: Schema<T>, call: Call = GET): Promise<Got<T>> => {
    const answer = await ask(path, call)
    return answer.kind === 'answered' ? readAs(answer, schema, call.writes) : answer
  }
  const items = (collection: string): string => `items/${encodeURIComponent(collection)}`
  const query = (fields: readonly string[], more: Record<string, string> = {}): string =>
    new URLSearchParams({ fields: fields.join(','), ...more }).toString()
  /** Writes an item. Directus answers a writer who may not read with 204 and no body: null. */
  const write = async (
    path: string,
    method: 'POST' | 'PATCH',
    json: DirectusItem,
  ): Promise<Got<DirectusItem | null> | NotUnique> => {
    const answer = await ask(path, { method, json, writes: true })
    if (answer.kind !== 'answered') return answer
    if (answer.status === NO_CONTENT) return got(null)
    const error = errorIn(answer.json)
    if (error?.code === 'RECORD_NOT_UNIQUE')
      return { kind: 'not_unique', field: error.field, failure: refusalOf(answer) }
    const read = readAs(answer, dataOf(Item), true)
    return read.kind === 'got' ? got(read.value.data) : read
  }
  return {
    info: () => send('server/info', Info, STRUCTURE),
    rights: () => send('permissions/me', dataOf(Rights), STRUCTURE),
    allFields: () => send('fields', dataOf(z.array(DirectusField)), STRUCTURE),
    fields: (collection: string) =>
      send(
        `fields/${encodeURIComponent(collection)}?${new URLSearchParams(freshParameter())}`,
        dataOf(z.array(DirectusField)),
        STRUCTURE,
      ),
    /** Returns the items that meet one of the conditions. */
    itemsBy: async (
      collection: string,
      key: KeyField,
      conditions: readonly object[],
      fields: readonly string[],
    ): Promise<Got<DirectusItem[]>> => {
      const filter = JSON.stringify({ _and: [always(key), { _or: conditions }] })
      const found = await send(
        `${items(collection)}?${query(fields, { filter, sort: key.name, limit: '10' })}`,
        dataOf(z.array(Item)),
      )
      return found.kind === 'got' ? got(found.value.data) : found
    },
    create: (collection: string, json: DirectusItem, fields: readonly string[]) =>
      write(`${items(collection)}?${query(fields)}`, 'POST', json),
    change: (collection: string, id: string, json: DirectusItem, fields: readonly string[]) =>
      write(`${items(collection)}/${encodeURIComponent(id)}?${query(fields)}`, 'PATCH', json),
    /** Deletes an item. Returns true if it is gone. */
    remove: async (collection: string, id: string): Promise<boolean> => {
      const answer = await ask(`${items(collection)}/${encodeURIComponent(id)}`, { method: 'DELETE', writes: true })
      return answer.kind === 'answered' && answer.status < 300
    },
    /** True if there is a file with this id that the token may read. */
    hasFile: async (id: string): Promise<boolean> => (await send(`files/${id}?fields=id`, Ids)).kind === 'got',
    /**
     * Lets Directus fetch a file from an address and store it under this id. A repeated call stores no second file.
     */
    importFile: async (url: string, id: string, title: string): Promise<CmsFailure | undefined> => {
      const json = { url, data: { id, title } }
      const answer = await ask('files/import?fields=id', {
        method: 'POST',
        json,
        writes: true,
        timeoutMs: IMPORT_TIMEOUT_MS,
        isRefusal: (answered) => errorIn(answered)?.code === 'SERVICE_UNAVAILABLE',
      })
      if (answer.kind !== 'answered') return answer
      return answer.status < 300 ? undefined : refusalOf(answer)
    },
    /** True if everybody may read a stored file. */
    isPublic: async (id: string): Promise<boolean> => {
      const answer = await deps.outbound({
        url: `${baseUrl}/assets/${id}`,
        method: 'HEAD',
        timeoutMs: 15_000,
        maxBytes: 1_024,
      })
      return answer.kind === 'answered' && answer.status < 300
    },
  }
}

export type DirectusApi = ReturnType<typeof directusApi>

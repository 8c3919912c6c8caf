import * as z from 'zod/mini'
import type { CmsFailure, CmsFailureCode } from '../../../publishing/target/cms-adapter.ts'
import {
  type CmsAnswer,
  type CmsCall,
  type CmsDeps,
  callCms,
  type Got,
  got,
  quotable,
  readAnswer,
  refused,
} from '../http.ts'

const flag = z.nullish(z.boolean())

const Attribute = z.looseObject({
  type: z.string(),
  required: flag,
  multiple: flag,
  maxLength: z.nullish(z.number()),
  // The bounds of a big integer are texts.
  min: z.nullish(z.union([z.number(), z.string()])),
  max: z.nullish(z.union([z.number(), z.string()])),
  enum: z.nullish(z.array(z.string())),
  customField: z.nullish(z.string()),
  default: z.optional(z.unknown()),
})
export type StrapiAttribute = z.infer<typeof Attribute>

const ContentType = z.object({
  uid: z.string(),
  schema: z.object({
    kind: z.nullish(z.string()),
    displayName: z.nullish(z.string()),
    pluralName: z.nullish(z.string()),
    draftAndPublish: flag,
    attributes: z.record(z.string(), Attribute),
  }),
})
export type StrapiContentType = z.infer<typeof ContentType>

/** Version of a document: its values. A document has a draft, and if it is public, a published version too. */
const Document = z.looseObject({
  documentId: z.string(),
  publishedAt: z.nullish(z.string()),
  createdAt: z.nullish(z.string()),
  updatedAt: z.nullish(z.string()),
})
export type StrapiDocument = z.infer<typeof Document>

const Files = z.array(z.object({ id: z.number(), name: z.string(), url: z.string() }))
export type StrapiFile = z.infer<typeof Files>[number]

/** Errors of Strapi. `details` name the fields at fault. */
const StrapiError = z.object({
  error: z.object({
    status: z.nullish(z.number()),
    name: z.string(),
    message: z.string(),
    details: z.nullish(
      z.looseObject({
        errors: z.nullish(
          z.array(
            z.object({ path: z.nullish(z.array(z.union([z.string(), z.number()]))), message: z.nullish(z.string()) }),
          ),
        ),
      }),
    ),
  }),
})

const NAME = 'Strapi'
const UPLOAD_TIMEOUT_MS = 60_000

const CODES: Readonly<Record<number, CmsFailureCode>> = {
  401: 'auth_invalid',
  403: 'auth_forbidden',
  404: 'site_not_found',
  409: 'conflict',
}

const HINTS: Partial<Record<CmsFailureCode, string>> = {
  auth_invalid: ' Create an API token in Strapi again (Settings → API Tokens) and copy it.',
  auth_forbidden:
    ' Give the token full access, or find, create and update of the content type, find and upload of Upload, and getContentTypes of Content-Type-Builder.',
  site_not_found:
    ' The content type needs routes of the REST API, and the address has no path behind the host but its own.',
}

/** Returns the fields that Strapi found at fault, with its words. */
const faultsOf = (json: unknown): { path: string; message: string }[] =>
  (StrapiError.safeParse(json).data?.error.details?.errors ?? []).map(({ path, message }) => ({
    path: (path ?? []).join('.'),
    message: message ?? '',
  }))

/** Returns Strapi's refusal, in its own words. */
const refusalOf = ({ status, json }: CmsAnswer): CmsFailure => {
  const error = StrapiError.safeParse(json).data?.error
  const code = CODES[status] ?? 'validation'
  const faults = faultsOf(json).map(({ path, message }) => `${path}: ${message}`)
  const words = faults.length > 0 ? faults.join('; ') : error?.message
  return refused(
    code,
    `${words ? `${NAME} says: ${quotable(words)}` : `${NAME} answered HTTP ${status}.`}${HINTS[code] ?? ''}`,
    status,
  )
}

/** A value that another document has already, where it must be unique. */
export type NotUnique = { kind: 'not_unique'; field: string; failure: CmsFailure }

/** State that a write leaves a document in. The API publishes if a request has none, so every write names one. */
export type Version = 'published' | 'draft'

type Schema<T> = Parameters<typeof readAnswer<T>>[0]
type Call = Pick<CmsCall, 'method' | 'json' | 'body' | 'timeoutMs' | 'writes' | 'mayBeOld'>

const GET: Call = { method: 'GET', writes: false }
const NO_CONTENT = 204

/** Returns a filter in the form of Strapi's addresses: `filters[$or][0][slug][$eq]=x`. */
const filterOf = (conditions: readonly Record<string, string>[]): [string, string][] => [
  // Every document meets it. It differs each time, because some caches ignore parameters that they do not know.
  ['filters[documentId][$ne]', crypto.randomUUID()],
  ...conditions.flatMap((condition, n) =>
    Object.entries(condition).map(([field, value]): [string, string] => [`filters[$or][${n}][${field}][$eq]`, value]),
  ),
]

/** Returns the calls of the REST API of Strapi 5 (https://docs.strapi.io/cms/api/rest). */
export const strapiApi = (deps: CmsDeps, baseUrl: string, token: string, adminToken: string | undefined) => {
  const ask = (path: string, call: Call, as = token): Promise<CmsAnswer | CmsFailure> =>
    callCms(deps, {
      ...call,
      name: NAME,
      url: `${baseUrl}/${path}`,
      headers: { Authorization: `Bearer ${as}` },
      isOwnError: (json) => StrapiError.safeParse(json).success,
    })
  const readAs = <T>(answer: CmsAnswer, schema: Schema<T>, writes: boolean): Got<T> =>
    answer.status < 300 ? readAnswer(schema, answer, { name: NAME, writes }) : refusalOf(answer)
  const send = async <T>(path: string, schema: Schema<T>, call: Call = GET): Promise<Got<T>> => {
    const answer = await ask(path, call)
    return answer.kind === 'answered' ? readAs(answer, schema, call.writes) : answer
  }
  const query = (version: Version, populate: readonly string[], more: readonly [string, string][] = []): string =>
    new URLSearchParams([
      ['status', version],
      ...populate.map((name, n): [string, string] => [`populate[${n}]`, name]),
      ...more,
    ]).toString()
  const write = async (
    method: 'POST' | 'PUT',
    path: string,
    data: Record<string, unknown>,
  ): Promise<Got<StrapiDocument> | NotUnique> => {
    const answer = await ask(path, { method, json: { data }, writes: true })
    if (answer.kind !== 'answered') return answer
    const taken =
      answer.status === 400 ? faultsOf(answer.json).find(({ message }) => /unique/i.test(message)) : undefined
    if (taken) return { kind: 'not_unique', field: taken.path, failure: refusalOf(answer) }
    const read = readAs(answer, z.object({ data: Document }), true)
    return read.kind === 'got' ? got(read.value.data) : read
  }
  return {
    contentTypes: () =>
      send('api/content-type-builder/content-types', z.object({ data: z.array(ContentType) }), {
        ...GET,
        mayBeOld: true,
      }),
    /** Returns the documents that meet one of the conditions, in one version. */
    documentsBy: async (
      plural: string,
      version: Version,
      populate: readonly string[],
      conditions: readonly Record<string, string>[],
    ): Promise<Got<StrapiDocument[]>> => {
      const more: [string, string][] = [...filterOf(conditions), ['sort', 'createdAt'], ['pagination[pageSize]', '10']]
      const found = await send(`api/${plural}?${query(version, populate, more)}`, z.object({ data: z.array(Document) }))
      return found.kind === 'got' ? got(found.value.data) : found
    },
    create: (plural: string, version: Version, populate: readonly string[], data: Record<string, unknown>) =>
      write('POST', `api/${plural}?${query(version, populate)}`, data),
    change: (
      plural: string,
      documentId: string,
      version: Version,
      populate: readonly string[],
      data: Record<string, unknown>,
    ) => write('PUT', `api/${plural}/${encodeURIComponent(documentId)}?${query(version, populate)}`, data),
    /** Deletes a document. Returns true if it is gone. */
    remove: async (plural: string, documentId: string): Promise<boolean> => {
      const answer = await ask(`api/${plural}/${encodeURIComponent(documentId)}`, { method: 'DELETE', writes: true })
      return answer.kind === 'answered' && (answer.status < 300 || answer.status === NO_CONTENT)
    },
    /** Takes a document down. Only an admin token may; undefined without one. */
    unpublish: async (uid: string, documentId: string): Promise<CmsFailure | undefined> => {
      const path = `content-manager/collection-types/${uid}/${encodeURIComponent(documentId)}/actions/unpublish`
      const answer = await ask(path, { method: 'POST', json: {}, writes: true }, adminToken ?? '')
      if (answer.kind !== 'answered') return answer
      return answer.status < 300 ? undefined : refusalOf(answer)
    },
    /** Returns a stored file by its name. */
    fileNamed: async (name: string): Promise<Got<StrapiFile | undefined>> => {
      const filter = new URLSearchParams([
        ['filters[name][$eq]', name],
        ['filters[hash][$ne]', crypto.randomUUID()],
      ])
      const found = await send(`api/upload/files?${filter}`, Files)
      return found.kind === 'got' ? got(found.value.find((file) => file.name === name)) : found
    },
    upload: async (body: FormData): Promise<Got<StrapiFile>> => {
      const call: Call = { method: 'POST', body, writes: true, timeoutMs: UPLOAD_TIMEOUT_MS }
      const stored = await send('api/upload', Files.check(z.minLength(1)), call)
      return stored.kind === 'got' ? got(stored.value[0] as StrapiFile) : stored
    },
  }
}

export type StrapiApi = ReturnType<typeof strapiApi>

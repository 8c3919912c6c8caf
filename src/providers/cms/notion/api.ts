import * as z from 'zod/mini'
import type { CmsFailure } from '../../../publishing/target/cms-adapter.ts'
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

const text = z.nullish(z.string())
const options = z.object({ options: z.array(z.object({ name: z.string() })) })

const NotionDatabase = z.object({
  title: z.optional(z.array(z.object({ plain_text: z.string() }))),
  url: text,
  data_sources: z.array(z.object({ id: z.string(), name: text })),
})

export const NotionProperty = z.object({
  name: z.string(),
  type: z.string(),
  status: z.optional(options),
  select: z.optional(options),
})
export type NotionProperty = z.infer<typeof NotionProperty>

export const NotionDataSource = z.object({ id: z.string(), properties: z.record(z.string(), NotionProperty) })
export type NotionDataSource = z.infer<typeof NotionDataSource>

const RichText = z.object({
  plain_text: z.string(),
  href: text,
  annotations: z.optional(z.record(z.string(), z.unknown())),
})
export type RichText = z.infer<typeof RichText>

const Option = z.nullish(z.object({ name: z.string() }))

export const NotionValue = z.object({
  type: z.string(),
  title: z.optional(z.array(RichText)),
  rich_text: z.optional(z.array(RichText)),
  status: z.optional(Option),
  select: z.optional(Option),
  multi_select: z.optional(z.array(z.object({ name: z.string() }))),
  checkbox: z.optional(z.boolean()),
  url: text,
  date: z.nullish(z.object({ start: z.string() })),
  files: z.optional(z.array(z.object({ name: z.string(), external: z.optional(z.object({ url: z.string() })) }))),
})
export type NotionValue = z.infer<typeof NotionValue>

export const NotionPage = z.object({
  id: z.string(),
  url: text,
  public_url: text,
  created_time: text,
  last_edited_time: text,
  in_trash: z.optional(z.boolean()),
  archived: z.optional(z.boolean()),
  cover: z.nullish(
    z.object({
      type: z.string(),
      external: z.optional(z.object({ url: z.string() })),
      file: z.optional(z.object({ url: z.string() })),
    }),
  ),
  properties: z.record(z.string(), NotionValue),
})
export type NotionPage = z.infer<typeof NotionPage>

type Listed = { object?: string | undefined }

/** Removes the data sources that a wiki lists among its pages. */
const pagesOnly = (results: unknown[]) =>
  results.filter((one) => (one as Listed | null)?.object !== 'data_source') as z.input<typeof NotionPage>[]

const NotionPages = z.object({
  results: z.pipe(z.pipe(z.array(z.unknown()), z.transform(pagesOnly)), z.array(NotionPage)),
  has_more: z.optional(z.boolean()),
  next_cursor: text,
})

export const NotionMarkdown = z.object({
  markdown: z.string(),
  truncated: z.optional(z.boolean()),
  unknown_block_ids: z.optional(z.array(z.string())),
})
export type NotionMarkdown = z.infer<typeof NotionMarkdown>

const NotionUpload = z.object({ id: z.string(), status: z.string() })

const NotionUser = z.object({ id: z.string(), name: text })

const NotionError = z.object({ code: text, message: text })

const NAME = 'Notion'
const VERSION = '2025-09-03'
/** Version of Markdown that we write and read. v1 is the default of this API release, and the next one refuses it. */
export const MARKDOWN = 'v2'
/** Versions of Markdown in stored versions of pages. */
export type MarkdownVersion = 'v1' | 'v2'
/** Notion creates the blocks of a long text before it answers. */
const CONTENT_TIMEOUT_MS = 45_000
/** Status of an overloaded service. Notion's own client repeats any call that got it, so nothing was done. */
const OVERLOADED = 529

type Code = Extract<CmsFailure, { kind: 'refused' }>['code']

const codeOf = (status: number, words: string): Code => {
  if (status === 401) return 'auth_invalid'
  if (/\b(plan|upgrade|block limit|limit reached)\b/i.test(words)) return 'plan_limit'
  if (status === 403) return 'auth_forbidden'
  if (status === 404) return 'site_not_found'
  return status === 409 ? 'conflict' : 'validation'
}

const HINTS: Partial<Record<Code, string>> = {
  auth_invalid: ' Copy the token of the internal integration again.',
  auth_forbidden: ' The integration needs the rights to read, insert and update content.',
  site_not_found: ' Share the database with the integration (••• → Connections).',
}

/** Returns Notion's refusal, in its own words. */
const refusalOf = ({ status, json }: CmsAnswer): CmsFailure => {
  const parsed = NotionError.safeParse(json)
  const words = parsed.success ? (parsed.data.message ?? parsed.data.code ?? '') : ''
  const code = codeOf(status, words)
  const sentence = words ? `${NAME} says: ${quotable(words)}` : `${NAME} answered HTTP ${status}.`
  return refused(code, `${sentence}${HINTS[code] ?? ''}`, status, code === 'conflict')
}

/** True if Notion itself answers that there is no such page or that the id is not valid. A proxy's 404 page does not count. */
const isNoPage = ({ status, json }: CmsAnswer): boolean => {
  const error = NotionError.safeParse(json)
  if (!error.success) return false
  const { code, message } = error.data
  return (status === 404 && code === 'object_not_found') || (status === 400 && /valid uuid/i.test(message ?? ''))
}

type Schema<T> = Parameters<typeof readAnswer<T>>[0]
type Call = Pick<CmsCall, 'method' | 'json' | 'timeoutMs'> & { writes: boolean }

const GET: Call = { method: 'GET', writes: false }

/** Returns the calls of Notion's API (https://developers.notion.com/reference). */
export const notionApi = (deps: CmsDeps, baseUrl: string, token: string) => {
  const ask = async (path: string, call: Call): Promise<CmsAnswer | CmsFailure> => {
    const answer = await callCms(deps, {
      ...call,
      name: NAME,
      url: `${baseUrl}/v1/${path}`,
      headers: { Authorization: `Bearer ${token}`, 'Notion-Version': VERSION },
      isOwnError: (json) => Boolean(NotionError.safeParse(json).data?.code),
    })
    return answer.kind === 'unknown' && answer.httpStatus === OVERLOADED
      ? refused('unavailable', `${NAME} is overloaded.`, OVERLOADED, true)
      : answer
  }
  const readAs = <T>(answer: CmsAnswer, schema: Schema<T>, { writes }: Call): Got<T> =>
    answer.status < 300 ? readAnswer(schema, answer, { name: NAME, writes }) : refusalOf(answer)
  const send = async <T>(path: string, schema: Schema<T>, call: Call = GET): Promise<Got<T>> => {
    const answer = await ask(path, call)
    return answer.kind === 'answered' ? readAs(answer, schema, call) : answer
  }
  /** Like `send`, but returns null if Notion itself answers that there is no such page. */
  const sendOrNull = async <T>(path: string, schema: Schema<T>, call: Call = GET): Promise<Got<T | null>> => {
    const answer = await ask(path, call)
    if (answer.kind !== 'answered') return answer
    return isNoPage(answer) ? got(null) : readAs(answer, schema, call)
  }
  const page = (id: string): string => `pages/${encodeURIComponent(id)}`
  return {
    self: () => send('users/me', NotionUser),
    database: (id: string) => send(`databases/${id}`, NotionDatabase),
    dataSource: (id: string) => send(`data_sources/${id}`, NotionDataSource),
    /** Returns pages by the text of a property, oldest first. */
    pagesBy: async (dataSourceId: string, property: { name: string; type: string }, value: string) => {
      const filter = { property: property.name, [property.type]: { equals: value } }
      const sorts = [{ timestamp: 'created_time', direction: 'ascending' }]
      const json = { filter, sorts, page_size: 10 }
      return await send(`data_sources/${dataSourceId}/query`, NotionPages, { method: 'POST', json, writes: false })
    },
    /** Returns a hundred pages after a cursor, oldest first. */
    pagesFrom: (dataSourceId: string, cursor: string | null) => {
      const sorts = [{ timestamp: 'created_time', direction: 'ascending' }]
      const json = { sorts, page_size: 100, ...(cursor === null ? {} : { start_cursor: cursor }) }
      return send(`data_sources/${dataSourceId}/query`, NotionPages, { method: 'POST', json, writes: false })
    },
    /** Makes Notion import a file from an https address. */
    importFile: (external_url: string, filename: string, content_type: string | undefined) =>
      send('file_uploads', NotionUpload, {
        method: 'POST',
        json: { mode: 'external_url', external_url, filename, ...(content_type ? { content_type } : {}) },
        writes: false,
      }),
    upload: (id: string) => send(`file_uploads/${encodeURIComponent(id)}`, NotionUpload),
    page: (id: string) => sendOrNull(page(id), NotionPage),
    markdown: (id: string) => sendOrNull(`${page(id)}/markdown?markdown_version=${MARKDOWN}`, NotionMarkdown),
    create: (json: Record<string, unknown>) =>
      send('pages', NotionPage, {
        method: 'POST',
        json: 'markdown' in json ? { ...json, markdown_version: MARKDOWN } : json,
        writes: true,
        timeoutMs: CONTENT_TIMEOUT_MS,
      }),
    change: (id: string, json: Record<string, unknown>) =>
      sendOrNull(page(id), NotionPage, { method: 'PATCH', json, writes: true }),
    replaceContent: (id: string, markdown: string, version: MarkdownVersion = MARKDOWN) => {
      // Without `allow_deleting_content` Notion refuses content that would delete pages and databases under this page.
      const json = { type: 'replace_content', replace_content: { new_str: markdown }, markdown_version: version }
      const call: Call = { method: 'PATCH', json, writes: true, timeoutMs: CONTENT_TIMEOUT_MS }
      return sendOrNull(`${page(id)}/markdown`, NotionMarkdown, call)
    },
  }
}

export type NotionApi = ReturnType<typeof notionApi>

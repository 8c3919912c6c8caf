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
import {
  NotionDatabase,
  NotionDataSource,
  NotionError,
  NotionMarkdown,
  NotionPage,
  NotionPages,
  NotionUpload,
  NotionUser,
} from './types.ts'

const NAME = 'Notion'
const VERSION = '2025-09-03'
/** The form of Markdown that we write and read: v1 is the default of this release of the API, and refused by the next. */
export const MARKDOWN = 'v2'
/** Forms of Markdown that kept versions may have. */
export type MarkdownVersion = 'v1' | 'v2'
/** Notion makes the blocks of a long text before it answers. */
const CONTENT_TIMEOUT_MS = 45_000
/** Service overload: Notion's own client repeats any call that met it, so nothing was done. */
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

/** True if Notion itself says that there is no such page, or that the id cannot be one: a 404 page of a proxy says nothing. */
const isNoPage = ({ status, json }: CmsAnswer): boolean => {
  const error = NotionError.safeParse(json)
  if (!error.success) return false
  const { code, message } = error.data
  return (status === 404 && code === 'object_not_found') || (status === 400 && /valid uuid/i.test(message ?? ''))
}

type Schema<T> = Parameters<typeof readAnswer<T>>[0]
type Call = Pick<CmsCall, 'method' | 'json' | 'timeoutMs'> & { writes: boolean }

const GET: Call = { method: 'GET', writes: false }

/** Calls of Notion's API. */
export const notionApi = (deps: CmsDeps, baseUrl: string, token: string) => {
  const ask = async (path: string, call: Call): Promise<CmsAnswer | CmsFailure> => {
    const answer = await callCms(deps, {
      ...call,
      name: NAME,
      url: `${baseUrl}/v1/${path}`,
      headers: { Authorization: `Bearer ${token}`, 'Notion-Version': VERSION },
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
  /** Like `send`, with null where Notion itself says that there is no such page. */
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
    /** Pages by the text of a property, oldest first. */
    pagesBy: async (dataSourceId: string, property: { name: string; type: string }, value: string) => {
      const filter = { property: property.name, [property.type]: { equals: value } }
      const sorts = [{ timestamp: 'created_time', direction: 'ascending' }]
      const json = { filter, sorts, page_size: 10 }
      return await send(`data_sources/${dataSourceId}/query`, NotionPages, { method: 'POST', json, writes: false })
    },
    /** Makes Notion import a file from its address, https only. */
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
      // Without `allow_deleting_content` Notion refuses what would delete pages and databases that are under this one.
      const json = { type: 'replace_content', replace_content: { new_str: markdown }, markdown_version: version }
      const call: Call = { method: 'PATCH', json, writes: true, timeoutMs: CONTENT_TIMEOUT_MS }
      return sendOrNull(`${page(id)}/markdown`, NotionMarkdown, call)
    },
  }
}

export type NotionApi = ReturnType<typeof notionApi>

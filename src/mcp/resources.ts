import { ProtocolError, ProtocolErrorCode, ResourceNotFoundError } from '@modelcontextprotocol/server'
import type { Api, ApiAnswer } from './api.ts'
import { textFrom, truncateToFit } from './long-results.ts'
import { operationAt } from './served.ts'

const MARKDOWN = 'text/markdown'

const TEMPLATES = [
  {
    uriTemplate: 'galley://articles/{id}',
    name: 'article',
    title: 'Article',
    description: 'Article with its content, as returned by get_article.',
    mimeType: 'application/json',
  },
  {
    uriTemplate: 'galley://articles/{id}/brief',
    name: 'article_brief',
    title: 'Brief of an article',
    description: 'Requirements for writing a planned article.',
    mimeType: 'application/json',
  },
  {
    uriTemplate: 'galley://reference/{operation}',
    name: 'operation',
    title: 'Operation of the API',
    description: 'Fields, responses, errors and an example of an operation, by its ID: articles.publish.',
    mimeType: MARKDOWN,
  },
  {
    uriTemplate: 'galley://errors/{code}',
    name: 'error',
    title: 'Error',
    description: 'Meaning of an error code, and what to do.',
    mimeType: MARKDOWN,
  },
  {
    uriTemplate: 'galley://docs/{+path}',
    name: 'document',
    title: 'Document',
    description: 'Page of the documentation, by its path below /docs: how/articles.',
    mimeType: MARKDOWN,
  },
  {
    uriTemplate: 'galley://events?after={after}',
    name: 'events_after',
    title: 'Events after a cursor',
    description: 'Events since an earlier read. The cursor is its after.',
    mimeType: 'application/json',
  },
]

const EVENTS = {
  uri: 'galley://events',
  name: 'events',
  title: 'Events',
  description: 'Events of the account, oldest first, as returned by GET /events. Continue with its after.',
  mimeType: 'application/json',
}

const EVENTS_URI = /^galley:\/\/events(?:\?after=(\d{1,10}))?$/

/** Resource that lists the operations, the documents and the first calls. */
const REFERENCE = {
  uri: 'galley://reference',
  name: 'reference',
  title: 'Reference of the API',
  description: 'All operations and documents, and the calls from a key to a published article.',
  mimeType: MARKDOWN,
}

/** Reads a document from the Worker that serves them; returns undefined if there is none at the path. */
export type ReadDocument = (path: string) => Promise<string | undefined>

/** URI patterns of documents, with the path of each at the Worker that serves them. */
const DOCUMENTS: readonly (readonly [RegExp, (name: string) => string])[] = [
  [/^galley:\/\/reference()$/, () => '/llms.txt'],
  [/^galley:\/\/reference\/([a-z_.]{1,100})$/, (id) => `/docs/api/${id}.md`],
  [/^galley:\/\/errors\/([a-z_]{1,100})$/, (code) => `/docs/errors/${code}.md`],
  [/^galley:\/\/docs\/([a-z][a-z/-]{0,99})$/, (path) => `/docs/${path}.md`],
]

/** Returns the path of a URI's document; undefined if the URI is not a document's. */
const documentAt = (uri: string): string | undefined => {
  for (const [pattern, pathOf] of DOCUMENTS) {
    const [, name] = pattern.exec(uri) ?? []
    if (name !== undefined) return pathOf(name)
  }
  return undefined
}

const RESOURCE = /^galley:\/\/articles\/([1-9]\d{0,9})(\/brief)?$/
const LISTED = 50

/** Returns the templates of resource URIs. */
export const resourceTemplates = () => ({ resourceTemplates: TEMPLATES })

const ask = async (api: Api, call: string, path: string): Promise<ApiAnswer> => {
  const op = operationAt(call)
  if (!op) throw new Error(`no operation ${call}`)
  return await api(op, { method: op.method, path })
}

/** Returns an API error as a JSON-RPC error: its message, and its body as data. */
const faultOf = ({ status, body }: ApiAnswer): ProtocolError =>
  new ProtocolError(
    status < 500 ? ProtocolErrorCode.InvalidParams : ProtocolErrorCode.InternalError,
    String(body.message ?? body.error),
    body,
  )

type Row = { ID: number; Title: string; Status: string }

/** Returns the resources: reference, event feed and newest articles. Throws the API's errors. */
export const listResources = async (api: Api) => {
  const answer = await ask(api, 'GET /articles', `/articles?limit=${LISTED}`)
  if (answer.status !== 200) throw faultOf(answer)
  return {
    resources: [
      REFERENCE,
      EVENTS,
      ...(answer.body.articles as Row[]).map(({ ID, Title, Status }) => ({
        uri: `galley://articles/${ID}`,
        name: `article_${ID}`,
        title: Title,
        description: Status,
        mimeType: 'application/json',
      })),
    ],
  }
}

/** Returns an article or its brief, shortened as in the tools that read them. */
const fitting = (body: ApiAnswer['body'], isBrief: boolean): ApiAnswer['body'] => {
  const tool = isBrief ? 'get_article_brief' : 'get_article'
  return truncateToFit(isBrief ? body : textFrom(body, 'Content', 0, tool), { tool, taken: new Set(), args: {} })
}

const contentOf = (uri: string, body: ApiAnswer['body']) => ({
  contents: [{ uri, mimeType: 'application/json', text: JSON.stringify(body) }],
})

/** Returns the events after the cursor in the URI. Throws the API's errors. */
const readEvents = async (api: Api, uri: string, after: string | undefined) => {
  const answer = await ask(api, 'GET /events', after === undefined ? '/events' : `/events?after=${after}`)
  if (answer.status !== 200) throw faultOf(answer)
  return contentOf(uri, answer.body)
}

/**
 * Returns a document, the events, an article or its brief. Throws `ResourceNotFoundError` for any other URI and for
 * another account's article.
 */
export const readResource = async (api: Api, read: ReadDocument, uri: string) => {
  const path = documentAt(uri)
  const document = path === undefined ? undefined : await read(path)
  if (document !== undefined) return { contents: [{ uri, mimeType: MARKDOWN, text: document }] }
  const events = EVENTS_URI.exec(uri)
  if (events) return await readEvents(api, uri, events[1])
  const [, id, brief] = RESOURCE.exec(uri) ?? []
  if (id === undefined) throw new ResourceNotFoundError(uri)
  const answer = brief
    ? await ask(api, 'GET /articles/:id/brief', `/articles/${id}/brief`)
    : await ask(api, 'GET /articles/:id', `/articles/${id}`)
  if (answer.status === 404 || answer.status === 403 || answer.status === 400) throw new ResourceNotFoundError(uri)
  if (answer.status !== 200) throw faultOf(answer)
  return contentOf(uri, fitting(answer.body, brief !== undefined))
}

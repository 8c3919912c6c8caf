import { ProtocolError, ProtocolErrorCode, ResourceNotFoundError } from '@modelcontextprotocol/server'
import type { Api, ApiAnswer } from './api.ts'
import { cutToFit, textFrom } from './long-results.ts'
import { operationAt } from './served.ts'

const TEMPLATES = [
  {
    uriTemplate: 'galley://articles/{id}',
    name: 'article',
    title: 'Article',
    description: 'An article with its content, as get_article answers it.',
    mimeType: 'application/json',
  },
  {
    uriTemplate: 'galley://articles/{id}/brief',
    name: 'article_brief',
    title: 'Brief of an article',
    description: 'What is needed to write a planned article.',
    mimeType: 'application/json',
  },
]

const RESOURCE = /^galley:\/\/articles\/([1-9]\d{0,9})(\/brief)?$/
const LISTED = 50

export const resourceTemplates = () => ({ resourceTemplates: TEMPLATES })

const ask = async (api: Api, call: string, path: string): Promise<ApiAnswer> => {
  const op = operationAt(call)
  if (!op) throw new Error(`no operation ${call}`)
  return await api(op, { method: op.method, path })
}

/** The API's error as JSON-RPC tells one: its sentence, and its body as data. */
const faultOf = ({ status, body }: ApiAnswer): ProtocolError =>
  new ProtocolError(
    status < 500 ? ProtocolErrorCode.InvalidParams : ProtocolErrorCode.InternalError,
    String(body.message ?? body.error),
    body,
  )

type Row = { ID: number; Title: string; Status: string }

/** The newest articles as resources. Throws what the API refuses. */
export const listResources = async (api: Api) => {
  const answer = await ask(api, 'GET /articles', `/articles?limit=${LISTED}`)
  if (answer.status !== 200) throw faultOf(answer)
  return {
    resources: (answer.body.articles as Row[]).map(({ ID, Title, Status }) => ({
      uri: `galley://articles/${ID}`,
      name: `article_${ID}`,
      title: Title,
      description: Status,
      mimeType: 'application/json',
    })),
  }
}

/** An article or its brief, cut as the tools that read them cut it. */
const fitting = (body: ApiAnswer['body'], isBrief: boolean): ApiAnswer['body'] => {
  const tool = isBrief ? 'get_article_brief' : 'get_article'
  return cutToFit(isBrief ? body : textFrom(body, 'Content', 0, tool), { tool, taken: new Set(), args: {} })
}

/** An article or its brief. Throws that it is not found for any other address and for what is not the caller's. */
export const readResource = async (api: Api, uri: string) => {
  const [, id, brief] = RESOURCE.exec(uri) ?? []
  if (id === undefined) throw new ResourceNotFoundError(uri)
  const answer = brief
    ? await ask(api, 'GET /articles/:id/brief', `/articles/${id}/brief`)
    : await ask(api, 'GET /articles/:id', `/articles/${id}`)
  if (answer.status === 404 || answer.status === 403 || answer.status === 400) throw new ResourceNotFoundError(uri)
  if (answer.status !== 200) throw faultOf(answer)
  return {
    contents: [{ uri, mimeType: 'application/json', text: JSON.stringify(fitting(answer.body, brief !== undefined)) }],
  }
}

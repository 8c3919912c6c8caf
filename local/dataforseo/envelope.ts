import { randomUUID } from 'node:crypto'
import { published } from '../published.ts'
import { type Answer, json } from '../receiver/answers.ts'

export type Task = Readonly<Record<string, unknown>>
/** Outcome of a task: its result, or a code with its message. */
export type TaskAnswer = { code: number; message: string; result?: unknown[]; cost?: number }

type Entry = Partial<TaskAnswer> & { message: string; id?: string; path?: string; data?: Task }

/** Returns a task as an answer shows it. */
export const entryOf = ({ id, code = 0, message, result, cost = 0, path = '', data = {} }: Entry) => ({
  id: id ?? randomUUID(),
  status_code: code,
  status_message: message,
  time: '0.02 sec.',
  cost,
  result_count: result?.length ?? 0,
  path: path.split('/').filter((part) => part !== ''),
  data,
  result: result ?? null,
})

type Whole = { outer?: number; message?: string; entries?: readonly ReturnType<typeof entryOf>[] }

/** Returns the envelope of every answer. Without `outer` the call itself succeeded, even if its tasks failed. */
export const envelopeOf = ({ outer, message, entries = [] }: Whole) => ({
  version: '0.1.20261101',
  status_code: outer ?? 20_000,
  status_message: message ?? 'Ok.',
  time: '0.0301 sec.',
  cost: entries.reduce((sum, { cost }) => sum + cost, 0),
  tasks_count: entries.length,
  // The provider counts no error here, even if a task failed.
  tasks_error: 0,
  tasks: outer === undefined ? entries : null,
})

type Envelope = Entry & { outer?: number }

/** Returns the envelope of a call with one task. */
export const envelope = ({ outer, ...entry }: Envelope) =>
  outer === undefined ? envelopeOf({ entries: [entryOf(entry)] }) : envelopeOf({ outer, message: entry.message })

/** Returns the answer to a task with a field that is not valid. */
export const invalid = (field: string): TaskAnswer => ({ code: 40_501, message: `Invalid Field: '${field}'.` })

const MESSAGES: Record<number, string> = {
  40100: 'You are not Authorized to Access this Resource.',
  40101: 'Internal SE Error.',
  40102: 'No Search Results.',
  40103: 'Task execution failed.',
  40104: 'Please verify your account before using the API.',
  40200: 'Payment Required.',
  40202: 'You have exceeded the rate limit per minute.',
  40203: 'The cost limit per day has been exceeded.',
  40204: 'Access denied. Visit Plans and Subscriptions to activate your subscription.',
  40207: 'Your IP address is not whitelisted.',
  40209: 'You can send up to 30 simultaneous requests.',
  40210: 'Insufficient Funds.',
  50000: 'Internal Error.',
  50301: '3rd Party API Service Unavailable.',
}

/** Codes for the whole call, with their HTTP status. All other codes are for one task, with status 200. */
const OUTER: Record<number, number> = { 40100: 401, 40104: 200, 40200: 402, 40202: 200, 40209: 200, 50000: 500 }

const codeIn = (task: Task): number | undefined => {
  const words = [task.keyword, task.user_prompt, ...(Array.isArray(task.keywords) ? task.keywords : [])]
  for (const word of words) {
    const [, code] = /^err:(\d{5})\b/.exec(String(word ?? '')) ?? []
    if (code !== undefined) return Number(code)
  }
  return undefined
}

/**
 * Returns the answer to a task: the endpoint's, or the code in its keyword. `outer`: HTTP status, if the whole call
 * fails.
 */
export const becomesOf = (task: Task, endpoint: (task: Task) => TaskAnswer): TaskAnswer & { outer?: number } => {
  const code = codeIn(task)
  if (code === undefined) return endpoint(task)
  const message =
    code === 40_501
      ? invalid(task.user_prompt === undefined ? 'keyword' : 'user_prompt').message
      : (MESSAGES[code] ?? 'Error.')
  const outer = OUTER[code]
  return { code, message, cost: code === 40_101 ? 0.01 : 0, ...(outer === undefined ? {} : { outer }) }
}

/** Returns the answer to a call with one task. */
export const answerTo = (task: Task, endpoint: (task: Task) => TaskAnswer, path: string): Answer => {
  const { outer, ...answer } = becomesOf(task, endpoint)
  return outer === undefined
    ? json(200, envelope({ ...answer, path, data: task }))
    : json(outer, envelope({ outer: answer.code, message: answer.message }))
}

export const SCHEMA = published('dataforseo')

/**
 * Returns the provider's answer to a task with an unknown field, or one of a wrong type; undefined if all fields fit.
 */
export const fieldFault = (path: string, task: Task): TaskAnswer | undefined => {
  const unfit = SCHEMA.unfitEntry(`POST ${path}`, task)
  const field = unfit?.path.at(-1)
  if (unfit?.kind === 'unknown') return { code: 40_506, message: `Unknown Fields in POST Data: '${field}'.` }
  return unfit && { code: 40_501, message: `Invalid Field: '${field}'.` }
}

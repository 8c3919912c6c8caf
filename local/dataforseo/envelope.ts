import { randomUUID } from 'node:crypto'
import { type Answer, json } from '../receiver/answers.ts'

export type Task = Readonly<Record<string, unknown>>
/** What becomes of a task: its result, or a code with its message. */
export type TaskAnswer = { code: number; message: string; result?: unknown[]; cost?: number }

type Envelope = Partial<TaskAnswer> & { outer?: number; message: string; path?: string; data?: Task }

/** The envelope of every answer. Without `outer` the call itself went well, whatever became of its task. */
export const envelope = ({ outer, code = 0, message, result, cost = 0, path = '', data = {} }: Envelope) => ({
  version: '0.1.20261101',
  status_code: outer ?? 20_000,
  status_message: outer === undefined ? 'Ok.' : message,
  time: '0.0301 sec.',
  cost,
  tasks_count: outer === undefined ? 1 : 0,
  // As the provider does: no error is counted here, also where the task failed.
  tasks_error: 0,
  tasks:
    outer === undefined
      ? [
          {
            id: randomUUID(),
            status_code: code,
            status_message: message,
            time: '0.02 sec.',
            cost,
            result_count: result?.length ?? 0,
            path: path.split('/').filter((part) => part !== ''),
            data,
            result: result ?? null,
          },
        ]
      : null,
})

/** The answer to a task with a field that is not valid. */
export const invalid = (field: string): TaskAnswer => ({ code: 40_501, message: `Invalid Field: '${field}'.` })

/** The answer to a task with a field besides these (separated by blanks); undefined where it has none. */
export const unknownField = (task: Task, fields: string): TaskAnswer | undefined => {
  const known = `${fields} tag`.split(' ')
  const strange = Object.keys(task).find((name) => !known.includes(name))
  return strange === undefined ? undefined : { code: 40_506, message: `Unknown Fields in POST Data: '${strange}'.` }
}

const MESSAGES: Record<number, string> = {
  40100: 'You are not Authorized to Access this Resource.',
  40101: 'Internal SE Error.',
  40102: 'No Search Results.',
  40103: 'Task execution failed.',
  40200: 'Payment Required.',
  40202: 'You have exceeded the rate limit per minute.',
  40203: 'The cost limit per day has been exceeded.',
  40204: 'Access denied. Visit Plans and Subscriptions to activate your subscription.',
  40207: 'Your IP address is not whitelisted.',
  50000: 'Internal Error.',
  50301: '3rd Party API Service Unavailable.',
}

/** Codes told for the whole call, with the HTTP status they come with; all others are the task's, under 200. */
const OUTER: Record<number, number> = { 40100: 401, 40200: 402, 40202: 200, 50000: 500 }

const codeIn = (task: Task): number | undefined => {
  const words = [task.keyword, task.user_prompt, ...(Array.isArray(task.keywords) ? task.keywords : [])]
  for (const word of words) {
    const [, code] = /^err:(\d{5})\b/.exec(String(word ?? '')) ?? []
    if (code !== undefined) return Number(code)
  }
  return undefined
}

/** The answer to a call with one task: what the endpoint says, or the code its keyword asks for. */
export const answerTo = (task: Task, endpoint: (task: Task) => TaskAnswer, path: string): Answer => {
  const wanted = codeIn(task)
  if (wanted === undefined) return json(200, envelope({ ...endpoint(task), path, data: task }))
  const message =
    wanted === 40_501
      ? invalid(task.user_prompt === undefined ? 'keyword' : 'user_prompt').message
      : (MESSAGES[wanted] ?? 'Error.')
  const status = OUTER[wanted]
  return status === undefined
    ? json(200, envelope({ code: wanted, message, path, data: task, cost: wanted === 40_101 ? 0.01 : 0 }))
    : json(status, envelope({ outer: wanted, message }))
}

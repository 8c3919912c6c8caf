import { waitingFor } from '../lib/request-scope.ts'
import { within } from '../lib/within.ts'

type Answer = { result?: unknown; error?: string }

const ask = async (url: string, token: string, body: unknown): Promise<unknown> => {
  const response = await fetch(url, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  })
  // `json()` of the platform takes a promise of its own more.
  return JSON.parse(await response.text())
}

const post = (url: string, token: string, body: unknown, timeoutMs: number): Promise<unknown> =>
  waitingFor('redis', () => within(timeoutMs, ask(url, token, body)))

const resultOf = (answer: Answer): unknown => {
  if (answer.error !== undefined) throw new Error(answer.error)
  return answer.result
}

/** One command over Upstash's REST protocol (JSON array in, `{result}` or `{error}` out). Throws with the server's error text, or when it takes too long. */
export const redisCommand = async (
  url: string,
  token: string,
  command: readonly unknown[],
  timeoutMs: number,
): Promise<unknown> => resultOf((await post(url, token, command, timeoutMs)) as Answer)

/** Commands in one request, one after the other; their results. Throws with the text of the first that was refused. */
export const redisPipeline = async (
  url: string,
  token: string,
  commands: readonly (readonly unknown[])[],
  timeoutMs: number,
): Promise<unknown[]> => {
  const [only] = commands
  if (only && commands.length === 1) return [await redisCommand(url, token, only, timeoutMs)]
  const answers = (await post(`${url}/pipeline`, token, commands, timeoutMs)) as Answer | Answer[]
  return Array.isArray(answers) ? answers.map(resultOf) : [resultOf(answers)]
}

/** Holds a mark that every change replaces, so that the minute's work knows without asking the database whether there is any. */
export const CHANGED_KEY = 'galley:changed'

const CHANGED_TIMEOUT_MS = 2_000

/** Tells the minute's work that something was changed; to be run after the change, and not waited for. */
export const markChanged = async (url: string, token: string, mark: string): Promise<void> => {
  await redisCommand(url, token, ['SET', CHANGED_KEY, mark], CHANGED_TIMEOUT_MS)
}

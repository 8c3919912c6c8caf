/** The two commands the rate limiter sends. */
export type ScriptRunner = {
  evalsha: <TArgs extends unknown[], TData = unknown>(sha1: string, keys: string[], args: TArgs) => Promise<TData>
  eval: <TArgs extends unknown[], TData = unknown>(script: string, keys: string[], args: TArgs) => Promise<TData>
}

/** One command over Upstash's REST protocol (JSON array in, `{result}` or `{error}` out). Throws with the server's error text. */
export const redisCommand = async (
  url: string,
  token: string,
  command: readonly unknown[],
  signal?: AbortSignal,
): Promise<unknown> => {
  const response = await fetch(url, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify(command),
    ...(signal ? { signal } : {}),
  })
  const answer = (await response.json()) as { result?: unknown; error?: string }
  if (answer.error !== undefined) throw new Error(answer.error)
  return answer.result
}

/**
 * Redis as @upstash/ratelimit needs it. The full client would add 17 KB gzipped to every Worker for commands nothing here
 * sends.
 */
export const scriptRunner = (url: string, token: string): ScriptRunner => ({
  evalsha: async (sha1, keys, args) =>
    (await redisCommand(url, token, ['EVALSHA', sha1, keys.length, ...keys, ...args])) as never,
  eval: async (script, keys, args) =>
    (await redisCommand(url, token, ['EVAL', script, keys.length, ...keys, ...args])) as never,
})

/** Holds a mark that every change replaces, so that the minute's work knows without asking the database whether there is any. */
export const CHANGED_KEY = 'galley:changed'

const CHANGED_TIMEOUT_MS = 2_000

/** Tells the minute's work that something was changed; to be run after the change, and not waited for. */
export const markChanged = async (url: string, token: string, mark: string): Promise<void> => {
  await redisCommand(url, token, ['SET', CHANGED_KEY, mark], AbortSignal.timeout(CHANGED_TIMEOUT_MS))
}

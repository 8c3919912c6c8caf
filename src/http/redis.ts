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

import type { Deps } from '../../platform/runtime/ctx.ts'
import type { IndexNow } from '../../publishing/engines/port.ts'

const TIMEOUT_MS = 20_000
const MAX_BYTES = 4_096

/** Returns the client of IndexNow (https://www.indexnow.org/documentation). It passes a report on to every engine that takes part. */
export const indexNow = (baseUrl: string, { outbound }: Pick<Deps, 'outbound'>): IndexNow => ({
  submit: async ({ host, key, keyLocation, urls }) => {
    const answer = await outbound({
      url: `${baseUrl}/indexnow`,
      method: 'POST',
      headers: { 'Content-Type': 'application/json; charset=utf-8' },
      body: JSON.stringify({ host, key, keyLocation, urlList: urls }),
      timeoutMs: TIMEOUT_MS,
      maxBytes: MAX_BYTES,
    })
    if (answer.kind !== 'answered') return { kind: 'no_answer' }
    const seconds = Number(answer.headers.get('retry-after') ?? Number.NaN)
    return { kind: 'answered', status: answer.status, ...(seconds > 0 ? { retryAfterS: seconds } : {}) }
  },
})

import type { Deps } from '../../src/platform/runtime/ctx.ts'

const TIMEOUT_MS = 5_000

/**
 * Tells an address outside that a minute's work ended well, so that somebody hears of it when it does not. A minute that failed
 * keeps silent. Where nobody answers there, only a line is left.
 */
export const beat = async ({ outbound, log }: Pick<Deps, 'outbound' | 'log'>, url: string): Promise<void> => {
  if (url === '') return
  const answer = await outbound({ url, method: 'GET', timeoutMs: TIMEOUT_MS, maxBytes: 1_024 })
  if (answer.kind === 'answered' && answer.status < 400) return
  const status = answer.kind === 'answered' ? answer.status : undefined
  log('warn', 'cron.heartbeat_failed', { outcome: answer.kind, status })
}

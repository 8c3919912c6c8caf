import type { Deps } from '../../src/platform/runtime/ctx.ts'

const TIMEOUT_MS = 5_000

/**
 * Calls an outside address after a minute's work succeeded. So its monitor can report when the calls stop.
 *
 * A failed minute does not call it. If the address does not answer, only a log line is written.
 */
export const sendHeartbeat = async ({ outbound, log }: Pick<Deps, 'outbound' | 'log'>, url: string): Promise<void> => {
  if (url === '') return
  const answer = await outbound({ url, method: 'GET', timeoutMs: TIMEOUT_MS, maxBytes: 1_024 })
  if (answer.kind === 'answered' && answer.status < 400) return
  const status = answer.kind === 'answered' ? answer.status : undefined
  log('warn', 'cron.heartbeat_failed', { outcome: answer.kind, status })
}

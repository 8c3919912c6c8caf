import { runText, tellingRun } from '../../content/html/telling.ts'
import type { CmsMeans } from '../cms/http.ts'

const TIMEOUT_MS = 8_000
const MAX_BYTES = 2 * 1024 * 1024

/**
 * True if a public page shows a text. Undefined: it cannot be told, as the page cannot be read or the text has no run that
 * would be telling.
 */
export const showsText = async (means: CmsMeans, url: string, html: string): Promise<boolean | undefined> => {
  const run = tellingRun(html)
  if (run === undefined) return undefined
  const answer = await means.outbound({ url, method: 'GET', timeoutMs: TIMEOUT_MS, maxBytes: MAX_BYTES })
  if (answer.kind !== 'answered' || answer.status !== 200 || answer.truncated) return undefined
  return runText(answer.body).includes(run)
}

import { decodeReferences } from '../../html/references.ts'
import type { CmsMeans } from '../cms/http.ts'

const TIMEOUT_MS = 8_000
const MAX_BYTES = 2 * 1024 * 1024
/** Shorter runs of text may stand in any page. */
const MIN_LENGTH = 20
const MAX_LENGTH = 120

const spaced = (text: string): string => decodeReferences(text).replace(/\s+/g, ' ').trim()

/** A run of text that one version of an article has and the page is to show. */
const tellingRun = (html: string): string | undefined =>
  html
    .split(/<[^<>]*>/)
    .map(spaced)
    .filter((run) => run.length >= MIN_LENGTH)
    .sort((a, b) => b.length - a.length)[0]
    ?.slice(0, MAX_LENGTH)

/**
 * Whether a public page shows a text. Undefined: it cannot be told, as the page cannot be read or the text has no run that
 * would be telling.
 */
export const showsText = async (means: CmsMeans, url: string, html: string): Promise<boolean | undefined> => {
  const run = tellingRun(html)
  if (run === undefined) return undefined
  const answer = await means.outbound({ url, method: 'GET', timeoutMs: TIMEOUT_MS, maxBytes: MAX_BYTES })
  if (answer.kind !== 'answered' || answer.status !== 200 || answer.truncated) return undefined
  return spaced(answer.body.replace(/<[^<>]*>/g, '')).includes(run)
}

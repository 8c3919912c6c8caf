import { BASE_HEADER, type Browser, CaptureRefusal, PLACEHOLDER_HEADER } from '../../insights/screenshots/port.ts'
import type { MainContent } from '../../insights/suggestions/live-edits.ts'
import { requestIdHeader } from '../../platform/lib/request-scope.ts'

type Binding = { fetch: typeof fetch }

/** Time limit for one capture, ms: below the lease of a job's run. */
const TIMEOUT_MS = 105_000

/** Returns a client of the browser Worker, over its service binding. */
export const browserClient = (binding: Binding): Browser => ({
  capture: async (input) => {
    try {
      const response = await binding.fetch('http://browser/capture', {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...requestIdHeader() },
        body: JSON.stringify(input),
        signal: AbortSignal.timeout(TIMEOUT_MS),
      })
      if (response.status === 422) {
        const refusal = CaptureRefusal.safeParse(await response.json())
        if (refusal.success) return { kind: 'unclean', ...refusal.data }
      }
      if (response.status !== 200) return { kind: 'away', reason: 'No browser is free.' }
      const form = await response.formData()
      const [words, image] = [form.get('words'), form.get('image')]
      if (typeof words !== 'string' || image === null || typeof image === 'string')
        return { kind: 'away', reason: 'The browser answered in an unknown form.' }
      const bytes = new Uint8Array(await image.arrayBuffer())
      return { kind: 'captured', image: bytes, words, placeholder: response.headers.has(PLACEHOLDER_HEADER) }
    } catch {
      return { kind: 'away', reason: 'The browser did not answer in time.' }
    }
  },
})

const READING_MS = 20_000

/** Extracts a page's main content, in the Worker that has no database and no secrets. Never throws. */
export const mainContentThrough =
  (binding: Binding): MainContent =>
  async (page, base) => {
    try {
      const signal = AbortSignal.timeout(READING_MS)
      const headers = { ...requestIdHeader(), ...(base === undefined ? {} : { [BASE_HEADER]: base }) }
      const response = await binding.fetch('http://browser/main-content', {
        method: 'POST',
        headers,
        body: page,
        signal,
      })
      return response.status === 200 ? await response.text() : undefined
    } catch {
      return undefined
    }
  }

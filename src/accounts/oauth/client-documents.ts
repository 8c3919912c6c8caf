import type { Outbound } from '../../platform/runtime/outbound.ts'

/** User agent of the library for requests of a client's description, or of the keys named in one. */
const LIBRARY = 'workers-oauth-provider/'

const TIMEOUT_MS = 10_000
/** One byte more than the library takes of keys (5 KiB of a description), so that it says itself that something is too long. */
const MAX_BYTES = 64 * 1024 + 1
const KEPT_MS = 5 * 60_000
const MAX_KEPT = 200

type Document = { status: number; contentType: string; body: string }

/** Returns the document at an address. Throws a sentence that says why there is none. */
const documentAt = async (outbound: Outbound, url: string): Promise<Document> => {
  const answer = await outbound({
    url,
    method: 'GET',
    headers: { accept: 'application/json' },
    timeoutMs: TIMEOUT_MS,
    maxBytes: MAX_BYTES,
  })
  if (answer.kind === 'forbidden') throw new Error('The address is not a public one')
  if (answer.kind === 'unsent') throw new Error('The host of the address could not be looked up')
  if (answer.kind === 'no_answer') throw new Error('The address did not answer')
  return { status: answer.status, contentType: answer.headers.get('content-type') ?? '', body: answer.body }
}

/**
 * Leads the OAuth library's look-ups of client descriptions through the address guard: public hosts only, no redirects, ten
 * seconds (draft-ietf-oauth-client-id-metadata-document).
 *
 * The library has no setting for how it fetches, so the runtime's `fetch` is replaced by one that knows its requests; all
 * others pass. A description is kept for five minutes, since the library asks for it again at every use of a token.
 */
export const guardClientDocuments = (outbound: Outbound, now: () => Date): void => {
  const plain = globalThis.fetch
  const kept = new Map<string, { until: number; document: Document }>()
  const documentOf = async (url: string): Promise<Document> => {
    const known = kept.get(url)
    if (known && known.until > now().getTime()) return known.document
    const document = await documentAt(outbound, url)
    if (kept.size >= MAX_KEPT) kept.clear()
    if (document.status === 200) kept.set(url, { until: now().getTime() + KEPT_MS, document })
    return document
  }
  globalThis.fetch = (async (input: RequestInfo | URL, init?: RequestInit) => {
    const headers = new Headers(init?.headers)
    if (typeof input !== 'string' || !headers.get('user-agent')?.startsWith(LIBRARY))
      return await plain(input as string, init)
    // Keys are kept by the library itself, which asks again where one is missing.
    const isDescription = headers.get('cache-control') === 'no-store'
    const { status, contentType, body } = await (isDescription ? documentOf(input) : documentAt(outbound, input))
    return new Response(body, { status, headers: { 'content-type': contentType } })
  }) as typeof fetch
}

import { type Got, got } from '../got.ts'
import type { CmsDeps } from '../http.ts'
import { type HtmlPart, splitHtml } from '../split-html.ts'
import type { WixApi } from './api.ts'
import { htmlToRicos } from './ricos.ts'
import type { RicosDocument, RicosNode } from './types.ts'

/** Wix's converter takes 30,000 characters at a time (seen); one page of its documentation says 10,000. */
const MAX_HTML = 28_000
const SMALLER_HTML = 9_500
/** A burst of conversions is held back by a 403 without a word; after a moment it goes on. */
const THROTTLE_WAITS_MS = [2_000, 5_000]

/** Converts one part by Wix, again after a wait where Wix held it back. */
const convertPart = async (api: WixApi, deps: CmsDeps, html: string): Promise<Got<{ document: RicosDocument }>> => {
  let converted = await api.toRicos(html)
  for (const waitMs of THROTTLE_WAITS_MS) {
    if (converted.kind !== 'refused' || converted.code !== 'rate_limited' || converted.httpStatus !== 403) break
    await deps.sleep(waitMs)
    converted = await api.toRicos(html)
  }
  return converted
}

/** True if Wix refused a part for its length, and would take it in smaller ones. */
const isTooLong = (converted: Got<unknown>, html: string): boolean =>
  html.length > SMALLER_HTML && converted.kind === 'refused' && /\blength|too long/i.test(converted.reason)

/** Joins the nodes of a part to those before it; one element that was cut in two becomes one again where it is a list. */
const append = (nodes: RicosNode[], more: readonly RicosNode[], joins: boolean): void => {
  const last = nodes.at(-1)
  const [first, ...rest] = more
  const isOneList = joins && last && first && last.type === first.type && /_LIST$/.test(first.type)
  if (isOneList) {
    last.nodes = [...(last.nodes ?? []), ...(first.nodes ?? [])]
    nodes.push(...rest)
  } else nodes.push(...more)
}

/**
 * A text as Ricos by Wix's own converter, part by part. What Wix does not convert, ours does, in which players are links; a note
 * says so.
 */
export const toRicos = async (
  api: WixApi,
  deps: CmsDeps,
  html: string,
  max = MAX_HTML,
): Promise<Got<{ document: RicosDocument; notes: string[] }>> => {
  const nodes: RicosNode[] = []
  const notes: string[] = []
  let document: RicosDocument | undefined
  for (const [n, part] of splitHtml(html, max).entries()) {
    const converted = await convertPart(api, deps, part.html)
    if (isTooLong(converted, part.html)) return await toRicos(api, deps, html, SMALLER_HTML)
    // A 403 that stays may be a right the key lacks: then no later attempt would do better.
    if (converted.kind === 'refused' && converted.retryable && converted.httpStatus !== 403) return converted
    if (converted.kind !== 'got' && notes.length === 0)
      notes.push(`The text was converted without Wix, so players are links: ${converted.reason}`)
    const made: RicosDocument = converted.kind === 'got' ? converted.value.document : ownRicos(part, n)
    append(nodes, made.nodes, part.joins)
    document ??= made
  }
  return got({ document: { ...document, nodes }, notes })
}

const ownRicos = ({ html }: HtmlPart, n: number): RicosDocument => htmlToRicos(html, `p${n}-`)

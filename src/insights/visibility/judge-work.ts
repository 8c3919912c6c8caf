import type { Citation, Verdict } from '../../../schema/values/visibility.ts'
import { textWork } from '../../platform/lib/text-work.ts'

/** Business to look for: its names, its site, and the sites of its competitors. */
export type Looked = {
  name: string
  aliases?: readonly string[]
  siteKey: string
  competitors: readonly string[]
  language?: string
}

/** Answer of an engine, as the provider returns it. */
export type Said = { text: string; citations: readonly { url: string; title: string }[] }

/** Verdict of an answer on the business, and the pages it cites. */
export type Judged = { verdict: Exclude<Verdict, 'no_data'>; citations: Citation[] }

export type ToMatch = { said: Said; of: Looked }

/** Returns the verdict of an answer on a business, and the pages it cites. */
export const judgeSaidWork = textWork<ToMatch, Judged>('judge-said')

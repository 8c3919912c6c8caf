import type { LivePage, Wording } from '../../../schema/values/suggestions.ts'
import { type HtmlDocument, readDocument } from '../../content/html/document.ts'
import { readPageHead } from '../../content/html/page.ts'
import { readLivePage } from '../../content/site/live-page.ts'
import { sentencesOf } from '../../platform/lib/sentences.ts'
import { storableText } from '../../platform/lib/text.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'

/**
 * Function that returns the main content of a page as an HTML fragment; undefined if it cannot be identified. With `base`, relative
 * addresses in it become absolute.
 */
export type MainContent = (page: string, base?: string) => Promise<string | undefined>

const MAX_SHOWN = 20
const MAX_SENTENCE = 300
/** Most sentences to search for. Each one is searched for in the whole of the other text. */
const MAX_SOUGHT = 2_000
/** Fewest words of a compared sentence. Menus, captions and comment counts have fewer. */
const MIN_WORDS = 4
/** Ends of a sentence. Lines without one are dates, authors and labels that the site adds to every page. */
const END = /[.!?…。！？]["'”’»)\]」』]*$/u

/** Returns the letters and digits of a text for comparison, because sites change quotation marks and dashes. */
const bare = (text: string): string =>
  ` ${text
    .normalize('NFKC')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
    .toLowerCase()} `

const sentencesIn = ({ blocks }: HtmlDocument): string[] =>
  blocks.flatMap(({ text }) => sentencesOf(text).map(({ start, end }) => text.slice(start, end).trim()))

const notIn = (sentences: readonly string[], text: string): string[] =>
  [...new Set(sentences)].slice(0, MAX_SOUGHT).filter((one) => {
    const words = bare(one)
    return words.trim().split(' ').length >= MIN_WORDS && !text.includes(words)
  })

/** Returns the differences between the main content of a page and the saved article. */
export const compareWithSaved = (page: string, main: string, { title, meta_description, content }: Wording) => {
  const [shown, saved] = [readDocument(page), readDocument(content)]
  const added = notIn(
    sentencesIn(readDocument(main)).filter((one) => END.test(one)),
    bare([title, meta_description, saved.text].join(' ')),
  )
  const missing = notIn(sentencesIn(saved), bare(shown.text))
  const names = bare([readPageHead(page).title, ...shown.headings.map((one) => one.text)].join(' '))
  return {
    only_live: added.slice(0, MAX_SHOWN).map((text) => storableText(text.slice(0, MAX_SENTENCE))),
    only_live_count: added.length,
    only_saved_count: missing.length,
    title_changed: !names.includes(bare(title)),
  }
}

const NOTHING = { only_live: [], only_live_count: 0, only_saved_count: 0, title_changed: false }

/**
 * Compares the live page of an article with the saved text, to find edits made by hand.
 *
 * If the page cannot be read, the state is `unread`, with the reason.
 */
export const compareLivePage = async (
  ctx: Ctx,
  main: MainContent,
  url: string | null,
  wording: Wording,
): Promise<LivePage> => {
  const seen = { url, read_at: ctx.now().toISOString() }
  const unread = (reason: string): LivePage => ({ ...seen, state: 'unread', reason, ...NOTHING })
  if (url === null) return unread('The article has no address.')
  const page = await readLivePage(ctx, url)
  if (page.kind === 'unread') return unread(page.reason)
  if (page.status !== 200) return unread(`The page answered with ${page.status}.`)
  if (!page.isHtml) return unread('The address does not lead to an HTML page.')
  const found = await main(page.html)
  if (found === undefined) return unread('The page’s main content could not be identified.')
  const difference = compareWithSaved(page.html, found, wording)
  const isEdited = difference.only_live_count > 0 || difference.title_changed
  return { ...seen, state: isEdited ? 'edited' : 'same', reason: null, ...difference }
}

/** Returns the facts about the live page that a person should know before the rewrite replaces it. */
export const livePageNotes = (page: LivePage, articleId: number): string[] => {
  const { state, reason, only_live, only_live_count, title_changed } = page
  if (state === 'unread')
    return [`The live page could not be read: ${reason} The rewrite uses the article as it is saved here.`]
  if (state === 'same') return []
  const sentences = only_live_count === 1 ? 'a sentence' : `${only_live_count} sentences`
  return [
    [
      'The live page was edited since it was sent.',
      title_changed ? 'It has another title.' : '',
      only_live_count > 0
        ? `It has ${sentences} that the article saved here, and so the rewrite, does not have: “${only_live[0]}”`
        : '',
      `Publishing overwrites these edits. To keep them, save them first with POST /articles/${articleId}/sync; this supersedes the suggestion.`,
    ]
      .filter(Boolean)
      .join(' '),
  ]
}

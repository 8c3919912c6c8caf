import { baseLanguage, tagOf } from '../../platform/lib/languages.ts'
import { pageKey } from '../../platform/lib/urls.ts'

/** Link of a page to a page in another language. `href` is absolute. */
type Link = { hreflang: string; href: string }

/** Live page of an article of a group: its links, or the reason why it could not be read. */
export type LivePageOf = { articleId: number; language: string; url: string } & (
  | { links: readonly Link[] }
  | { reason: string }
)

/** Problem of an article of a group. */
export type Problem = { article_id: number; message: string }

const keyOf = (href: string): string => {
  const url = URL.parse(href)
  return url ? pageKey(url) : href
}

/** Returns a problem for each article whose language another article of the group has. */
export const languagesTwice = (group: readonly { id: number; language: string }[]): Problem[] =>
  [...Map.groupBy(group, ({ language }) => language.toLowerCase()).values()]
    .filter((same) => same.length > 1)
    .flatMap((same) =>
      same.map(({ id, language }) => ({
        article_id: id,
        message: `The group has ${same.length} articles in the language ${language}. Each language is there once.`,
      })),
    )

/** True if the language of a link is that of an article. `de` is enough for `de-AT`, if no other article has that base. */
const speaks = (hreflang: string, language: string, isOnly: boolean): boolean =>
  hreflang.toLowerCase() === language.toLowerCase() ||
  tagOf(hreflang)?.toLowerCase() === language.toLowerCase() ||
  (isOnly && baseLanguage(hreflang) !== '' && baseLanguage(hreflang) === baseLanguage(language))

const problemsOf = (page: LivePageOf, pages: readonly LivePageOf[]): string[] => {
  if ('reason' in page) return [`The live page could not be read. ${page.reason}`]
  return pages.flatMap((other) => {
    const name = other === page ? 'itself' : `article ${other.articleId}`
    const leading = page.links.filter(({ href }) => keyOf(href) === keyOf(other.url))
    if (leading.length === 0) return [`The page does not name ${name}: it has no hreflang link to ${other.url}.`]
    const isOnly = pages.filter(({ language }) => baseLanguage(language) === baseLanguage(other.language)).length === 1
    if (leading.some(({ hreflang }) => speaks(hreflang, other.language, isOnly))) return []
    return [
      `The page names ${name} as ${leading.map(({ hreflang }) => hreflang).join(', ')}, but its language is ${other.language}.`,
    ]
  })
}

/** Returns what is wrong with the links between the live pages of a group: each names itself and all others, with its language. */
export const wrongPairs = (pages: readonly LivePageOf[]): Problem[] =>
  pages.flatMap((page) => problemsOf(page, pages).map((message) => ({ article_id: page.articleId, message })))

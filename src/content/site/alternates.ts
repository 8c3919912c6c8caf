import { baseLanguage } from '../../platform/lib/languages.ts'
import { pageKey } from '../../platform/lib/urls.ts'

/** Page with the same content in a language (`hreflang`). */
export type Alternate = { lang: string; href: string }

/** Language of a page, empty if it is not known, and the page to offer instead; null if there is none. */
export type PageLanguage = { language: string; instead: Alternate | null }

const keyOf = (address: string): string => {
  const url = URL.parse(address)
  return url ? pageKey(url) : address
}

/**
 * Returns the language of a page and the page of its group that a project offers: the one in the project's language, else the
 * default one, else the first by address.
 *
 * Pages of one group list the same alternates, so all of them lead to one page.
 */
export const languageIn = (page: string, alternates: readonly Alternate[], projectLanguage: string): PageLanguage => {
  const own = keyOf(page)
  const self = alternates.find(({ lang, href }) => baseLanguage(lang) !== '' && keyOf(href) === own)
  const offered =
    alternates.find(({ lang }) => baseLanguage(lang) === projectLanguage) ??
    alternates.find(({ lang }) => lang.toLowerCase() === 'x-default') ??
    [...alternates].sort((a, b) => (a.href < b.href ? -1 : 1))[0]
  const isOther = offered !== undefined && keyOf(offered.href) !== own
  return { language: self ? baseLanguage(self.lang) : '', instead: isOther ? offered : null }
}

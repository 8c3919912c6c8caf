import { describe, expect, it } from 'vitest'
import { type LivePageOf, languagesTwice, wrongPairs } from '../../../src/publishing/translations/pairs.ts'

const EN = 'https://blog.example/sheds'
const DE = 'https://blog.example/de/schuppen/'

const page = (articleId: number, language: string, url: string, links: [string, string][]): LivePageOf => ({
  articleId,
  language,
  url,
  links: links.map(([hreflang, href]) => ({ hreflang, href })),
})

const BOTH: [string, string][] = [
  ['en', EN],
  ['de', DE],
]

const wrong = (...pages: LivePageOf[]) => wrongPairs(pages).map(({ article_id: id, message }) => [id, message])

describe('hreflang_pairs', () => {
  it('is content with pages that name themselves and each other', () => {
    expect(wrong(page(1, 'en', EN, BOTH), page(2, 'de', DE, BOTH))).toEqual([])
    const loose: [string, string][] = [
      ['x-default', EN],
      ['en', `${EN}/?utm_source=x`],
      ['de', 'http://www.blog.example/de/schuppen'],
    ]
    expect(wrong(page(1, 'en-US', EN, loose), page(2, 'de-AT', DE, loose))).toEqual([])
  })

  it('names a page that does not answer the link, and one that does not name itself', () => {
    expect(wrong(page(1, 'en', EN, BOTH), page(2, 'de', DE, [['de', DE]]))).toEqual([
      [2, `The page does not name article 1: it has no hreflang link to ${EN}.`],
    ])
    expect(wrong(page(1, 'en', EN, [['de', DE]]), page(2, 'de', DE, BOTH))).toEqual([
      [1, `The page does not name itself: it has no hreflang link to ${EN}.`],
    ])
  })

  it('names a link with another language', () => {
    const swapped: [string, string][] = [
      ['en', EN],
      ['fr', DE],
    ]
    expect(wrong(page(1, 'en', EN, swapped), page(2, 'de', DE, BOTH))).toEqual([
      [1, 'The page names article 2 as fr, but its language is de.'],
    ])
  })

  it('wants the region if two articles differ in nothing else', () => {
    const uk = 'https://blog.example/uk/sheds'
    const links: [string, string][] = [
      ['en', EN],
      ['en-GB', uk],
    ]
    expect(wrong(page(1, 'en-US', EN, links), page(2, 'en-GB', uk, links)).map(([id]) => id)).toEqual([1, 2])
  })

  it('says of a page that could not be read why', () => {
    const away: LivePageOf = { articleId: 2, language: 'de', url: DE, reason: 'It answered with 404.' }
    expect(wrong(page(1, 'en', EN, BOTH), away)).toEqual([
      [2, 'The live page could not be read. It answered with 404.'],
    ])
  })

  it('has each language once', () => {
    const twice = languagesTwice([
      { id: 1, language: 'en' },
      { id: 2, language: 'de' },
      { id: 3, language: 'DE' },
    ])
    expect(twice.map(({ article_id: id }) => id)).toEqual([2, 3])
  })
})

import { describe, expect, it } from 'vitest'
import { decodeReferences } from '../../../src/content/html/references.ts'
import { readArticle, usesIn, wordingOf } from '../../../src/publishing/statements/find.ts'
import { measuredArticles } from './measured/articles.ts'
import { SAID } from './measured/said.ts'

const letters = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')

/** Text of a planted sentence, for comparison with a found one. */
const shown = (html: string): string => letters(decodeReferences(html.replace(/<[^<>]*>/g, '')))

type Count = { right: number; wrong: number; missed: number }

const percent = (part: number, all: number): string => `${((100 * part) / all).toFixed(1)} %`

const figure = ({ right, wrong, missed }: Count): string =>
  `precision ${percent(right, right + wrong)}, recall ${percent(right, right + missed)} (${right} found, ${missed} missed, ${wrong} wrong)`

describe('40 statements in 500 articles', () => {
  it('finds every exact use, and other words as the document says', () => {
    const articles = measuredArticles().map((article) => ({ ...article, read: readArticle(article) }))
    const exact: Count = { right: 0, wrong: 0, missed: 0 }
    const similar: Count = { right: 0, wrong: 0, missed: 0 }
    const faults: string[] = []
    for (const [statement, { wording }] of SAID.entries()) {
      const wordings = [wordingOf(wording)]
      for (const article of articles) {
        const found = usesIn(article.read, wordings)
        const planted = article.planted.filter((one) => one.statement === statement)
        for (const [match, kind, count] of [
          ['exact', 'exact', exact],
          ['similar', 'other', similar],
        ] as const) {
          const wanted = planted.filter((one) => one.kind === kind)
          const sentences = found.filter((one) => one.match === match).map((one) => one.sentence)
          for (const { html } of wanted) {
            if (sentences.some((sentence) => letters(sentence).includes(shown(html)))) count.right += 1
            else {
              count.missed += 1
              faults.push(`${match} missed: ${html}`)
            }
          }
          for (const sentence of sentences) {
            if (wanted.some(({ html }) => letters(sentence).includes(shown(html)))) continue
            count.wrong += 1
            faults.push(`${match} wrong: ${wording} <- ${sentence}`)
          }
        }
      }
    }
    process.stdout.write(`exact: ${figure(exact)}\nsimilar: ${figure(similar)}\n`)
    if (process.env.FAULTS) process.stdout.write(`${faults.join('\n')}\n`)
    expect(exact).toMatchObject({ wrong: 0, missed: 0 })
  })
})

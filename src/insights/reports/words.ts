import type { MonthFigures } from '../../../schema/values/reports.ts'

const number = (value: number): string => value.toLocaleString('en-US')

type Days = { from: string; to: string; days: number; of: number }

const daysText = ({ from, to, days, of }: Days): string =>
  days === of ? `${from} to ${to}` : `${number(days)} of ${number(of)} days from ${from} to ${to}`

/** Text in place of a figure that was not measured. */
const NOT_MEASURED = 'not measured'

/** Row of a report, for people: a figure, and what it was counted from. */
export type FigureRow = readonly [name: string, value: string, basis: string]

/** Returns a figure that may be missing as a row. */
const row = <T>(
  name: string,
  figure: T | null,
  value: (figure: T) => string,
  basis: (figure: T) => string,
): FigureRow => (figure === null ? [name, NOT_MEASURED, ''] : [name, value(figure), basis(figure)])

/** Returns the figures of a month in words: each with its days and what it was counted from. */
export const figureRows = (figures: MonthFigures): FigureRow[] => {
  const { search, indexed, citations, visits, links, credits, from, to, timezone } = figures
  const month = `${from} to ${to} (${timezone})`
  return [
    row('Clicks in Google', search, ({ clicks }) => number(clicks), daysText),
    row('Impressions in Google', search, ({ impressions }) => number(impressions), daysText),
    ['Published', number(figures.published), month],
    ['Articles with changes', number(figures.changed), month],
    row(
      'Listed by Google',
      indexed,
      (found) => `${number(found.indexed)} of ${number(found.n)}`,
      () => 'articles that Google was asked about, on the day of this report',
    ),
    row(
      'Cited in AI answers',
      citations,
      ({ cited, answers }) => `${number(cited)} of ${number(answers)}`,
      ({ scans }) => `answers in ${number(scans)} ${scans === 1 ? 'scan' : 'scans'}, ${month}`,
    ),
    row(
      'Visits from AI assistants',
      visits,
      (found) => number(found.visits),
      (found) => `at least, ${daysText(found)}`,
    ),
    row(
      'Links from partners',
      links,
      ({ received }) => number(received),
      ({ given }) => `live on the day of this report; ${number(given)} given`,
    ),
    row('Article credits used', credits, number, () => `${from} to ${to}`),
  ]
}

/** Returns a month for people: `October 2026`. */
export const monthText = (month: string): string =>
  new Date(`${month.slice(0, 7)}-01T00:00:00Z`).toLocaleDateString('en-US', {
    month: 'long',
    year: 'numeric',
    timeZone: 'UTC',
  })

import type { ChangedFields, ChangeState } from '../../../schema/values/changes.ts'
import { ARTICLE_FIELDS, LIVE_COLUMNS } from '../../content/articles/fields.ts'
import { topBlocks } from '../../content/html/blocks.ts'
import { escapeText } from '../../content/html/references.ts'
import { diffBlocks } from '../../insights/suggestions/difference.ts'
import { shownValue } from '../../platform/lib/text.ts'

type Columns = { [Column in (typeof LIVE_COLUMNS)[number]]: unknown }

/** Returns the values of an article’s fields by their names in the API. */
export const fieldsOf = (article: Columns): Required<ChangedFields> =>
  Object.fromEntries(
    LIVE_COLUMNS.map((column) => [ARTICLE_FIELDS[column].name, article[column]]),
  ) as Required<ChangedFields>

/** Returns the values of the same fields in another article. */
export const sameFields = (fields: ChangedFields, of: Required<ChangedFields>): ChangedFields =>
  Object.fromEntries(Object.keys(fields).map((name) => [name, of[name as keyof ChangedFields]]))

/** True if an article has these values. */
export const hasFields = (fields: ChangedFields, of: Required<ChangedFields>): boolean =>
  Object.entries(fields).every(
    ([name, value]) => JSON.stringify(of[name as keyof ChangedFields]) === JSON.stringify(value),
  )

/** Returns the parts of a post that fields belong to. */
export const partsOf = (fields: ChangedFields) =>
  LIVE_COLUMNS.filter((column) => ARTICLE_FIELDS[column].name in fields).map((column) => ARTICLE_FIELDS[column].part)

/** Returns the changed blocks of two texts with their differences; null if the text stays. */
export const differenceOfTexts = (before: ChangedFields, after: ChangedFields): string | null =>
  after.content === undefined
    ? null
    : diffBlocks(
        topBlocks(before.content ?? '').map(([block]) => block),
        topBlocks(after.content).map(([block]) => block),
      )

/** Returns the other changed fields as text for people: `Title: before → after`. */
const linesOf = (before: ChangedFields, after: ChangedFields): string[] =>
  Object.keys(after)
    .filter((name) => name !== 'content')
    .map((name) => {
      const field = name as keyof ChangedFields
      return `${name}: ${shownValue(before[field]) || '(empty)'} → ${shownValue(after[field]) || '(empty)'}`
    })

type Shown = { article: { title: string }; change: { before: ChangedFields; fields: ChangedFields } }

/** Returns a set as the page that a person approves: the differences of each article. */
export const pageOf = (rows: readonly Shown[]): string =>
  rows
    .map(({ article, change }) => {
      const lines = linesOf(change.before, change.fields).map((line) => `<li>${escapeText(line)}</li>`)
      const list = lines.length > 0 ? `<ul>${lines.join('')}</ul>` : ''
      return `<h2>${escapeText(article.title)}</h2>${list}${differenceOfTexts(change.before, change.fields) ?? ''}`
    })
    .join('\n')

/** Groups of states, as answers count them. */
const GROUPS = {
  waiting: ['waiting', 'again', 'sending'],
  sent: ['sent', 'reverting'],
  refused: ['refused'],
  left_out: ['left_out'],
  reverted: ['reverted'],
} as const satisfies Record<string, readonly ChangeState[]>

/** Returns the number of changes in each group of states. */
export const countsOf = (counts: Readonly<Record<string, number>>) =>
  Object.fromEntries(
    Object.entries(GROUPS).map(([group, states]) => [
      group,
      states.reduce((sum, state) => sum + (counts[state] ?? 0), 0),
    ]),
  ) as Record<keyof typeof GROUPS, number>

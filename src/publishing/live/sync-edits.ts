import { ARTICLE_FIELDS, LIVE_COLUMNS } from '../../content/articles/fields.ts'
import type { SanitizedHtml } from '../../content/html/sanitize.ts'
import type { PublishableRow } from '../queries.ts'
import { CMS_FIELDS, type CmsField } from '../target/cms-adapter.ts'
import type { SyncArticleInput } from './operations.ts'

/** Returns the given fields and the sanitized content as columns. */
const editsOf = (input: SyncArticleInput, safe: SanitizedHtml | undefined) => {
  const values = { ...input, content: safe?.html }
  const sent = LIVE_COLUMNS.map((column) => [column, values[ARTICLE_FIELDS[column].name]] as const)
  return Object.fromEntries(sent.filter(([, value]) => value !== undefined)) as Partial<PublishableRow>
}

type Column = keyof PublishableRow

/** Returns the parts of a post that come from some columns. */
const partsOf = (columns: Column[]): CmsField[] =>
  LIVE_COLUMNS.filter((column) => columns.includes(column)).map((column) => ARTICLE_FIELDS[column].part)

const isPart = (name: string): name is CmsField => CMS_FIELDS.some((field) => field === name)

/**
 * Returns the parts that a sync sends: the changed ones, or the given ones if none changed, and those that the site may
 * lack. Undefined means all parts, which are sent if no field was given. Of an adopted post they are never sent.
 */
const partsSent = (
  { siteLacks, origin }: PublishableRow,
  named: Column[],
  changed: Column[],
): CmsField[] | undefined => {
  const parts = partsOf(changed.length > 0 ? changed : named)
  return parts.length === 0 && origin === 'own' ? undefined : [...new Set([...parts, ...siteLacks.filter(isPart)])]
}

/** Returns the article after the edits, the edits to save (none if all are saved already), and the parts to send. */
export const applyEdits = (
  article: PublishableRow,
  input: SyncArticleInput,
  safe: SanitizedHtml | undefined,
  now: Date,
) => {
  const edits = editsOf(input, safe)
  const named = Object.keys(edits) as Column[]
  const changed = named.filter((column) => JSON.stringify(edits[column]) !== JSON.stringify(article[column]))
  const only = partsSent(article, named, changed)
  const unsent = [...new Set([...article.siteLacks, ...partsOf(changed)])]
  if (changed.length === 0) return { edits: {}, after: article, only, unsent }
  return { edits, after: { ...article, ...edits, revision: article.revision + 1, updatedAt: now }, only, unsent }
}

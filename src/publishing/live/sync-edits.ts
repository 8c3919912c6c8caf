import type { SanitizedHtml } from '../../content/html/sanitize.ts'
import type { PublishableRow } from '../queries.ts'
import { CMS_FIELDS, type CmsField } from '../target/cms-adapter.ts'
import type { SyncArticleInput } from './operations.ts'

const FIELDS = {
  title: 'title',
  meta_description: 'metaDescription',
  feature_image: 'featureImage',
  alt_text: 'altText',
  tags: 'tags',
  category: 'category',
  seo_title: 'seoTitle',
  canonical_url: 'canonicalUrl',
} as const

/** Returns the given fields and the sanitized content as columns. */
const editsOf = (input: SyncArticleInput, safe: SanitizedHtml | undefined) => {
  const sent = Object.entries(FIELDS)
    .map(([field, column]) => [column, input[field as keyof typeof FIELDS]] as const)
    .filter(([, value]) => value !== undefined)
  return { ...Object.fromEntries(sent), ...(safe ? { content: safe.html } : {}) } as Partial<PublishableRow>
}

type Column = keyof PublishableRow

/** Parts of a post by the column that they come from. */
const PARTS: Partial<Record<Column, CmsField>> = {
  title: 'title',
  metaDescription: 'metaDescription',
  featureImage: 'image',
  altText: 'image',
  tags: 'tags',
  category: 'category',
  seoTitle: 'seoTitle',
  canonicalUrl: 'canonicalUrl',
  content: 'html',
}

const partsOf = (columns: Column[]): CmsField[] => columns.flatMap((column) => PARTS[column] ?? [])

const isPart = (name: string): name is CmsField => CMS_FIELDS.some((field) => field === name)

/**
 * Returns the parts that a sync sends: the changed ones, or the given ones if none changed, and those that the site may
 * lack. Undefined means all parts, which are sent if no field was given.
 */
const partsSent = ({ siteLacks }: PublishableRow, named: Column[], changed: Column[]): CmsField[] | undefined => {
  const parts = partsOf(changed.length > 0 ? changed : named)
  return parts.length === 0 ? undefined : [...new Set([...parts, ...siteLacks.filter(isPart)])]
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

import type { Origin } from '../../../schema/values/adopted.ts'
import type { CareRule } from '../../../schema/values/care.ts'
import type { SeoCheck } from '../../../schema/values/seo.ts'
import type { OpportunityType } from '../../../schema/values/suggestions.ts'
import { getsWholeTexts, isStoredForm } from '../../content/stored/forms.ts'

/** Rules that are checks of the SEO report. */
export const CHECKS: Partial<Record<SeoCheck, CareRule>> = {
  word_count: 'thin',
  image_alt_text: 'no_alternative_text',
  broken_internal_links: 'broken_links',
  internal_links: 'no_internal_links',
  language: 'other_language',
}

/** Rules that are findings in search data. */
export const FINDINGS: Partial<Record<OpportunityType, CareRule>> = {
  declining_page: 'falling',
  dead_page: 'silent',
  cannibalisation: 'competing',
  not_indexed: 'not_indexed',
}

/** Published article of a report. `format` and `owner`: those of an adopted post’s text. */
export type CaredArticle = {
  id: number
  title: string
  url: string | null
  keyword: string
  origin: Origin
  format: string | null
  owner: string | null
  /** Site of an adopted post, in the form of `articles.remote_site`. */
  site: string | null
}

type Article = Pick<CaredArticle, 'id' | 'keyword' | 'origin' | 'format' | 'owner' | 'site'>

/** Call that mends a finding. */
type Mending = { method: string; path: string; fields?: string[]; why: string }

const sync = (id: number, fields: string[], why: string): Mending => ({
  method: 'POST',
  path: `/articles/${id}/sync`,
  fields,
  why,
})

/** True if the service can change the text at its site: not that of a page builder, or of an editor whose form it does not know. */
const sendsText = ({ origin, format, owner, site }: Article): boolean =>
  origin === 'own' ||
  (owner === null && format !== null && site !== null && (isStoredForm(format) || getsWholeTexts(site)))

/** Returns the call that changes a text, or that shows one that is changed at its site. */
const changeText = (article: Article): Mending =>
  sendsText(article)
    ? sync(article.id, ['content'], 'Sends the changed text to the site.')
    : {
        method: 'GET',
        path: `/articles/${article.id}`,
        why: 'Shows the text. It is changed in the editor of the site.',
      }

/** Returns the call that mends what a rule found in an article, or that shows what to mend. */
export const mendingOf = (rule: CareRule, article: Article, projectId: number): Mending => {
  const { id } = article
  switch (rule) {
    case 'falling':
    case 'silent':
    case 'competing':
      return {
        method: 'POST',
        path: `/suggestions/run?project_id=${projectId}`,
        why: 'Makes a suggestion of it, which can be rewritten and approved.',
      }
    case 'not_indexed':
      return {
        method: 'POST',
        path: `/articles/${id}/inspect`,
        why: 'Asks Google again, after the cause was mended.',
      }
    case 'no_description':
      return sync(id, ['meta_description'], 'Sends the description to the site.')
    case 'out_of_date':
      return sync(id, ['title'], 'Sends the new title to the site.')
    case 'broken_pictures':
      return { method: 'GET', path: `/articles/${id}`, why: 'Shows in Receipt what the page lacks.' }
    case 'no_internal_links':
      return {
        method: 'GET',
        path: `/internal-links?project_id=${projectId}`,
        why: 'Lists pages to link to. Send the text with the links by a sync.',
      }
    case 'orphan':
      return {
        method: 'GET',
        path: `/internal-links?${new URLSearchParams({ project_id: String(projectId), keyword: article.keyword })}`,
        why: 'Lists pages on the same subject. Send the text of one with a link to this post by a sync.',
      }
    case 'thin':
    case 'no_alternative_text':
    case 'broken_links':
    case 'other_language':
      return changeText(article)
  }
}

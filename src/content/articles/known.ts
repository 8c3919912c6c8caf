import { etagOf, withTag } from '../../platform/lib/etag.ts'
import type { SlugChoice } from '../../platform/lib/slug.ts'
import { plainChanges } from './changes.ts'
import type { SafeContent } from './content.ts'
import type { CreateArticleInput, UpdateArticleInput } from './operations.ts'
import { type ArticleDetail, articleDetail } from './read.ts'

/** True if the article's slug is one that the words get: the base, or the base with a number. */
const isSlugOf = (slug: string, base: string): boolean =>
  slug === base || (slug.startsWith(`${base}-`) && /^\d+$/.test(slug.slice(base.length + 1)))

type Sent = { input: CreateArticleInput; safe: SafeContent | undefined; slug: SlugChoice }

/** Returns the names of the sent fields whose values are not those of the article. */
const differences = (article: ArticleDetail, { input, safe, slug }: Sent): string[] => {
  const { project_id: _, external_ref: _ref, content_format: _format, ...fields } = input
  const isOther = (name: keyof typeof fields): boolean => {
    const value = fields[name]
    if (value === undefined) return false
    // Publishing may have added to the content, which is then still the one that was sent.
    if (name === 'content') return safe?.html !== article.content && safe?.hash !== article.contentSent
    if (name === 'status') return value !== article.status
    if (name === 'slug')
      return value !== '' && ![slug.usual, ...Object.values(slug.byLanguage)].some((one) => isSlugOf(article.slug, one))
    const changes = plainChanges({ [name]: value } as UpdateArticleInput, article)
    return Object.entries(changes).some(
      ([column, changed]) =>
        column in article && JSON.stringify(changed) !== JSON.stringify(article[column as keyof ArticleDetail]),
    )
  }
  return (Object.keys(fields) as (keyof typeof fields)[]).filter(isOther)
}

const changedBy = ({ id, status }: ArticleDetail): string =>
  status === 'Published' ? `POST /articles/${id}/sync` : `PUT /articles/${id}`

/** Returns the answer to a new article whose `external_ref` an article of the project has. It names what differs. */
export const knownAnswer = (article: ArticleDetail, sent: Sent, publicUrl: string) => {
  const differs = differences(article, sent)
  const what =
    differs.length === 0
      ? 'It has everything that you sent.'
      : `It differs in ${differs.join(', ')}. To change it, use ${changedBy(article)}.`
  const body = {
    article_id: article.id,
    status: article.status,
    keyword: article.mainKeyword,
    slug: article.slug,
    already_existed: true as const,
    differs,
    message: `Article ${article.id} of the project has this external_ref. Nothing was created or changed. ${what}`,
    article: articleDetail(article, publicUrl),
  }
  return withTag(body, etagOf(article.updatedAt, article.revision))
}

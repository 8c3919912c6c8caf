import { type SQL, sql } from 'drizzle-orm'
import { adoptedPosts } from '../../../schema/adopted.ts'
import type { articles } from '../../../schema/articles.ts'
import { projects } from '../../../schema/projects.ts'
import type { ARTICLE_STATUSES } from '../../../schema/values/articles.ts'
import { tagOf } from '../../platform/lib/languages.ts'

/** Most articles of a group of translations. */
export const MAX_TRANSLATIONS = 30

/** Article of a group of translations, as answers show it. */
export type Translation = {
  article_id: number
  project_id: number
  title: string
  language: string
  status: (typeof ARTICLE_STATUSES)[number]
  url: string | null
}

/** Expression: the language of the adopted post, or else of the project. */
export const ownLanguage = sql<string>`coalesce(nullif(${adoptedPosts.fields} ->> 'language', ''), ${projects.language})`

/** Selects the group of translations that an article is in, in the order of their ids. */
export const translationsColumn = (articleId: typeof articles.id): SQL<Translation[]> =>
  sql<
    Translation[]
  >`coalesce((select jsonb_agg(jsonb_build_object('article_id', other.id, 'project_id', other.project_id,
      'title', other.title, 'language', coalesce(nullif(joined.language, ''), ${ownLanguage}), 'status', other.status, 'url', other.url) order by other.id)
    from article_translations own
    cross join lateral (select one.article_id, one.language from article_translations one
      where one.group_id = own.group_id and one.account_id = own.account_id order by one.article_id limit ${sql.raw(String(MAX_TRANSLATIONS))}) joined
    join articles other on other.id = joined.article_id
    join ${projects} on ${projects.id} = other.project_id
    left join ${adoptedPosts} on ${adoptedPosts.articleId} = other.id
    where own.article_id = ${articleId}), '[]'::jsonb)`

/** Returns the BCP 47 code of a language that is given by a code or by the label of a project. */
export const languageTag = (language: string): string => tagOf(language) ?? language

import { eq, sql } from 'drizzle-orm'
import { projects } from '../../../schema/projects.ts'
import { tagOfLanguage } from '../../platform/lib/languages.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import { scriptOf, structuredData } from '../seo/structured-data.ts'
import { getArticleWith } from './read.ts'

/** Returns the structured data of an article, also as a script element for its page. Throws 404, 403. */
export const showStructuredData = async (ctx: Ctx, id: number) => {
  const { article, results } = await getArticleWith(ctx, id, {
    site: ctx.db
      .select({
        name: projects.businessName,
        url: projects.websiteUrl,
        blogUrl: projects.blogRootUrl,
        language: projects.language,
      })
      .from(projects)
      .where(eq(projects.id, sql`(select project_id from articles where articles.id = ${id}::int)`)),
  })
  const [site = { name: '', url: ctx.settings.publicUrl, blogUrl: '', language: '' }] = results.site
  const data = structuredData({
    title: article.title,
    content: article.content,
    description: article.metaDescription,
    image: article.featureImage,
    author: article.author,
    category: article.category,
    tags: article.tags,
    url: article.canonicalUrl || article.url,
    publishedAt: article.publishedAt,
    updatedAt: article.updatedAt,
    language: tagOfLanguage(site.language),
    site,
  })
  return {
    article_id: id,
    types: data['@graph'].map((thing) => thing['@type']),
    structured_data: data,
    script: scriptOf(data),
  }
}

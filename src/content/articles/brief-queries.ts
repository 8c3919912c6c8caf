import { eq, type SQL, sql } from 'drizzle-orm'
import { articles } from '../../../schema/articles.ts'
import { projects } from '../../../schema/projects.ts'
import type { Db } from '../../platform/db/client.ts'

/** Returns an article and what its project says of writing, of any account. */
export const articleToBrief = (db: Db, owner: SQL, id: number) =>
  db
    .select({
      article: {
        id: articles.id,
        projectId: articles.projectId,
        status: articles.status,
        keyword: articles.mainKeyword,
        title: articles.title,
        slug: articles.slug,
        articleStyle: articles.articleStyle,
        instructions: articles.instructions,
        url: articles.url,
        scheduledAt: articles.scheduledAt,
        claimedAt: articles.claimedAt,
        writtenAt: articles.writtenAt,
        writingStartedAt: articles.writingStartedAt,
        publishState: articles.publishState,
        publishLeaseUntil: articles.publishLeaseUntil,
        partnersCommittedAt: articles.partnersCommittedAt,
      },
      project: {
        businessName: projects.businessName,
        businessAliases: projects.businessAliases,
        websiteUrl: projects.websiteUrl,
        businessDescription: projects.businessDescription,
        targetAudience: projects.targetAudience,
        primaryLocation: projects.primaryLocation,
        topics: projects.topics,
        aiInstructions: projects.aiInstructions,
        language: projects.language,
        contentStyle: projects.contentStyle,
        writingProfile: projects.writingProfile,
        productPositioning: projects.productPositioning,
        ctaIntensity: projects.ctaIntensity,
        bannedPhrases: projects.bannedPhrases,
        competitorWebsites: projects.competitorWebsites,
        internalLinksPerArticle: projects.internalLinksPerArticle,
        backlinksNetwork: projects.backlinksNetwork,
        quality: projects.articleQualitySettings,
        images: projects.imagePreferences,
        videosEnabled: projects.videosEnabled,
      },
      mine: sql<boolean>`coalesce(${articles.accountId} = ${owner}, false)`,
    })
    .from(articles)
    .innerJoin(projects, eq(projects.id, articles.projectId))
    .where(eq(articles.id, id))

export type ArticleToBrief = Omit<Awaited<ReturnType<typeof articleToBrief>>[number], 'mine'>

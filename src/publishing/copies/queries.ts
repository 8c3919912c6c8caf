import { and, type Column, eq, getTableColumns, type SQL, sql } from 'drizzle-orm'
import { articles } from '../../../schema/articles.ts'
import { literals } from '../../../schema/columns.ts'
import { copies } from '../../../schema/copies.ts'
import { sentArticle } from '../../../schema/deliveries.ts'
import { integrations } from '../../../schema/integrations.ts'
import { projects } from '../../../schema/projects.ts'
import type { SentArticle } from '../../../schema/values/delivered-article.ts'
import { ARRIVED_STATUSES } from '../../../schema/values/publishing.ts'
import type { Db } from '../../platform/db/client.ts'

/** Returns a revision of the copy's article as the home got it last. */
const sentToHome = (revision: Column): SQL<SentArticle | null> =>
  sql<SentArticle | null>`(select ${sentArticle('sent')} from deliveries sent
    where sent.article_id = ${copies.articleId} and sent.revision = ${revision} and sent.live
      and sent.status in ${literals(ARRIVED_STATUSES)} order by sent.id desc limit 1)`

/** Selects a copy with its follower, and with its article as the home got it: the wanted version, and the one before. */
export const copyToSend = (db: Db, owner: SQL, id: number) =>
  db
    .select({
      copy: getTableColumns(copies),
      target: {
        id: integrations.id,
        platform: integrations.platform,
        url: integrations.url,
        sealedSecrets: integrations.sealedSecrets,
      },
      isFollowing: sql<boolean>`${integrations.status} = 'Following'`,
      projectStatus: projects.status,
      articleStatus: articles.status,
      imageHosting: sql<string | null>`${projects.imagePreferences} ->> 'image_hosting'`,
      wanted: sentToHome(copies.revision),
      before: sentToHome(copies.sentRevision),
    })
    .from(copies)
    .innerJoin(integrations, eq(integrations.id, copies.integrationId))
    .innerJoin(articles, eq(articles.id, copies.articleId))
    .innerJoin(projects, eq(projects.id, copies.projectId))
    .where(and(eq(copies.id, id), eq(copies.accountId, owner)))

export type CopyToSend = Awaited<ReturnType<typeof copyToSend>>[number]

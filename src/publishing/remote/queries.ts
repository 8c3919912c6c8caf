import { and, desc, eq, inArray, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import { articles } from '../../../schema/articles.ts'
import { literals } from '../../../schema/columns.ts'
import { deliveries } from '../../../schema/deliveries.ts'
import { integrations } from '../../../schema/integrations.ts'
import { cmsImages, remoteVersions } from '../../../schema/remote.ts'
import type { DeliveryStatus } from '../../../schema/values/publishing.ts'
import type { Db } from '../../platform/db/client.ts'
import { site } from './site-parts.ts'

/** Returns the newest kept version of an article at the site that is the project's target now, or the one of an id; with that target. */
export const versionsOf = (db: Db, articleId: number, versionId: number | undefined) => {
  const taken = alias(integrations, 'taken')
  return db
    .select({
      id: remoteVersions.id,
      version: remoteVersions.version,
      takenAt: remoteVersions.takenAt,
      integrationId: integrations.id,
    })
    .from(remoteVersions)
    .innerJoin(taken, eq(taken.id, remoteVersions.integrationId))
    .innerJoin(
      integrations,
      and(
        eq(integrations.projectId, taken.projectId),
        eq(integrations.status, 'Active'),
        eq(integrations.platform, taken.platform),
        eq(integrations.url, taken.url),
      ),
    )
    .where(
      and(
        eq(remoteVersions.articleId, articleId),
        versionId === undefined ? undefined : eq(remoteVersions.id, versionId),
      ),
    )
    .orderBy(desc(remoteVersions.id))
    .limit(1)
}

const DELIVERED = literals(['delivered'] satisfies DeliveryStatus[])
const SENDING = literals(['sending'] satisfies DeliveryStatus[])

/** Selects what was sent of an article before, by the newest delivery that arrived, then by the newest of the others. */
export const sentBefore = (db: Db, articleId: number) =>
  db
    .select({ payload: deliveries.payload })
    .from(deliveries)
    .where(
      and(
        eq(deliveries.articleId, articleId),
        sql`${deliveries.id} in (select max(sent.id) from deliveries sent where sent.article_id = ${articleId}::int
          and sent.status not in ${SENDING} group by sent.status in ${DELIVERED})`,
      ),
    )
    .orderBy(desc(sql`${deliveries.status} in ${DELIVERED}`))

/** Deliveries whose words a rollback may bring back. */
const SENT_LATELY = 6

/** Selects what the last deliveries of an article sent, the newest first. */
export const sentLately = (db: Db, articleId: number) =>
  db
    .select({ payload: deliveries.payload })
    .from(deliveries)
    .where(and(eq(deliveries.articleId, articleId), sql`${deliveries.status} not in ${SENDING}`))
    .orderBy(desc(deliveries.id))
    .limit(SENT_LATELY)

export const hostedImagesOf = (db: Db, integrationId: number, hashes: string[]) =>
  db
    .select({ hash: cmsImages.urlHash, url: cmsImages.hostedUrl })
    .from(cmsImages)
    .where(and(eq(cmsImages.integrationId, integrationId), inArray(cmsImages.urlHash, hashes)))

/** Returns the images of an article that the site it is live at hosts: their addresses there by the hash of their address here. */
export const imagesAtSiteOf = (db: Db, articleId: number, hashes: string[]) =>
  db
    .select({ hash: cmsImages.urlHash, url: cmsImages.hostedUrl })
    .from(articles)
    .innerJoin(integrations, and(eq(integrations.projectId, articles.projectId), eq(articles.remoteSite, site)))
    .innerJoin(cmsImages, and(eq(cmsImages.integrationId, integrations.id), inArray(cmsImages.urlHash, hashes)))
    .where(eq(articles.id, articleId))

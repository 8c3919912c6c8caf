import { and, desc, eq, exists, inArray, type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import { articles } from '../../schema/articles.ts'
import { literals } from '../../schema/columns.ts'
import { deliveries } from '../../schema/deliveries.ts'
import { integrations } from '../../schema/integrations.ts'
import { cmsImages, remoteVersions } from '../../schema/remote.ts'
import type { DeliveryStatus } from '../../schema/values/publishing.ts'
import type { Db } from '../platform/db/client.ts'
import { insertWhere } from '../platform/db/writes.ts'
import { sha256 } from '../platform/lib/crypto.ts'
import type { Ctx } from '../platform/runtime/ctx.ts'
import type { Keeping } from './target/publish-target.ts'

/** The site of the `integrations` row beside it, as articles keep it. */
const site = sql`${integrations.platform} || ' ' || ${integrations.url}`

/** Returns the site of an integration, as articles keep it: the same one when it is connected again. */
export const siteOf = (integrationId: number): SQL =>
  sql`(select ${site} from ${integrations} where ${eq(integrations.id, integrationId)})`

const ifAt = (here: SQL, value: SQL): SQL =>
  sql`case when ${articles.remoteSite} is null or ${articles.remoteSite} = ${here} then ${value} end`

/** The address of an article's post at the site of the `integrations` row beside it; null where its post is on another site. */
export const urlHere = sql<string | null>`${ifAt(site, sql`${articles.url}`)}`

/** Time at which an article was sent as a draft to the site of the `integrations` row beside it; null if it was sent to another. */
export const sentAsDraftHere = sql<Date | null>`${ifAt(site, sql`${articles.sentAsDraftAt}`)}`.mapWith(
  articles.sentAsDraftAt,
)

/** True if an article was sent to the site of an integration as a draft. */
export const isSentAsDraftTo = (integrationId: number): SQL =>
  sql`(${ifAt(siteOf(integrationId), sql`${articles.sentAsDraftAt}`)} is not null)`

/** The id of an article's post at the site of the `integrations` row beside it; null where its post is or may be on another site. */
export const remoteIdHere = sql<string | null>`case when ${articles.remoteSite} = ${site} then ${articles.remoteId} end`

/** Returns the article's record of its post once a target has it; what it knew of a post on another site is removed. */
export const keptPost = (
  integrationId: number,
  { url, remoteId }: { url?: string | undefined; remoteId?: string | undefined },
) => {
  const here = siteOf(integrationId)
  return {
    url: sql`coalesce(${url ?? null}, ${ifAt(here, sql`${articles.url}`)})`,
    remoteId: sql`coalesce(${remoteId ?? null}, ${ifAt(here, sql`${articles.remoteId}`)})`,
    remoteSite: here,
  }
}

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
const sentBefore = (db: Db, articleId: number) =>
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
const sentLately = (db: Db, articleId: number) =>
  db
    .select({ payload: deliveries.payload })
    .from(deliveries)
    .where(and(eq(deliveries.articleId, articleId), sql`${deliveries.status} not in ${SENDING}`))
    .orderBy(desc(deliveries.id))
    .limit(SENT_LATELY)

const hostedImagesOf = (db: Db, integrationId: number, hashes: string[]) =>
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

/** Time that an attempt spends on work that could wait, ms: well within its lease on the article. */
export const SPARE_MS = 100_000

/** Versions kept of one article at one target; older ones are forgotten. */
const KEPT_VERSIONS = 10

/** Keeps what an attempt at a target learns or replaces, each before the attempt goes on. Without an article no version is kept. */
export const keepingOf = (ctx: Ctx, integrationId: number, articleId: number | null): Keeping => {
  const until = ctx.now().getTime() + SPARE_MS
  return {
    sentBefore: async (which) => {
      if (articleId === null) return []
      const [rows] = await ctx.read(() => [(which === 'lately' ? sentLately : sentBefore)(ctx.db, articleId)])
      return rows.map(({ payload }) => payload)
    },
    hasTime: () => ctx.now().getTime() < until,
    version: async (version) => {
      if (articleId === null) return
      const ofTarget = and(eq(remoteVersions.articleId, articleId), eq(remoteVersions.integrationId, integrationId))
      const newest = ctx.db
        .select({ id: remoteVersions.id })
        .from(remoteVersions)
        .where(ofTarget)
        .orderBy(desc(remoteVersions.id))
      await ctx.batch(
        [
          insertWhere(
            remoteVersions,
            { articleId, integrationId, version, takenAt: ctx.now() },
            { if: exists(ctx.db.select({ id: articles.id }).from(articles).where(eq(articles.id, articleId))) },
          ),
          ctx.db.delete(remoteVersions).where(inArray(remoteVersions.id, newest.offset(KEPT_VERSIONS))),
        ],
        { unaudited: 'the change that follows is in the audit log' },
      )
    },
    hostedImages: async (urls) => {
      if (urls.length === 0) return new Map()
      const hashes = new Map<string, string>()
      for (const url of urls) hashes.set(await sha256(url), url)
      const [rows] = await ctx.read(() => [hostedImagesOf(ctx.db, integrationId, [...hashes.keys()])])
      return new Map(rows.map(({ hash, url }) => [hashes.get(hash) ?? '', url]))
    },
    hosted: async (url, hostedUrl) => {
      const row = { integrationId, urlHash: await sha256(url), hostedUrl, createdAt: ctx.now() }
      const remembered = ctx.db.insert(cmsImages).values(row).onConflictDoNothing()
      await ctx.batch([remembered], { unaudited: 'the publication the image belongs to is in the audit log' })
    },
  }
}

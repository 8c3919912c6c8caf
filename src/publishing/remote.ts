import { and, desc, eq, exists, inArray, isNull, lt, or, type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import { articles } from '../../schema/articles.ts'
import { literals } from '../../schema/columns.ts'
import { deliveries, sentArticle } from '../../schema/deliveries.ts'
import { integrations } from '../../schema/integrations.ts'
import { cmsImages, liveChanges, remoteVersions } from '../../schema/remote.ts'
import type { StoredFormat } from '../../schema/values/adopted.ts'
import type { PublishState } from '../../schema/values/articles.ts'
import type { DeliveryStatus, LiveChangeKind } from '../../schema/values/publishing.ts'
import { isStoredForm } from '../content/stored/forms.ts'
import { spliceStoredWork } from '../content/stored/port.ts'
import type { Spliced } from '../content/stored/refusals.ts'
import type { Db } from '../platform/db/client.ts'
import { insertWhere } from '../platform/db/writes.ts'
import { sha256 } from '../platform/lib/crypto.ts'
import type { Ctx } from '../platform/runtime/ctx.ts'
import { foundPost } from './adopt/queries.ts'
import { TEXT_KEPT } from './adopt/rules.ts'
import type { Keeping } from './target/publish-target.ts'
import type { SentWords } from './target/sent-words.ts'

const UNKNOWN = literals(['unknown'] satisfies PublishState[])
const UNPUBLISH = literals(['unpublish'] satisfies LiveChangeKind[])
const ROLLBACK = literals(['rollback'] satisfies LiveChangeKind[])

/** Condition: it is not known whether the article's post was taken down. */
export const isComingDown = sql<boolean>`(${articles.publishState} in ${UNKNOWN} and exists (select 1 from live_changes coming
  where coming.article_id = ${articles.id} and coming.kind in ${UNPUBLISH}))`

/** Kind of the change of an article's live post that has not succeeded yet; null if there is none. */
export const liveChangeKind = sql<LiveChangeKind | null>`(select under_way.kind from live_changes under_way
  where under_way.article_id = ${articles.id})`

/** Selects an article's change that has not succeeded yet. */
export const liveChangeOf = (db: Db, articleId: number) =>
  db.select().from(liveChanges).where(eq(liveChanges.articleId, articleId))

/** The site of the joined `integrations` row, in the form of `articles.remote_site`. */
const site = sql`${integrations.platform} || ' ' || ${integrations.url}`

/**
 * Returns the site of an integration in the form of `articles.remote_site`. It stays the same if the site is connected
 * again.
 */
export const siteOf = (integrationId: number): SQL =>
  sql`(select ${site} from ${integrations} where ${eq(integrations.id, integrationId)})`

/** Returns a value, or null if the article's post is at another site. */
const ifAt = (here: SQL, value: SQL): SQL =>
  sql`case when ${articles.remoteSite} is null or ${articles.remoteSite} = ${here} then ${value} end`

/** Address of an article's post at the joined integration's site; null if its post is at another site. */
export const urlAtSite = sql<string | null>`${ifAt(site, sql`${articles.url}`)}`

/** Time at which an article was sent as a draft to the joined integration's site; null if it was sent to another. */
export const sentAsDraftAtSite = sql<Date | null>`${ifAt(site, sql`${articles.sentAsDraftAt}`)}`.mapWith(
  articles.sentAsDraftAt,
)

/** Returns the condition that an article was sent as a draft to an integration's site. */
export const isSentAsDraftTo = (integrationId: number): SQL =>
  sql`(${ifAt(siteOf(integrationId), sql`${articles.sentAsDraftAt}`)} is not null)`

/** Id of an article's post at the joined integration's site; null if its post is, or may be, at another site. */
export const remoteIdAtSite = sql<
  string | null
>`case when ${articles.remoteSite} = ${site} then ${articles.remoteId} end`

/**
 * Returns the article's columns for its post after a target accepted it. Data about a post at another site is removed.
 */
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

/**
 * Returns a kept version of an article at the project's current target, with that target: the given one, else that of a
 * rollback that has not succeeded yet, else the newest.
 */
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
    .orderBy(
      desc(
        sql`${remoteVersions.id} is not distinct from (select under_way.version_id from live_changes under_way
          where under_way.article_id = ${articleId}::int and under_way.kind in ${ROLLBACK})`,
      ),
      desc(remoteVersions.id),
    )
    .limit(1)
}

/** Selects the kept versions of an article, newest first. */
export const versionsKept = (db: Db, articleId: number) =>
  db
    .select({ id: remoteVersions.id, version: remoteVersions.version })
    .from(remoteVersions)
    .where(eq(remoteVersions.articleId, articleId))
    .orderBy(desc(remoteVersions.id))

/** Deletes a kept version, because the change that stored it was not made. */
export const dropVersion = (db: Db, id: number, condition: SQL) =>
  db.delete(remoteVersions).where(and(eq(remoteVersions.id, id), condition))

const DELIVERED = literals(['delivered'] satisfies DeliveryStatus[])
const SENDING = literals(['sending'] satisfies DeliveryStatus[])

const arrived = sql<boolean>`${deliveries.status} in ${DELIVERED}`

/** Selects the payloads of the newest delivery that arrived and of the newest other one, in this order. */
const sentBefore = (db: Db, articleId: number) =>
  db
    .select({ payload: sentArticle(), arrived })
    .from(deliveries)
    .where(
      and(
        eq(deliveries.articleId, articleId),
        sql`${deliveries.id} in (select max(sent.id) from deliveries sent where sent.article_id = ${articleId}::int
          and sent.status not in ${SENDING} group by sent.status in ${DELIVERED})`,
      ),
    )
    .orderBy(desc(sql`${deliveries.status} in ${DELIVERED}`))

/** Number of past deliveries whose content a rollback may bring back. */
const SENT_LATELY = 6

/** Selects the payloads of an article's last deliveries, newest first. */
const sentLately = (db: Db, articleId: number) =>
  db
    .select({ payload: sentArticle(), arrived })
    .from(deliveries)
    .where(and(eq(deliveries.articleId, articleId), sql`${deliveries.status} not in ${SENDING}`))
    .orderBy(desc(deliveries.id))
    .limit(SENT_LATELY)

/** Selects the addresses of images that an integration's site hosts. */
const hostedImagesOf = (db: Db, integrationId: number, hashes: string[]) =>
  db
    .select({ hash: cmsImages.urlHash, url: cmsImages.hostedUrl })
    .from(cmsImages)
    .where(and(eq(cmsImages.integrationId, integrationId), inArray(cmsImages.urlHash, hashes)))

/**
 * Returns the images that an article's live site hosts: their addresses there, by the hash of their original address.
 */
export const imagesAtSiteOf = (db: Db, articleId: number, hashes: string[]) =>
  db
    .select({ hash: cmsImages.urlHash, url: cmsImages.hostedUrl })
    .from(articles)
    .innerJoin(integrations, and(eq(integrations.projectId, articles.projectId), eq(articles.remoteSite, site)))
    .innerJoin(cmsImages, and(eq(cmsImages.integrationId, integrations.id), inArray(cmsImages.urlHash, hashes)))
    .where(eq(articles.id, articleId))

/** Selects an article's post and the connection of its site, if that is still the project's. */
export const targetOfPost = (db: Db, articleId: number) =>
  db
    .select({
      remoteId: articles.remoteId,
      id: integrations.id,
      platform: integrations.platform,
      url: integrations.url,
      sealedSecrets: integrations.sealedSecrets,
    })
    .from(articles)
    .innerJoin(integrations, and(eq(integrations.projectId, articles.projectId), eq(articles.remoteSite, site)))
    .where(and(eq(articles.id, articleId), eq(integrations.status, 'Active')))

/** Returns the words of an adopted post, which the site had before anything was sent. */
const wordsFound = ({ fields, content }: Awaited<ReturnType<typeof foundPost>>[number]): SentWords => ({
  title: fields.title,
  content_html: content,
  meta_description: fields.metaDescription,
  tags: [...fields.tags],
  category: fields.categories[0] ?? '',
  seo_title: fields.seoTitle,
  canonical_url: fields.canonicalUrl,
  image_url: fields.image?.url ?? '',
  alt_text: fields.image?.alt ?? '',
})

const LOOK_MS = 5_000

/** True if the site says that a picture it hosted does not exist any more. Any other answer, or none, says nothing. */
const isGone = async (ctx: Pick<Ctx, 'outbound'>, url: string): Promise<boolean> => {
  const answer = await ctx.outbound({ url, method: 'HEAD', timeoutMs: LOOK_MS, maxBytes: 0 })
  return answer.kind === 'answered' && (answer.status === 404 || answer.status === 410)
}

/** Maximum time that an attempt spends on work that could wait, ms. It is well within the lease on the article. */
export const SPARE_MS = 100_000

/** Number of versions kept of one article at one target. Older ones are deleted. */
const KEPT_VERSIONS = 10

/** Returns the texts that the service knows of an adopted post: the one that its site has, earlier ones, and the one found. */
const knownTexts = async (ctx: Ctx, articleId: number): Promise<string[]> => {
  const { before, lately, found } = await ctx.read(() => ({
    before: sentBefore(ctx.db, articleId),
    lately: sentLately(ctx.db, articleId),
    found: foundPost(ctx.db, articleId),
  }))
  const arrived = before.filter((one) => one.arrived).map(({ payload }) => payload.content_html)
  const first = found.map(({ content }) => content)
  return [
    ...new Set([
      ...arrived,
      ...(arrived.length > 0 ? [] : first),
      ...lately.map(({ payload }) => payload.content_html),
      ...first,
    ]),
  ]
}

/** Puts HTML into the stored text of an adopted post. Refuses what would lose something, and a change over one of people there. */
export const spliceAt = async (
  ctx: Ctx,
  articleId: number,
  { format, text }: { format: StoredFormat; text: string },
  html: string,
): Promise<Spliced> =>
  isStoredForm(format)
    ? await ctx.texts(spliceStoredWork, { format, text, known: await knownTexts(ctx, articleId), html })
    : { kind: 'refused', code: 'not_possible', reason: TEXT_KEPT, parts: [] }

/** Time after which a receiver is asked again if no answer of it was stored, ms. It is longer than a call to it. */
const ASKED_MS = 60_000

/**
 * Returns the status that a receiver answered to an update of a post that does not exist. One attempt asks it, and stores the answer with
 * the connection. A new connection, such as one of another address, knows no answer.
 */
const unknownPostAt = async (ctx: Ctx, integrationId: number, ask: () => Promise<number | null>) => {
  const now = ctx.now()
  const itself = eq(integrations.id, integrationId)
  const isFree = or(
    isNull(integrations.unknownAskedAt),
    lt(integrations.unknownAskedAt, new Date(now.getTime() - ASKED_MS)),
  )
  const unaudited = 'the change that follows is in the audit log'
  const {
    claimed,
    stored: [stored],
  } = await ctx.batch(
    {
      claimed: ctx.db
        .update(integrations)
        .set({ unknownAskedAt: now })
        .where(and(itself, isNull(integrations.unknownStatus), isFree))
        .returning({ id: integrations.id }),
      stored: ctx.db.select({ status: integrations.unknownStatus }).from(integrations).where(itself),
    },
    { unaudited },
  )
  if (typeof stored?.status === 'number') return stored.status
  if (claimed.length === 0) return 'being_asked'
  const unknownStatus = await ask()
  const answered = { unknownStatus, ...(unknownStatus === null ? { unknownAskedAt: null } : {}) }
  await ctx.batch({ answered: ctx.db.update(integrations).set(answered).where(itself) }, { unaudited })
  return unknownStatus ?? 'no_answer'
}

/** Returns the functions with which an attempt stores data while it runs. Without an article no version is stored. */
export const keepingOf = (ctx: Ctx, integrationId: number, articleId: number | null): Keeping => {
  const until = ctx.now().getTime() + SPARE_MS
  let stored: number | undefined
  return {
    sentBefore: async (which) => {
      if (articleId === null) return []
      const { rows, found } = await ctx.read(() => ({
        rows: (which === 'lately' ? sentLately : sentBefore)(ctx.db, articleId),
        found: foundPost(ctx.db, articleId),
      }))
      const [adopted] = found
      if (rows.length === 0 && adopted) return [wordsFound(adopted)]
      return rows.map(({ payload, arrived }) => ({ ...payload, arrived }))
    },
    hasTime: () => ctx.now().getTime() < until,
    unknownPost: (ask) => unknownPostAt(ctx, integrationId, ask),
    ...(articleId === null ? {} : { splice: (stored, html) => spliceAt(ctx, articleId, stored, html) }),
    dropVersion: async () => {
      if (stored === undefined) return
      await ctx.batch(
        { deletedRemoteVersions: ctx.db.delete(remoteVersions).where(eq(remoteVersions.id, stored)) },
        {
          unaudited: 'nothing was changed at the site, so there is nothing to go back from',
        },
      )
      stored = undefined
    },
    version: async (version) => {
      if (articleId === null) return
      const ofTarget = and(eq(remoteVersions.articleId, articleId), eq(remoteVersions.integrationId, integrationId))
      const newest = ctx.db
        .select({ id: remoteVersions.id })
        .from(remoteVersions)
        .where(ofTarget)
        .orderBy(desc(remoteVersions.id))
      const isThere = exists(ctx.db.select({ id: articles.id }).from(articles).where(eq(articles.id, articleId)))
      const isKept = sql`(select version from remote_versions where ${ofTarget} order by id desc limit 1) = ${JSON.stringify(version)}::jsonb`
      const {
        remoteVersions: [row],
      } = await ctx.batch(
        {
          remoteVersions: insertWhere(
            remoteVersions,
            { articleId, integrationId, version, takenAt: ctx.now() },
            { if: sql`${isThere} and ${isKept} is not true`, returning: { id: remoteVersions.id } },
          ),
          deletedRemoteVersions: ctx.db
            .delete(remoteVersions)
            .where(inArray(remoteVersions.id, newest.offset(KEPT_VERSIONS))),
        },
        { unaudited: 'the change that follows is in the audit log' },
      )
      stored = row?.id
    },
    hostedImages: async (urls) => {
      if (urls.length === 0) return new Map()
      const hashes = new Map<string, string>()
      for (const url of urls) hashes.set(await sha256(url), url)
      const rows = await ctx.read(() => hostedImagesOf(ctx.db, integrationId, [...hashes.keys()]))
      const isThere = await Promise.all(rows.map(async ({ url }) => !(await isGone(ctx, url))))
      return new Map(rows.filter((_, n) => isThere[n]).map(({ hash, url }) => [hashes.get(hash) ?? '', url]))
    },
    hosted: async (url, hostedUrl) => {
      const row = { integrationId, urlHash: await sha256(url), hostedUrl, createdAt: ctx.now() }
      const remembered = ctx.db
        .insert(cmsImages)
        .values(row)
        .onConflictDoUpdate({ target: [cmsImages.integrationId, cmsImages.urlHash], set: { hostedUrl } })
      await ctx.batch({ remembered }, { unaudited: 'the publication the image belongs to is in the audit log' })
    },
  }
}

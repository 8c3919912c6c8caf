import { and, desc, eq, exists, inArray } from 'drizzle-orm'
import { articles } from '../../../schema/articles.ts'
import { cmsImages, remoteVersions } from '../../../schema/remote.ts'
import { insertWhere } from '../../platform/db/writes.ts'
import { sha256 } from '../../platform/lib/crypto.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import type { Keeping } from '../target/publish-target.ts'
import { hostedImagesOf, sentBefore, sentLately } from './queries.ts'

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

import { sha256 } from '../../platform/lib/crypto.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import type { Keeping } from '../target/publish-target.ts'
import { hostedImagesOf, sentBefore } from './queries.ts'
import { keepVersion, rememberImage } from './statements.ts'

/** Time that an attempt spends on work that could wait, ms: well within its lease on the article. */
export const SPARE_MS = 100_000

/** Keeps what an attempt at a target learns or replaces, each before the attempt goes on. Without an article no version is kept. */
export const keepingOf = (ctx: Ctx, integrationId: number, articleId: number | null): Keeping => {
  const until = ctx.now().getTime() + SPARE_MS
  return {
    sentBefore: async () => {
      if (articleId === null) return []
      const [rows] = await ctx.read(() => [sentBefore(ctx.db, articleId)])
      return rows.map(({ payload }) => payload)
    },
    hasTime: () => ctx.now().getTime() < until,
    version: async (version) => {
      if (articleId !== null) await ctx.write(keepVersion(articleId, integrationId, version, ctx.now()))
    },
    hostedImages: async (urls) => {
      if (urls.length === 0) return new Map()
      const hashes = new Map<string, string>()
      for (const url of urls) hashes.set(await sha256(url), url)
      const [rows] = await ctx.read(() => [hostedImagesOf(ctx.db, integrationId, [...hashes.keys()])])
      return new Map(rows.map(({ hash, url }) => [hashes.get(hash) ?? '', url]))
    },
    hosted: async (url, hostedUrl) => {
      await ctx.write(rememberImage(integrationId, await sha256(url), hostedUrl, ctx.now()))
    },
  }
}

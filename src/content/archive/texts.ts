import { sql } from 'drizzle-orm'
import type { SeoReport } from '../../../schema/values/seo.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import { readSentWork, type SafeContent } from '../articles/sent-work.ts'
import { seoQuery } from '../seo/assess.ts'
import { judgeWork } from '../seo/work.ts'
import { BadArchive, type Line } from './lines.ts'

const NAME = '([0-9a-f]{64}\\.(?:jpg|png|webp|gif))'
const quoted = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

/** Returns a function that makes addresses of images at the service of an archive those of the same images here. */
export const imagesHere = (sourceUrl: string, publicUrl: string): ((text: string) => string) => {
  if (sourceUrl === publicUrl) return (text) => text
  const there = new RegExp(`${quoted(sourceUrl)}/media/${NAME}`, 'g')
  return (text) => text.replace(there, (_, name: string) => `${publicUrl}/media/${name}`)
}

/** Makes HTML of an archive safe, like what a caller sends. Throws `BadArchive` for HTML that is refused. */
export const safeHtml = async (ctx: Ctx, content: string, what: string): Promise<SafeContent | undefined> => {
  if (content === '') return undefined
  const { content: read } = await ctx.texts(readSentWork, {
    slugsOf: [],
    content,
    format: 'html',
    publicUrl: ctx.settings.publicUrl,
  })
  if (read?.kind !== 'clean') throw new BadArchive(`${what}: its HTML is not taken (${read?.fault ?? 'unread'})`)
  if (read.images.length > 0) throw new BadArchive(`${what}: its HTML has images as data: URLs`)
  return read
}

/** Judges an article of an archive as if it were saved. */
export const judged = async (
  ctx: Ctx,
  projectId: number,
  { row, slug, safe }: { row: Line<'article'>; slug: string; safe: SafeContent },
): Promise<{ seo: SeoReport | null; contentSketch: readonly number[] }> => {
  const { rows } = await seoQuery(ctx.db, sql`${projectId}::int`, undefined, safe.reading)
  const { judgement } = await ctx.texts(judgeWork, {
    found: { rows },
    article: {
      keyword: row.keyword,
      title: row.title,
      slug,
      metaDescription: row.meta_description,
      featureImage: row.feature_image,
      articleStyle: row.article_style,
    },
    content: safe.reading,
  })
  return { seo: judgement?.report ?? null, contentSketch: judgement?.sketch ?? [] }
}

import { and, asc, eq, gt, inArray, isNull, lte, or, sql } from 'drizzle-orm'
import { articleRevisions, articles } from '../../../schema/articles.ts'
import { connections } from '../../../schema/connections.ts'
import { deliveries, deliveryAttempts, sentArticle } from '../../../schema/deliveries.ts'
import { integrations } from '../../../schema/integrations.ts'
import { hostedImages } from '../../../schema/media.ts'
import { policies } from '../../../schema/policies.ts'
import { projects } from '../../../schema/projects.ts'
import { projectKeywords, sitePages } from '../../../schema/site.ts'
import { articleTranslations } from '../../../schema/translations.ts'
import type { ArchiveKind, ArchivePosition } from '../../../schema/values/archives.ts'
import type { ImageExtension } from '../../../schema/values/media.ts'
import { SERVICE_IMAGE_HOSTING } from '../../../schema/values/projects.ts'
import { clausesOf } from '../../accounts/policy/read.ts'
import { projectSettings } from '../../accounts/projects/present.ts'
import { type Db, rowsOf } from '../../platform/db/client.ts'
import { base64 } from '../../platform/lib/crypto.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import { ARCHIVED_COLUMNS, ARTICLE_FIELDS } from '../articles/fields.ts'
import { imageName } from '../media/store.ts'
import type { Line } from './lines.ts'

/** Project of an export, and the time of the export. Articles and deliveries created later are left out. */
export type Exported = { accountId: number; projectId: number; createdAt: Date }

type After = ArchivePosition['after']

/** Rows of one kind, each with its key. Fewer rows than the limit means that there are no more. */
type Page<Kind extends ArchiveKind> = { limit: number; rows: { key: After; row: Line<Kind> }[] }

/** Rows with long texts are read in small pages to save memory. */
const [FEW, MANY] = [20, 500]

const iso = (at: Date): string => at.toISOString()
const isoOrNull = (at: Date | null): string | null => at?.toISOString() ?? null
const first = (after: After): number => Number(after[0] ?? 0)

const projectRows = async ({ db }: Ctx, { projectId }: Exported): Promise<Page<'project'>> => {
  const [found] = await db
    .select({ project: projects, policy: policies })
    .from(projects)
    .leftJoin(policies, eq(policies.projectId, projects.id))
    .where(eq(projects.id, projectId))
  if (!found) return { limit: 2, rows: [] }
  const { project, policy } = found
  const { articles_per_day: _, ...settings } = projectSettings(project, SERVICE_IMAGE_HOSTING)
  const row = {
    website_url: project.websiteUrl,
    settings,
    article_plan: project.articlePlan as Line<'project'>['article_plan'],
    policy: policy && clausesOf(policy),
  }
  return { limit: 2, rows: [{ key: [project.id], row }] }
}

const integrationRows = async ({ db }: Ctx, { projectId }: Exported, after: After): Promise<Page<'integration'>> => {
  const { id, platform, name, status, url, createdAt } = integrations
  const rows = await db
    .select({ id, platform, name, url, status, createdAt })
    .from(integrations)
    .where(and(eq(integrations.projectId, projectId), gt(id, first(after))))
    .orderBy(asc(id))
    .limit(MANY)
  return {
    limit: MANY,
    rows: rows.map(({ createdAt: at, ...row }) => ({ key: [row.id], row: { ...row, created_at: iso(at) } })),
  }
}

const connectionRows = async ({ db }: Ctx, { projectId }: Exported, after: After): Promise<Page<'connection'>> => {
  const { id, platform, name, status, url, createdAt } = connections
  const rows = await db
    .select({ id, platform, name, url, status, createdAt })
    .from(connections)
    .where(and(eq(connections.projectId, projectId), gt(id, first(after))))
    .orderBy(asc(id))
    .limit(MANY)
  return {
    limit: MANY,
    rows: rows.map(({ id: key, createdAt: at, ...row }) => ({ key: [key], row: { ...row, created_at: iso(at) } })),
  }
}

const keywordRows = async ({ db }: Ctx, { projectId }: Exported, after: After): Promise<Page<'keyword'>> => {
  const rows = await db
    .select()
    .from(projectKeywords)
    .where(and(eq(projectKeywords.projectId, projectId), gt(projectKeywords.id, first(after))))
    .orderBy(asc(projectKeywords.id))
    .limit(MANY)
  return {
    limit: MANY,
    rows: rows.map((k) => ({
      key: [k.id],
      row: {
        keyword: k.keyword,
        search_volume: k.searchVolume,
        keyword_difficulty: k.keywordDifficulty,
        source: k.source,
        created_at: iso(k.createdAt),
      },
    })),
  }
}

const pageRows = async ({ db }: Ctx, { projectId }: Exported, after: After): Promise<Page<'page'>> => {
  const { id, url, title, keyword, metaDescription, readAt, seenAt, createdAt } = sitePages
  const rows = await db
    .select({ id, url, title, keyword, metaDescription, readAt, seenAt, createdAt })
    .from(sitePages)
    .where(
      and(
        eq(sitePages.projectId, projectId),
        gt(id, first(after)),
        // Not the addresses that an article had before its site moved.
        or(isNull(sitePages.articleId), isNull(sitePages.alternateOf)),
      ),
    )
    .orderBy(asc(id))
    .limit(MANY)
  return {
    limit: MANY,
    rows: rows.map((p) => ({
      key: [p.id],
      row: {
        url: p.url,
        title: p.title,
        keyword: p.keyword,
        meta_description: p.metaDescription,
        read_at: isoOrNull(p.readAt),
        seen_at: iso(p.seenAt),
        created_at: iso(p.createdAt),
      },
    })),
  }
}

/** Columns of an article in archives, by their names there. */
const ARTICLE_COLUMNS = Object.fromEntries(
  ARCHIVED_COLUMNS.map((column) => [ARTICLE_FIELDS[column].archive, articles[column]]),
)

const articleRows = async ({ db }: Ctx, of: Exported, after: After): Promise<Page<'article'>> => {
  const rows = await db
    .select({ ...ARTICLE_COLUMNS, id: articles.id })
    .from(articles)
    .where(
      and(eq(articles.projectId, of.projectId), gt(articles.id, first(after)), lte(articles.createdAt, of.createdAt)),
    )
    .orderBy(asc(articles.id))
    .limit(FEW)
  return {
    limit: FEW,
    rows: rows.map((row) => {
      const values = Object.entries<unknown>(row).map(([name, value]) => [
        name,
        value instanceof Date ? iso(value) : value,
      ])
      return { key: [row.id], row: Object.fromEntries(values) as Line<'article'> }
    }),
  }
}

const revisionRows = async ({ db }: Ctx, of: Exported, after: After): Promise<Page<'revision'>> => {
  const { articleId, revision } = articleRevisions
  const behind = sql`(${articleId}, ${revision}) > (${first(after)}::int, ${Number(after[1] ?? 0)}::int)`
  const rows = await db
    .select({
      article_id: articleId,
      revision,
      title: articleRevisions.title,
      meta_description: articleRevisions.metaDescription,
      content: articleRevisions.content,
      feature_image: articleRevisions.featureImage,
      alt_text: articleRevisions.altText,
      fields: articleRevisions.fields,
      createdAt: articleRevisions.createdAt,
    })
    .from(articleRevisions)
    .innerJoin(articles, eq(articles.id, articleId))
    .where(and(eq(articles.projectId, of.projectId), lte(articles.createdAt, of.createdAt), behind))
    .orderBy(asc(articleId), asc(revision))
    .limit(FEW)
  return {
    limit: FEW,
    rows: rows.map(({ createdAt, ...row }) => ({
      key: [row.article_id, row.revision],
      row: { ...row, created_at: iso(createdAt) },
    })),
  }
}

/** Returns the articles of groups of translations that have another article of the project. */
const translationRows = async ({ db }: Ctx, of: Exported, after: After): Promise<Page<'translation'>> => {
  const { articleId, groupId: group, language, createdAt } = articleTranslations
  const isOfProject = and(eq(articles.projectId, of.projectId), lte(articles.createdAt, of.createdAt))
  const others = sql`select 1 from article_translations joined join articles other on other.id = joined.article_id
    where joined.group_id = ${group} and joined.article_id <> ${articleId} and other.project_id = ${of.projectId}::int`
  const rows = await db
    .select({ article_id: articleId, group, language, createdAt })
    .from(articleTranslations)
    .innerJoin(articles, eq(articles.id, articleId))
    .where(and(isOfProject, gt(articleId, first(after)), sql`exists (${others})`))
    .orderBy(asc(articleId))
    .limit(MANY)
  return {
    limit: MANY,
    rows: rows.map(({ createdAt: at, ...row }) => ({ key: [row.article_id], row: { ...row, created_at: iso(at) } })),
  }
}

const attemptsOf = async (db: Db, ids: readonly number[]) => {
  const { deliveryId, number } = deliveryAttempts
  const rows =
    ids.length === 0
      ? []
      : await db
          .select()
          .from(deliveryAttempts)
          .where(inArray(deliveryId, [...ids]))
          .orderBy(asc(deliveryId), asc(number))
  return (id: number) =>
    rows
      .filter((attempt) => attempt.deliveryId === id)
      .map((attempt) => ({
        number: attempt.number,
        status: attempt.status,
        http_status: attempt.httpStatus,
        duration_ms: attempt.durationMs,
        error: attempt.error,
        response_excerpt: attempt.responseExcerpt,
        started_at: iso(attempt.startedAt),
      }))
}

const deliveryRows = async ({ db }: Ctx, of: Exported, after: After): Promise<Page<'delivery'>> => {
  const rows = await db
    .select({
      id: deliveries.id,
      integration_id: deliveries.integrationId,
      article_id: deliveries.articleId,
      replay_of: deliveries.replayOf,
      event_type: deliveries.eventType,
      status: deliveries.status,
      idempotency_key: deliveries.idempotencyKey,
      revision: deliveries.revision,
      live: deliveries.live,
      publishes: deliveries.publishes,
      payload: sentArticle(),
      lookups: deliveries.lookups,
      error: deliveries.error,
      createdAt: deliveries.createdAt,
      updatedAt: deliveries.updatedAt,
    })
    .from(deliveries)
    .where(
      and(
        eq(deliveries.projectId, of.projectId),
        gt(deliveries.id, first(after)),
        lte(deliveries.createdAt, of.createdAt),
      ),
    )
    .orderBy(asc(deliveries.id))
    .limit(FEW)
  const attempts = await attemptsOf(
    db,
    rows.map(({ id }) => id),
  )
  return {
    limit: FEW,
    rows: rows.map(({ createdAt, updatedAt, ...row }) => ({
      key: [row.id],
      row: { ...row, attempts: attempts(row.id), created_at: iso(createdAt), updated_at: iso(updatedAt) },
    })),
  }
}

type Shown = { hash: string; extension: ImageExtension; width: number; height: number }

/** Returns the next hosted images that articles or revisions of the project use, ordered by hash. */
const imagesShown = async (db: Db, { accountId, projectId }: Exported, after: After): Promise<Shown[]> =>
  await rowsOf<Shown>(
    db,
    sql`select i.hash, i.extension, i.width, i.height from ${hostedImages} i
      where i.account_id = ${accountId}::int and i.hash > ${String(after[0] ?? '')} and i.hash in (
        select m[1] from (
          select a.content || ' ' || a.feature_image as shown from ${articles} a where a.project_id = ${projectId}::int
          union all
          select r.content || ' ' || coalesce(r.feature_image, '') from ${articleRevisions} r
            join ${articles} a on a.id = r.article_id where a.project_id = ${projectId}::int
        ) texts, regexp_matches(texts.shown, '/media/([0-9a-f]{64})[.]', 'g') m
      ) order by i.hash limit ${FEW}::int`,
  )

/** Bytes encoded as base64 at once. A multiple of three, so that the pieces can be joined. */
const PIECE = 30_000

const base64Of = (bytes: Uint8Array): string => {
  const pieces: string[] = []
  for (let at = 0; at < bytes.length; at += PIECE) pieces.push(base64(bytes.subarray(at, at + PIECE)))
  return pieces.join('')
}

/** Returns one image at a time, because an image may have 12 MB. */
const imageRows = async (ctx: Ctx, of: Exported, after: After): Promise<Page<'image'>> => {
  for (const image of await imagesShown(ctx.db, of, after)) {
    const stored = await ctx.media.get(imageName(image.hash, image.extension))
    if (!stored?.size) continue
    const data = base64Of(new Uint8Array(await new Response(stored.body).arrayBuffer()))
    return { limit: 1, rows: [{ key: [image.hash], row: { ...image, data } }] }
  }
  return { limit: 1, rows: [] }
}

/** Reads the next rows of each kind of a project. */
export const ROWS: { [Kind in ArchiveKind]: (ctx: Ctx, of: Exported, after: After) => Promise<Page<Kind>> } = {
  project: projectRows,
  integration: integrationRows,
  connection: connectionRows,
  keyword: keywordRows,
  page: pageRows,
  article: articleRows,
  revision: revisionRows,
  translation: translationRows,
  delivery: deliveryRows,
  image: imageRows,
}

import { eq, sql } from 'drizzle-orm'
import { accounts } from '../../../schema/accounts.ts'
import type { projectImports } from '../../../schema/archives.ts'
import type { PolicyClauses } from '../../../schema/values/policy.ts'
import { SERVICE_IMAGE_HOSTING } from '../../../schema/values/projects.ts'
import { isOpenStatus } from '../../../schema/values/publishing.ts'
import type { SeoReport } from '../../../schema/values/seo.ts'
import { columnsOf as policyColumns } from '../../accounts/policy/read.ts'
import { importedProject } from '../../accounts/projects/create.ts'
import { sha256 } from '../../platform/lib/crypto.ts'
import { ApiError } from '../../platform/lib/errors.ts'
import { pageKey } from '../../platform/lib/urls.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import { base64Bytes, readSentWork, type SafeContent } from '../articles/content.ts'
import { ARCHIVED_COLUMNS, ARTICLE_FIELDS } from '../articles/fields.ts'
import { describeImage, keepImage } from '../media/store.ts'
import { surroundingsOf } from '../seo/parts.ts'
import { judgeWork } from '../seo/work.ts'
import { BadArchive, type Line, type ReadLine } from './lines.ts'
import type { Ids, NewRows } from './write.ts'

const NAME = '([0-9a-f]{64}\\.(?:jpg|png|webp|gif))'
const quoted = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

/** Returns a function that replaces image addresses of the archive's service with the addresses of the same images here. */
const imagesHere = (sourceUrl: string, publicUrl: string): ((text: string) => string) => {
  if (sourceUrl === publicUrl) return (text) => text
  const there = new RegExp(`${quoted(sourceUrl)}/media/${NAME}`, 'g')
  return (text) => text.replace(there, (_, name: string) => `${publicUrl}/media/${name}`)
}

/** Makes the HTML of an archive safe, as for sent content. Throws `BadArchive` if the HTML is refused. */
const safeHtml = async (ctx: Ctx, content: string, what: string): Promise<SafeContent | undefined> => {
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

type Judged = { seo: SeoReport | null; contentSketch: readonly number[]; linkedKeys: readonly string[] }

const UNJUDGED: Judged = { seo: null, contentSketch: [], linkedKeys: [] }

/** Returns what is judged of an archived article, as if it were saved. */
const judged = async (
  ctx: Ctx,
  projectId: number,
  { row, slug, safe }: { row: Line<'article'>; slug: string; safe: SafeContent },
): Promise<Judged> => {
  const { rows } = await surroundingsOf(ctx.db, sql`${projectId}::int`, undefined, safe.reading)
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
  return judgement
    ? { seo: judgement.report, contentSketch: judgement.sketch, linkedKeys: judgement.linkedKeys }
    : UNJUDGED
}

type Import = typeof projectImports.$inferSelect

/** Longest key that fits the index. */
const MAX_KEY = 2_000

const INTERRUPTED = 'The archive was made while this delivery was under way.'

const keyOf = (url: string): string | undefined => {
  if (!URL.canParse(url)) return undefined
  const key = pageKey(new URL(url))
  return key.length > MAX_KEY ? undefined : key
}

/** Context of an import, and the rows made so far. */
export type ImportRows = {
  ctx: Ctx
  one: Import
  ids: Ids
  projectId: number
  rows: NewRows
  here: (text: string) => string
}

/** Returns the author of the policy of an imported project. */
export const importedBy = ({ id }: Pick<Import, 'id'>): string => `import:${id}`

const addProject = async ({ ctx, one, projectId, rows }: ImportRows, row: Line<'project'>): Promise<void> => {
  const { policy, website_url: websiteUrl, settings, article_plan: articlePlan } = row
  const [account] = await ctx.db.select({ plan: accounts.plan }).from(accounts).where(eq(accounts.id, one.accountId))
  if (!account) throw new BadArchive('the account is gone')
  const image_hosting =
    settings.image_hosting === SERVICE_IMAGE_HOSTING ? ctx.settings.serviceName : settings.image_hosting
  try {
    const given = { websiteUrl, settings: { ...settings, image_hosting }, articlePlan }
    const columns = importedProject(ctx.settings, account.plan, given)
    rows.project = { row: { id: projectId, accountId: one.accountId, ...columns } }
    if (policy === null) return
    const clauses: PolicyClauses = { ...policy, timezone: policy.timezone ?? columns.timezone ?? null }
    const by = { version: 1, changedBy: importedBy(one), changedAt: ctx.now() }
    rows.project.policy = { projectId, accountId: one.accountId, ...by, ...policyColumns(clauses) }
    rows.project.version = { projectId, ...by, clauses }
  } catch (error) {
    if (error instanceof ApiError) throw new BadArchive(`project: ${error.message}`)
    throw error
  }
}

const addPage = ({ projectId, rows }: ImportRows, row: Line<'page'>): void => {
  const urlKey = keyOf(row.url)
  if (urlKey === undefined) throw new BadArchive('page: url: must be an address of at most 2,000 characters')
  rows.pages.push({
    projectId,
    url: row.url,
    urlKey,
    title: row.title,
    keyword: row.keyword,
    metaDescription: row.meta_description,
    readAt: row.read_at,
    seenAt: row.seen_at,
    createdAt: row.created_at,
  })
}

const addArticle = async (making: ImportRows, row: Line<'article'>): Promise<void> => {
  const { ctx, one, ids, projectId, rows, here } = making
  const id = ids.of('article', row.id)
  const safe = await safeHtml(ctx, here(row.content), `article ${row.id}`)
  const isPublished = row.status === 'Published' && row.published_at !== null
  const report = safe ? await judged(ctx, projectId, { row, slug: row.slug, safe }) : UNJUDGED
  const kept = ARCHIVED_COLUMNS.map((column) => [column, row[ARTICLE_FIELDS[column].archive]])
  rows.articles.push({
    ...Object.fromEntries(kept),
    id,
    accountId: one.accountId,
    projectId,
    status: isPublished ? 'Published' : 'Draft',
    externalRef: row.external_ref ?? null,
    content: safe?.html ?? '',
    featureImage: here(row.feature_image),
    ...report,
  })
  const urlKey = isPublished && row.url !== null ? keyOf(row.url) : undefined
  if (urlKey !== undefined) rows.published.push({ articleId: id, urlKey })
}

const addRevision = async ({ ctx, ids, rows, here }: ImportRows, row: Line<'revision'>): Promise<void> => {
  const safe = await safeHtml(ctx, here(row.content), `revision ${row.revision} of article ${row.article_id}`)
  rows.revisions.push({
    articleId: ids.of('article', row.article_id),
    revision: row.revision,
    title: row.title,
    metaDescription: row.meta_description,
    content: safe?.html ?? '',
    featureImage: row.feature_image && here(row.feature_image),
    altText: row.alt_text,
    fields: row.fields ?? null,
    createdAt: row.created_at,
  })
}

/** The group has another id than where the archive was made, so that an import never joins the articles of the original. */
const addTranslation = async ({ one, ids, rows }: ImportRows, row: Line<'translation'>): Promise<void> => {
  const hash = await sha256(`${one.id} ${row.group}`)
  rows.translations.push({
    articleId: ids.of('article', row.article_id),
    accountId: one.accountId,
    groupId: hash.slice(0, 32).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-'),
    language: row.language,
    createdAt: row.created_at,
  })
}

const addDelivery = async (
  { ctx, one, ids, projectId, rows, here }: ImportRows,
  row: Line<'delivery'>,
): Promise<void> => {
  const id = ids.of('delivery', row.id)
  const articleId = row.article_id === null ? null : ids.of('article', row.article_id)
  const isOpen = isOpenStatus(row.status)
  const safe = await safeHtml(ctx, here(row.payload.content_html), `delivery ${row.id}`)
  rows.deliveries.push({
    id,
    accountId: one.accountId,
    projectId,
    integrationId: ids.of('integration', row.integration_id),
    articleId,
    replayOf: row.replay_of === null ? null : ids.of('delivery', row.replay_of),
    eventType: row.event_type,
    status: isOpen ? 'failed' : row.status,
    idempotencyKey: row.idempotency_key,
    revision: row.revision,
    live: row.live,
    publishes: row.publishes,
    payload: {
      ...row.payload,
      ...(articleId === null ? {} : { id: String(articleId) }),
      content_html: safe?.html ?? '',
      ...(row.payload.content_markdown === undefined ? {} : { content_markdown: here(row.payload.content_markdown) }),
      image_url: here(row.payload.image_url),
    },
    attempts: row.attempts.length,
    lookups: row.lookups,
    error: isOpen ? INTERRUPTED : row.error,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  })
  for (const attempt of row.attempts)
    rows.attempts.push({
      deliveryId: id,
      number: attempt.number,
      status: attempt.status === 'sending' ? 'unknown' : attempt.status,
      httpStatus: attempt.http_status,
      durationMs: attempt.duration_ms,
      error: attempt.error,
      responseExcerpt: attempt.response_excerpt,
      startedAt: attempt.started_at,
    })
}

/** Stores an image, whose type is read from its bytes. Throws `BadArchive` if the bytes do not match the row's hash. */
const addImage = async ({ ctx, rows }: ImportRows, { hash, data }: Line<'image'>): Promise<void> => {
  const bytes = base64Bytes(data)
  if (!bytes) throw new BadArchive(`image ${hash}: data: is not base64`)
  const image = await describeImage(ctx, bytes).catch((error: unknown) => {
    if (error instanceof ApiError) throw new BadArchive(`image ${hash}: ${error.message}`)
    throw error
  })
  if (image.hash !== hash) throw new BadArchive(`image ${hash}: its bytes have another hash`)
  await keepImage(ctx, image, bytes)
  rows.images.push(image)
}

/** Adds the rows that a line becomes. Throws `BadArchive`. */
export const addLine = async (making: ImportRows, line: ReadLine): Promise<void> => {
  const { one, ids, projectId, rows } = making
  const owners = { accountId: one.accountId, projectId }
  switch (line.kind) {
    case 'project':
      return await addProject(making, line.row)
    case 'integration': {
      const { id, platform, name, url, created_at: createdAt } = line.row
      const row = { ...owners, platform, name, url, status: 'Disconnected', sealedSecrets: '', createdAt }
      rows.integrations.push({ id: ids.of('integration', id), ...row })
      return
    }
    case 'connection': {
      const { platform, name, url, created_at: createdAt } = line.row
      rows.connections.push({ ...owners, platform, name, url, status: 'Disconnected', sealedSecrets: '', createdAt })
      return
    }
    case 'keyword': {
      const { keyword, search_volume: searchVolume, keyword_difficulty: keywordDifficulty, source } = line.row
      rows.keywords.push({
        projectId,
        keyword,
        searchVolume,
        keywordDifficulty,
        source,
        createdAt: line.row.created_at,
      })
      return
    }
    case 'page':
      addPage(making, line.row)
      return
    case 'article':
      return await addArticle(making, line.row)
    case 'revision':
      return await addRevision(making, line.row)
    case 'translation':
      return await addTranslation(making, line.row)
    case 'delivery':
      return await addDelivery(making, line.row)
    case 'image':
      return await addImage(making, line.row)
  }
}

/** Returns the context for making the rows of a part, with no rows yet. */
export const emptyImportOf = (ctx: Ctx, one: Import, ids: Ids, projectId: number): ImportRows => ({
  ctx,
  one,
  ids,
  projectId,
  here: imagesHere(one.sourceUrl, ctx.settings.publicUrl),
  rows: {
    integrations: [],
    connections: [],
    keywords: [],
    pages: [],
    articles: [],
    revisions: [],
    translations: [],
    deliveries: [],
    attempts: [],
    images: [],
    published: [],
    ids: ids.added.map(([kind, oldId, newId]) => ({ kind, oldId, newId })),
  },
})

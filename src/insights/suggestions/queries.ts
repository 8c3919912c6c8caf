import { and, desc, eq, inArray, lt, lte, or, type SQL, sql } from 'drizzle-orm'
import { articles } from '../../../schema/articles.ts'
import { literals } from '../../../schema/columns.ts'
import { pageChanges } from '../../../schema/effects.ts'
import { projects } from '../../../schema/projects.ts'
import { suggestions } from '../../../schema/suggestions.ts'
import type { ChangeKind, Verdict } from '../../../schema/values/effects.ts'
import type { DeliveryStatus } from '../../../schema/values/publishing.ts'
import type { OpportunityType, SuggestionState } from '../../../schema/values/suggestions.ts'
import { statusAllows } from '../../content/articles/parts.ts'
import type { Db } from '../../platform/db/client.ts'
import { at } from '../../platform/db/instant.ts'
import type { Paging } from '../../platform/db/paging.ts'
import { hasSearchData, nextSuggestionsAt } from '../search/parts.ts'
import { visitsAround } from '../traffic/parts.ts'
import { weeklyJob } from './jobs.ts'

const columns = {
  id: suggestions.id,
  accountId: suggestions.accountId,
  projectId: suggestions.projectId,
  articleId: suggestions.articleId,
  articleTitle: suggestions.articleTitle,
  articleUrl: suggestions.articleUrl,
  status: suggestions.status,
  opportunityType: suggestions.opportunityType,
  priority: suggestions.priority,
  reason: suggestions.reason,
  trigger: suggestions.trigger,
  notes: suggestions.notes,
  error: suggestions.error,
  feedback: suggestions.feedback,
  createdAt: suggestions.createdAt,
  updatedAt: suggestions.updatedAt,
  readyAt: suggestions.readyAt,
  publishedAt: suggestions.publishedAt,
  effect: pageChanges.effect,
  before: suggestions.before,
  after: suggestions.after,
  stats: suggestions.stats,
  proposedRevision: suggestions.proposedRevision,
}

type Filter = { status?: readonly SuggestionState[] | undefined; type?: readonly OpportunityType[] | undefined }

/**
 * Most bytes of proposals (JSON) on one page of a list. An answer of Neon has at most 10 MB, and a quotation mark can take four
 * bytes.
 */
const PAGE_BYTES = 4 * 1024 * 1024

const proposalBytes = sql<number>`coalesce(${suggestions.proposalBytes},
  octet_length(${suggestions.before}::text) + octet_length(${suggestions.after}::text), 0)`

/**
 * Returns a project's suggestions, newest first, one more than the page shows. Proposals are limited to `PAGE_BYTES`, but not
 * below one row.
 *
 * `inPage` is the number of rows before that limit.
 *
 * Ids are selected first, from an index of the project. For whole rows, the planner would scan the rows of all projects if it
 * estimated this project to be large.
 */
export const listRows = (db: Db, projectId: number, { status, type }: Filter, { limit, offset, beforeId }: Paging) => {
  const page = db
    .select({ id: suggestions.id, bytes: proposalBytes.as('bytes') })
    .from(suggestions)
    .where(
      and(
        eq(suggestions.projectId, projectId),
        beforeId === undefined ? undefined : lt(suggestions.id, beforeId),
        status ? inArray(suggestions.status, [...status]) : undefined,
        type ? inArray(suggestions.opportunityType, [...type]) : undefined,
      ),
    )
    .orderBy(desc(suggestions.id))
    .limit(limit + 1)
    .offset(offset)
    .as('page')
  const sized = db
    .select({
      id: page.id,
      place: sql<number>`row_number() over (order by ${page.id} desc)`.as('place'),
      upTo: sql<number>`sum(${page.bytes}) over (order by ${page.id} desc)`.as('up_to'),
      inPage: sql<number>`(count(*) over ())::int`.as('in_page'),
    })
    .from(page)
    .as('sized')
  return db
    .select({ ...columns, inPage: sized.inPage })
    .from(sized)
    .innerJoin(suggestions, eq(suggestions.id, sized.id))
    .leftJoin(pageChanges, eq(pageChanges.suggestionId, suggestions.id))
    .where(or(eq(sized.place, 1), lte(sized.upTo, PAGE_BYTES)))
    .orderBy(desc(suggestions.id))
}

type Standing = {
  counts: Partial<Record<SuggestionState, number>> | null
  connected: boolean
  weekly: boolean
  next_run_at: string | null
}

/**
 * Selects the counts of a project's suggestions by state, whether it has search data and a weekly run, and the time of that
 * run.
 *
 * A run that is queued already has its own time.
 */
export const runStatus = (db: Db, projectId: number, now: Date) => {
  const asked = sql`(select run_at from (select ${weeklyJob.runAtOf(sql`p.id`)} as run_at) a where run_at > ${at(now)})`
  const next = sql`coalesce(${asked}, ${nextSuggestionsAt(sql`p.id`)}) at time zone 'UTC'`
  return db.execute<Standing>(sql`
    select (select jsonb_object_agg(status, n) from (
        select status, count(*)::int as n from suggestions where project_id = ${projectId}::int group by status) c) as counts,
      ${hasSearchData(sql`p.id`)} as connected, p.weekly_suggestions as weekly,
      to_char(${next}, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as next_run_at
    from projects p where p.id = ${projectId}::int`)
}

const wording = {
  ...columns,
  baseRevision: suggestions.baseRevision,
  livePage: suggestions.livePage,
  making: suggestions.making,
  publishingUntil: suggestions.publishingUntil,
  revision: articles.revision,
  articleStatus: articles.status,
  publishState: articles.publishState,
  articleUpdatedAt: articles.updatedAt,
  title: articles.title,
  metaDescription: articles.metaDescription,
  content: articles.content,
  featureImage: articles.featureImage,
  mainKeyword: articles.mainKeyword,
  slug: articles.slug,
  articleStyle: articles.articleStyle,
  seo: articles.seo,
  projectStatus: projects.status,
}

/** Returns a suggestion by id, of any account, with its article as it is now. */
export const suggestionById = (db: Db, owner: SQL, id: number) =>
  db
    .select({ ...wording, mine: sql<boolean>`${suggestions.accountId} = ${owner}` })
    .from(suggestions)
    .innerJoin(projects, eq(projects.id, suggestions.projectId))
    .leftJoin(articles, eq(articles.id, suggestions.articleId))
    .leftJoin(pageChanges, eq(pageChanges.suggestionId, suggestions.id))
    .where(eq(suggestions.id, id))

const REFUSED = literals(['failed'] satisfies DeliveryStatus[])
const ARRIVED = literals(['delivered'] satisfies DeliveryStatus[])
const PROPOSED = literals(['awaiting_merge'] satisfies DeliveryStatus[])

/**
 * Selects the newest revision with the words from before the rewrite, and whether the site certainly shows them.
 *
 * It does if that revision was the last to arrive, and the site refused all later ones. A webhook refuses with any status, a
 * CMS with 400 to 499. What is in a pull request is not on the site.
 */
export const wordsBefore = (db: Db, id: number) => {
  const has = sql`v.title = s.before ->> 'title' and v.meta_description = s.before ->> 'meta_description' and v.content = s.before ->> 'content'`
  return db.execute<{ older: number | null; shown: boolean }>(sql`
    select (select max(v.revision) from article_revisions v where v.article_id = s.article_id and ${has}) as older,
      coalesce((select ${has} from article_revisions v where v.article_id = s.article_id and v.revision >= sent.revision
        order by v.revision limit 1), false)
      and not exists (select 1 from deliveries d join integrations i on i.id = d.integration_id
        where d.article_id = s.article_id and d.id > sent.id and d.status not in ${PROPOSED} and not exists (select 1 from delivery_attempts t
          where t.delivery_id = d.id and t.number = d.attempts and d.status in ${REFUSED}
            and (t.http_status between 400 and 499 or (t.http_status is not null and i.platform = 'webhook')))) as shown
    from suggestions s left join lateral (select id, revision from deliveries where article_id = s.article_id
      and status in ${ARRIVED} order by id desc limit 1) sent on true
    where s.id = ${id}::int`)
}

/** Returns the difference of a suggestion as HTML. */
export const diffById = (db: Db, id: number) =>
  db.select({ html: suggestions.diffHtml }).from(suggestions).where(eq(suggestions.id, id))

/** Returns the live articles of a project, with the result of the length check. */
export const liveArticles = (db: Db, projectId: number, limit: number) =>
  db.execute<{ id: number; title: string; url: string | null; style: string; thin: boolean; words: number | null }>(sql`
    select id, title, url, article_style as style,
      coalesce(jsonb_path_exists(seo, '$.failed[*] ? (@.check == "word_count" && @.severity == "error")'), false) as thin,
      case when jsonb_path_exists(seo, '$.failed[*] ? (@.check == "word_count" && @.severity == "error")')
        then (select count(*)::int from regexp_matches(regexp_replace(content, '<[^>]*>', ' ', 'g'), '\\S+', 'g')) end as words
    from articles where project_id = ${projectId}::int and ${statusAllows('sync')} order by id desc limit ${limit}::int`)

/**
 * Selects a project's changes of live pages with their effects, newest first, one more than the page shows.
 *
 * Ids are selected first, as in `listRows`.
 */
export const changeRows = (
  db: Db,
  projectId: number,
  kind: ChangeKind | undefined,
  { limit, offset, beforeId }: Paging,
) => {
  const page = db
    .select({ id: pageChanges.id })
    .from(pageChanges)
    .where(
      and(
        eq(pageChanges.projectId, projectId),
        beforeId === undefined ? undefined : lt(pageChanges.id, beforeId),
        kind && eq(pageChanges.kind, kind),
      ),
    )
    .orderBy(desc(pageChanges.id))
    .limit(limit + 1)
    .offset(offset)
  return db
    .select({
      id: pageChanges.id,
      kind: pageChanges.kind,
      suggestionId: pageChanges.suggestionId,
      articleId: pageChanges.articleId,
      articleTitle: articles.title,
      articleUrl: articles.url,
      changedAt: pageChanges.changedAt,
      measureAt: pageChanges.measureAt,
      measuredAt: pageChanges.measuredAt,
      effect: pageChanges.effect,
      visits: visitsAround(pageChanges.projectId, pageChanges.articleId, pageChanges.changedAt),
    })
    .from(pageChanges)
    .leftJoin(articles, eq(articles.id, pageChanges.articleId))
    .where(inArray(pageChanges.id, page))
    .orderBy(desc(pageChanges.id))
}

/** Counts the changes of a project by kind and verdict. `measured` is false for changes that wait. */
export const verdictCounts = (db: Db, projectId: number) =>
  db.execute<{ kind: ChangeKind; measured: boolean; verdict: Verdict | null; n: number }>(sql`
    select kind, measured_at is not null as measured, effect ->> 'verdict' as verdict, count(*)::int as n
    from page_changes where project_id = ${projectId}::int group by 1, 2, 3`)

/** Returns the newest effects of a project that were compared with other pages. */
export const comparedEffects = (db: Db, projectId: number, limit: number) =>
  db.execute<{ kind: ChangeKind; low: number; high: number; controls: number }>(sql`
    select kind, (effect -> 'interval' ->> 'low')::float8 as low, (effect -> 'interval' ->> 'high')::float8 as high,
      (effect ->> 'controls')::int as controls
    from page_changes where id in (select id from page_changes
      where project_id = ${projectId}::int and effect -> 'interval' ->> 'low' is not null order by id desc limit ${limit}::int)
    order by id desc`)

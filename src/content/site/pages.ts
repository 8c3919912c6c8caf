import { and, asc, eq, gt, isNull, type SQL, sql } from 'drizzle-orm'
import { projects } from '../../../schema/projects.ts'
import { sitePages } from '../../../schema/site.ts'
import { isPageOfSite } from '../../accounts/projects/parts.ts'
import { readWithProject } from '../../accounts/projects/scope.ts'
import type { Db } from '../../platform/db/client.ts'
import { JOINTS, MAX_WORDS, otherNumber, searchWords } from '../../platform/lib/fold.ts'
import { pageKey } from '../../platform/lib/urls.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import type { InternalLinksInput } from './operations.ts'

/** Page of a project's site. */
export type NearPage = {
  id: number
  article_id: number | null
  url: string
  title: string
  keyword: string
  meta_description: string
}

/** Number of newest pages in the sample. For a larger site, it also has 20 pages from each of 50 places among older ones. */
const NEWEST = sql.raw('1000')
const PLACES = sql.raw('50')
const PER_PLACE = sql.raw('20')
/** Share of pages. A word on fewer pages is looked up in the index; for other words the sample is enough. */
const RARE = sql.raw('0.02')
/** Share of pages. If the rarest word is on fewer, the pages with all words are looked up too. */
const SELECTIVE = sql.raw('0.05')
const PER_WORD = sql.raw('200')

/** Condition: the page is offered to link to, and not a page with the same content in another language. */
const isOffered = sql.raw('alternate_of is null')

/** Returns a project's language without its region, as pages have it. */
const baseOf = (label: SQL): SQL => sql`split_part(${label}, ' (', 1)`

const queryOf = sql`plainto_tsquery('simple', word) || plainto_tsquery('simple', other) as query`

/**
 * Returns the searched words as numbered queries. If the text is an SQL expression, the database splits it by the same rules.
 */
const askedOf = (text: string | SQL): SQL => {
  if (typeof text === 'string') {
    const words = searchWords(text)
    return sql`select n, ${queryOf}
      from unnest(${sql.param(words)}::text[], ${sql.param(words.map(otherNumber))}::text[]) with ordinality as given(word, other, n)`
  }
  return sql`select n, ${queryOf} from (select word, min(n) as n, case when word !~ '^[a-z]{3,}$' or word like '%ss' then word
        when word like '%s' then left(word, -1) else word || 's' end as other
      from regexp_split_to_table(lower(${text}), '[[:space:][:punct:]]+') with ordinality as given(word, n)
      where word <> '' and word <> all(${sql.param(JOINTS)}::text[]) group by word order by min(n) limit ${sql.raw(String(MAX_WORDS))}) as given`
}

/**
 * Selects the pages of a project nearest to a text, best first, with the columns of `NearPage`: none if no page has a word of it.
 *
 * Pages in the project's language come first. Of pages with the same content in several languages, one is selected.
 *
 * The work does not grow with the site: a sample shows which words are rare, and only those are looked up in the index.
 *
 * Rare words count more. `projectId` and `text` may be columns of an outer query.
 */
export const nearPages = (projectId: SQL, text: string | SQL, limit: number): SQL => {
  // Ranges over (project, id) make the planner use the index that begins with the project. With equality it might walk the
  // primary key, and read all other projects' pages.
  const mine = sql`project_id = (select id from here)`
  const from = (id: SQL) => sql`(project_id, id) >= ((select id from here), ${id})`
  const before = (id: SQL) => sql`(project_id, id) < ((select id from here), ${id})`
  const all = sql`${from(sql`0`)} and ${before(sql`2147483647`)}`
  return sql`
    with here as materialized (select p.id, ${baseOf(sql`p.language`)} as language from projects p where p.id = ${projectId}),
    asked as materialized (${askedOf(text)}),
    newest as materialized (select id, words, language from site_pages where ${all} and ${isOffered} order by project_id desc, id desc limit ${NEWEST}),
    edges as materialized (select (select id from site_pages where ${all} order by project_id, id limit 1) as low,
      (select min(id) from newest) as high, (select count(*) = ${NEWEST} from newest) as more),
    spread as materialized (select s.id, s.words, s.language from edges, generate_series(0, ${PLACES} - 1) place,
      lateral (select id, words, language from site_pages
        where ${from(sql`(low + (high - low)::bigint * place / ${PLACES})::int`)} and ${before(sql`high`)} and ${isOffered}
        order by project_id, id limit ${PER_PLACE}) s where more),
    sample as materialized (select * from newest union all select * from spread),
    counted as materialized (select query, more,
        (select count(*) from sample s where s.words @@ query)::float8 / greatest((select count(*) from sample), 1) as share
      from asked, edges),
    rare as materialized (select f.id, f.words, f.language from counted c,
      lateral (select id, words, language from site_pages where ${mine} and ${isOffered} and words @@ c.query limit ${PER_WORD}) f where c.more and c.share < ${RARE}),
    every as materialized (select id, words, language from site_pages
      where ${mine} and ${isOffered} and (select bool_and(more) and min(share) < ${SELECTIVE} from counted)
        and words @@ (select string_agg('(' || query::text || ')', ' & ')::tsquery from asked) limit ${PER_WORD}),
    scored as materialized (select id, bool_or(own) as own, max(score) as score from (
        select id, language in ('', (select language from here)) as own, (select coalesce(sum(ln(1 + 1 / (c.share + 0.0005))), 0) from counted c where d.words @@ c.query) as score
        from (select * from sample union all select * from rare union all select * from every) d) each group by id)
    select p.id, p.article_id, p.url, p.title, p.keyword, p.meta_description
    from (select id, own, score from scored where score > 0
      order by own desc, score desc, id desc limit ${limit}::int) best
    join site_pages p on p.id = best.id order by best.own desc, best.score desc, best.id desc`
}

/** Page that a project lists as one of its content pillars, with its data from the scan. */
export type PillarPage = Pick<NearPage, 'url' | 'title' | 'keyword' | 'meta_description'>

/** Returns pages without duplicate addresses. The first of duplicates wins. */
export const distinctByUrl = <Page extends { url: string }>(pages: readonly Page[]): Page[] => {
  const byKey = new Map<string, Page>()
  for (const page of pages) {
    const url = URL.parse(page.url)
    const key = url ? pageKey(url) : page.url
    if (!byKey.has(key)) byKey.set(key, page)
  }
  return [...byKey.values()]
}

/**
 * Selects a project's pillars that are pages of its own site, in the project's order.
 *
 * Their keys have the format of `pageKey`, if the pillar's query has no trackers and is sorted.
 */
export const pillarPages = (db: Db, projectId: SQL) =>
  db.execute<PillarPage>(sql`
    select pillar.address as url, coalesce(page.title, '') as title, coalesce(page.keyword, '') as keyword,
      coalesce(page.meta_description, '') as meta_description
    from projects p
    cross join lateral unnest(p.content_pillars) with ordinality as named(address, n)
    cross join lateral (select regexp_replace(named.address, '^https?://(www[.])?|[?#].*$', '', 'gi') as text,
      coalesce(substring(named.address from '[?][^#]+'), '') as query) bare
    cross join lateral (select named.address,
      rtrim(lower(substring(bare.text from '^[^/]*')) || coalesce(substring(bare.text from '/.*$'), ''), '/') || bare.query as key) pillar
    left join site_pages page on page.project_id = p.id and page.url_key = pillar.key
    where p.id = (${projectId}) and ${isPageOfSite(sql`pillar.key`, sql`p.website_key`)}
    order by named.n`)

/** Selects the pages of a project nearest to a text, best first: none if none has a word of it. */
export const pagesNear = (db: Db, projectId: SQL, text: string | SQL, limit: number) =>
  db.execute<NearPage>(nearPages(projectId, text, limit))

/** Selects the newest pages of a project, those in its language first. */
const newestPages = (db: Db, projectId: SQL, limit: number) =>
  db.execute<NearPage>(sql`
    select p.id, p.article_id, p.url, p.title, p.keyword, p.meta_description
    from (select * from site_pages where project_id = ${projectId} and ${isOffered} order by project_id desc, id desc limit ${NEWEST}) p
    order by p.language in ('', (select ${baseOf(sql`language`)} from projects where id = ${projectId})) desc, p.id desc
    limit ${limit}::int`)

/** Selects pages of a project in the order they were found. */
export const pagesOf = (db: Db, projectId: number, limit: number) =>
  db
    .select({
      url: sitePages.url,
      key: sitePages.urlKey,
      title: sitePages.title,
      keyword: sitePages.keyword,
      description: sitePages.metaDescription,
      readAt: sitePages.readAt,
    })
    .from(sitePages)
    .where(eq(sitePages.projectId, projectId))
    .orderBy(asc(sitePages.id))
    .limit(limit)

/** Selects pages of a project that were never read, after `afterId`, in the order they were found. */
export const unreadPages = (db: Db, projectId: number, afterId: number, limit: number) =>
  db
    .select({ id: sitePages.id, url: sitePages.url, key: sitePages.urlKey })
    .from(sitePages)
    .where(and(eq(sitePages.projectId, projectId), isNull(sitePages.readAt), gt(sitePages.id, afterId)))
    .orderBy(asc(sitePages.id))
    .limit(limit)

/** Selects the settings of a project for links within its site. */
const linkingOf = (db: Db, projectId: number) =>
  db
    .select({ websiteUrl: projects.websiteUrl, linksPerArticle: projects.internalLinksPerArticle })
    .from(projects)
    .where(eq(projects.id, projectId))

const MAX_LINKS = 20

const NO_WORD = 'No known page of the site has a word in common with the keyword.'
const ONLY_PILLARS = `${NO_WORD} The links are the project’s content pillars.`

/**
 * Returns pages of the project's own site to link to: its pillars, then the pages nearest to the keyword. Without a keyword, the newest.
 *
 * Takes one round trip. Throws 404 and 403 for the project.
 */
export const findInternalLinks = async (ctx: Ctx, { project_id: id, keyword = '' }: InternalLinksInput) => {
  const hasWords = searchWords(keyword).length > 0
  const {
    results: {
      pillars,
      pages,
      linking: [linking],
    },
  } = await readWithProject(ctx, id, {
    pillars: pillarPages(ctx.db, sql`${id}::int`),
    pages: hasWords
      ? pagesNear(ctx.db, sql`${id}::int`, keyword, MAX_LINKS)
      : newestPages(ctx.db, sql`${id}::int`, MAX_LINKS),
    linking: linkingOf(ctx.db, id),
  })
  const links = distinctByUrl([...pillars.rows, ...pages.rows])
    .slice(0, MAX_LINKS)
    .map(({ url, title, keyword: about, meta_description }) => ({ url, title, keyword: about, meta_description }))
  const isUnmatched = hasWords && pages.rows.length === 0
  return {
    links,
    ...(isUnmatched ? { note: links.length > 0 ? ONLY_PILLARS : NO_WORD } : {}),
    num_links_recommended: linking?.linksPerArticle ?? 0,
    website_url: linking?.websiteUrl ?? '',
  }
}

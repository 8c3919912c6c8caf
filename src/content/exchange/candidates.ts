import { type SQL, sql } from 'drizzle-orm'
import { isPageOfSite } from '../../accounts/projects/parts.ts'
import { searchWords } from '../../platform/lib/fold.ts'
import { monthStart } from '../../platform/lib/time.ts'
import { nearPages } from '../site/pages.ts'
import { CAPPED_PLANS, LINK_BACK_DAYS, SAME_PARTNER_DAYS } from './rules.ts'

/** SQL condition: a project takes part in the exchange. It has the wording of the partial indexes of `projects`. */
export const isParticipant = (project: string): SQL =>
  sql.raw(`${project}.status = 'Active' and ${project}.backlinks_network`)

/**
 * SQL condition: others may be sent to the project's site. The last scan found the site, and ownership is proved.
 *
 * The proof is a connected CMS, Search Console, or an article that was seen live on the site.
 */
export const isOffered = (project: string): SQL => {
  const column = (name: string) => sql.raw(`${project}.${name}`)
  return sql`(${column('site_read_at')} is not null and (${column('owner_shown_at')} is not null
    or exists (select 1 from integrations i where i.project_id = ${column('id')} and i.status = 'Active' and i.platform <> 'webhook')
    or exists (select 1 from search_connections s where s.project_id = ${column('id')} and s.source_id is not null and s.failure is null)))`
}

/** SQL expression for the host of a site's key. */
const hostOf = (siteKey: SQL): SQL => sql`split_part(split_part(${siteKey}, '/', 1), ':', 1)`

/** SQL condition: a list of competitors has the host of a site, or a parent domain of it. */
const isNamed = (competitors: SQL, siteKey: SQL): SQL =>
  sql`exists (select 1 from unnest(${competitors}) as named(domain)
    where ${hostOf(siteKey)} = named.domain or right(${hostOf(siteKey)}, length(named.domain) + 1) = '.' || named.domain)`

/** SQL condition: one of two projects lists the other as a competitor. `project` and `other` are aliases. */
export const areCompetitors = (project: string, other: string): SQL => {
  const column = (alias: string, name: string) => sql.raw(`${alias}.${name}`)
  return sql`(${isNamed(column(project, 'competitor_websites'), column(other, 'website_key'))}
    or ${isNamed(column(other, 'competitor_websites'), column(project, 'website_key'))})`
}

/** SQL condition: a project has a credit for a link from an article, or has reserved one for it. */
export const canPay = (project: string, articleId: SQL): SQL =>
  sql`(${sql.raw(project)}.backlink_credits >= 1 or exists (select 1 from exchange_commitments m
    where m.article_id = ${articleId} and m.to_project_id = ${sql.raw(project)}.id and m.reserved))`

/** SQL expression for the number of links a project received this calendar month (UTC) that still count. */
export const receivedThisMonth = (projectId: SQL, now: Date): SQL =>
  sql`(select count(*) from exchange_links r where r.to_project_id = ${projectId}
    and r.created_at >= ${monthStart(now).toISOString()}::timestamptz and r.status in ('Scheduled', 'Verified'))`

/** SQL expression for a plan's monthly limit of received links; null if it has none. */
export const monthlyLimitOf = (plan: SQL): SQL =>
  CAPPED_PLANS.length === 0
    ? sql`null::bigint`
    : sql`case ${plan} ${sql.join(
        CAPPED_PLANS.map(([name, cap]) => sql.raw(`when '${name}' then ${cap}`)),
        sql` `,
      )} end::bigint`

/** SQL condition: a project has received all links of its month. `account` and `project` are aliases. */
export const isFull = (account: string, project: string, now: Date): SQL => {
  const cap = monthlyLimitOf(sql.raw(`${account}.plan`))
  return sql`(${cap} is not null and ${receivedThisMonth(sql.raw(`${project}.id`), now)} >= ${cap})`
}

/** Partner that a project may link to, with its page nearest the keyword. */
export type Candidate = {
  to_project_id: number
  /** Business name, or the host if it is empty. */
  project_name: string
  url: string
  title: string
  meta_description: string
  /** Rank, from 1 for the best. */
  place: number
}

type Asked = {
  projectId: SQL
  /** Text, or an SQL expression for one. */
  keyword: string | SQL
  limit: number
  now: Date
  /** Leaves out partners of the project's other planned articles, and projects that have committed to link to it. */
  uncommitted: boolean
}

/** Number of the richest partners that are considered regardless of topic. */
const RICHEST = sql.raw('300')
/** Number of the richest projects from which those are selected. */
const READ = sql.raw('1500')
/** Share of the richest partners. A word that fewer of them have is looked up among all partners. */
const RARE = sql.raw('0.05')
const PER_WORD = sql.raw('200')
/** Number of best-scored partners for which the expensive conditions are checked. */
const BEST = sql.raw('200')
/** Credits with which a partner gets half of the highest score for credits. */
const HALF_RICH = sql.raw('10.0')

const daysBefore = (now: Date, days: number): SQL =>
  sql`${new Date(now.getTime() - days * 86_400_000).toISOString()}::timestamptz`

const us = (column: string): SQL => sql.raw(`(select ${column} from us)`)

/** Condition on `p` that fits the partial indexes: it takes part, has a credit, and has our language. */
const isEligible = sql`${isParticipant('p')} and p.backlink_credits >= 1 and p.language = ${us('language')}`

/**
 * Condition on `p`: its site may be offered, and no recent link exists in either direction.
 *
 * `not in` builds each list once; `not exists` would read it for every candidate.
 */
const isUnlinked = (now: Date): SQL =>
  sql`${isOffered('p')} and p.account_id <> ${us('account_id')}
    and p.id not in (select l.to_project_id from exchange_links l where l.from_project_id = ${us('id')}
      and l.created_at > ${daysBefore(now, SAME_PARTNER_DAYS)} and l.status <> 'Removed')
    and p.id not in (select l.from_project_id from exchange_links l where l.to_project_id = ${us('id')}
      and l.created_at > ${daysBefore(now, LINK_BACK_DAYS)} and l.status <> 'Removed')`

/** Condition on `p`: no recent commitment exists in either direction, so the articles of a month get different partners. */
const isUncommitted = (now: Date): SQL =>
  sql`and not exists (select 1 from exchange_commitments m join articles a on a.id = m.article_id
      where m.to_project_id = p.id and a.project_id = ${us('id')} and m.created_at > ${daysBefore(now, SAME_PARTNER_DAYS)})
    and not exists (select 1 from exchange_commitments m join articles a on a.id = m.article_id
      where m.to_project_id = ${us('id')} and a.project_id = p.id and m.created_at > ${daysBefore(now, LINK_BACK_DAYS)})`

/**
 * Condition: a link to `p` of account `c` would count.
 *
 * The account is not suspended, the month is not full, neither lists the other as a competitor, and the site is not the
 * account's own. `p` is the oldest offered project of its site.
 */
const isCounted = (now: Date): SQL => sql`c.suspended_at is null and not ${isFull('c', 'p', now)}
    and not exists (select 1 from us where ${areCompetitors('us', 'p')})
    and not exists (select 1 from projects o where o.account_id = ${us('account_id')} and o.status = 'Active' and o.website_key = p.website_key)
    and not exists (select 1 from projects o where ${isParticipant('o')} and ${isOffered('o')} and o.website_key = p.website_key and o.id < p.id)`

/**
 * Joins the page of partner `t` nearest the keyword, or its home page. Pages outside the partner's site are left out, because
 * links to them do not count.
 */
const pageOf = (keyword: string | SQL): SQL =>
  sql`left join lateral (${nearPages(sql`t.id`, keyword, 1)}) near on ${isPageOfSite(sql`(select url_key from site_pages where id = near.id)`, sql`t.website_key`)}
    left join site_pages home on home.project_id = t.id and home.url_key = t.website_key`

/** Most words used of a keyword that comes from the database. */
const MOST_WORDS = sql.raw('12')

const wordsOf = (keyword: string | SQL): SQL =>
  typeof keyword === 'string'
    ? sql`unnest(${sql.param(searchWords(keyword))}::text[]) as word`
    : sql`(select word from regexp_split_to_table(lower(${keyword}), '[[:space:][:punct:]]+') as word
        where word <> '' group by word limit ${MOST_WORDS}) given`

/** A partner must match at least one in this many words of the keyword. */
const ALIKE = sql.raw('3')

/**
 * Begins a select of the partners for a keyword, as rows of `t`. No rows if the project does not take part.
 *
 * It reads the richest projects, and projects with a word that few of those have. So the work does not grow with the exchange.
 * Partners that match too few words of the keyword are left out.
 */
const withPartners = ({ projectId, keyword, limit, now, uncommitted }: Asked): SQL => sql`
  with us as materialized (select id, account_id, language, website_key, competitor_websites from projects
      where id = ${projectId} and ${isParticipant('projects')}),
    asked as materialized (select query from ${wordsOf(keyword)},
      lateral (select plainto_tsquery('english', word) as query) q where numnode(query) > 0),
    rich as materialized (select p.id, p.backlink_credits, p.topic_vector
      from (select * from projects p where ${isEligible} order by p.backlink_credits desc nulls last, p.id limit ${READ}) p
      where ${isUnlinked(now)} order by p.backlink_credits desc nulls last, p.id limit ${RICHEST}),
    counted as materialized (select query,
        (select count(*) from rich where topic_vector @@ query)::float8 / greatest((select count(*) from rich), 1) as share from asked),
    topical as materialized (select f.* from counted,
      lateral (select p.id, p.backlink_credits, p.topic_vector from projects p where ${isEligible} and ${isUnlinked(now)} and p.topic_vector @@ query limit ${PER_WORD}) f
      where share < ${RARE}),
    weighed as materialized (select query, ln(1 + 1 / (share + 0.001)) as weight from counted),
    matched as materialized (select id, backlink_credits, (select count(*) from asked where topic_vector @@ query) as hits, coalesce((select sum(weight) from weighed where topic_vector @@ query), 0) as near,
        coalesce(ts_rank(topic_vector, (select string_agg('(' || query::text || ')', ' | ')::tsquery from asked), 32), 0) as rank
      from (select * from rich union all select * from topical where id not in (select id from rich)) d
      group by id, backlink_credits, topic_vector),
    scored as materialized (select id, near / greatest(max(near) over (), 0.001) + rank
          + greatest(backlink_credits, 0) / (greatest(backlink_credits, 0) + ${HALF_RICH}) as score
      from matched where hits > 0 and hits * ${ALIKE} >= (select count(*) from asked) order by score desc, backlink_credits desc, id limit ${BEST}),
    t as materialized (select p.id, p.website_url, p.website_key, p.business_description, s.score,
        coalesce(nullif(regexp_replace(p.business_name, '[[:space:]]+', ' ', 'g'), ''), split_part(p.website_key, '/', 1)) as name, p.backlink_credits
      from scored s join projects p on p.id = s.id join accounts c on c.id = p.account_id
      where ${isCounted(now)} ${uncommitted ? isUncommitted(now) : sql``}
      order by s.score desc, p.backlink_credits desc, p.id limit ${limit}::int)`

/**
 * Selects the partners that a project may link to for a keyword, with the columns of `Candidate`.
 *
 * Partners near in topic and rich in credits come first.
 */
export const partnersNear = (asked: Asked): SQL => sql`
  ${withPartners(asked)}
  select t.id as to_project_id, t.name as project_name,
    coalesce(near.url, home.url, t.website_url) as url,
    coalesce(nullif(near.title, ''), nullif(home.title, ''), t.name) as title,
    coalesce(near.meta_description, nullif(home.meta_description, ''), t.business_description) as meta_description,
    row_number() over (order by t.score desc, t.backlink_credits desc, t.id)::int as place
  from t ${pageOf(asked.keyword)} order by t.score desc, t.backlink_credits desc, t.id`

/** SQL condition: a project may link to at least one partner for a keyword now. */
export const hasPartner = (asked: Omit<Asked, 'limit' | 'uncommitted'>): SQL =>
  sql`exists (${withPartners({ ...asked, limit: 1, uncommitted: false })} select 1 from t)`

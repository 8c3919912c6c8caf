import { eq, type SQL, sql } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import {
  outreachActions,
  outreachIdentities,
  outreachLeads,
  outreachMirrors,
  outreachPersons,
  outreachSuppressions,
} from '../../../schema/outreach.ts'
import { OUTREACH_KINDS, type OutreachKind } from '../../../schema/values/outreach.ts'
import type { Db } from '../../platform/db/client.ts'
import { streamed } from '../../platform/http/route.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'

/** Selects the state of the account's sync; no row before the first. */
export const mirrorOf = (db: Db, owner: SQL) =>
  db.select({ cursor: outreachMirrors.cursor }).from(outreachMirrors).where(eq(outreachMirrors.accountId, owner))

/** A row of an export as it was sent, its place in the order, and whether a suppression covers its person. */
type ExportedRow = { id: string; key: string; data: Record<string, unknown>; suppressed: boolean }

const TABLES = {
  persons: outreachPersons,
  identities: outreachIdentities,
  leads: outreachLeads,
  actions: outreachActions,
  suppressions: outreachSuppressions,
} as const satisfies Record<OutreachKind, PgTable>

/** Returns the column with the person of a row. */
const personOf = (kind: OutreachKind): SQL =>
  kind === 'persons' ? sql`id` : kind === 'suppressions' ? sql`null::text` : sql`person_id`
const keyOf = (kind: OutreachKind): SQL => (kind === 'suppressions' ? sql`key` : sql`''`)

const PAGE_ROWS = sql.raw('1000')
/** Characters after which a page is cut, so that memory never has a thousand long rows. */
const PAGE_CHARS = sql.raw('2000000')

/**
 * Returns the parts of a query that find the suppressed persons of a page: by id, by address, or by domain.
 *
 * They are looked up as lists, in one pass. One by one, a plan made on old statistics would read the whole mirror for each.
 */
const SUPPRESSED = (owner: SQL): SQL => {
  const ids = sql`any((select ids from asked)::text[])`
  const persons = sql`from outreach_persons p where p.account_id = ${owner} and p.id = ${ids}`
  const identities = sql`from outreach_identities i where i.account_id = ${owner} and i.person_id = ${ids}`
  return sql`
    asked as materialized (select array_agg(distinct person_id) as ids from page where person_id is not null),
    keys as materialized (
      select id as person_id, 'person:' || id as key from asked, unnest(asked.ids) id
      union all select x.id, k from (select p.id, p.address, p.domains ${persons}) x,
        unnest(('address:' || x.address) || array(select 'domain:' || d from unnest(x.domains) d)) k
      union all select x.id, k from (select i.person_id as id, i.address, i.domains ${identities}) x,
        unnest(('address:' || x.address) || array(select 'domain:' || d from unnest(x.domains) d)) k),
    hit as materialized (select distinct s.key from outreach_suppressions s
      where s.account_id = ${owner} and s.key = any((select array_agg(distinct key) from keys)::text[])),
    suppressed as materialized (select distinct person_id from keys where key in (select key from hit))`
}

/** Returns a page of rows of one kind by id, after the last row of the page before. */
const exportPage = (db: Db, owner: SQL, kind: OutreachKind, after: { id: string; key: string } | undefined) => {
  const beyond =
    after &&
    (kind === 'suppressions' ? sql`(id, key) > (${after.id}::text, ${after.key}::text)` : sql`id > ${after.id}::text`)
  const from = beyond ? sql`and ${beyond}` : sql``
  return db.execute<ExportedRow>(sql`
    with found as materialized (select id, ${keyOf(kind)} as key, ${personOf(kind)} as person_id, data, length(data::text) as chars
        from ${TABLES[kind]} where account_id = ${owner} ${from} order by ${kind === 'suppressions' ? sql`id, key` : sql`id`} limit ${PAGE_ROWS}),
      page as materialized (select * from (select *, sum(chars) over (order by id, key) - chars as before from found) f where before < ${PAGE_CHARS}),
      ${SUPPRESSED(owner)}
    select id, key, data, person_id is not null and person_id in (select person_id from suppressed) as suppressed
    from page order by id, key`)
}

type Page = readonly ExportedRow[]

const lineOf = (kind: OutreachKind, { data, suppressed }: ExportedRow): string =>
  `${JSON.stringify({ kind, row: data, ...(suppressed ? { suppressed } : {}) })}\n`

/** Yields the lines of a mirror, page by page. The last line has the cursor of the sync and the number of rows. */
async function* linesOf(ctx: Ctx, first: Page, cursor: string | null): AsyncGenerator<string> {
  const counts = Object.fromEntries(OUTREACH_KINDS.map((kind) => [kind, 0])) as Record<OutreachKind, number>
  for (const kind of OUTREACH_KINDS) {
    let page = kind === OUTREACH_KINDS[0] ? first : await pageOf(ctx, kind)
    while (page.length > 0) {
      counts[kind] += page.length
      yield page.map((row) => lineOf(kind, row)).join('')
      page = await pageOf(ctx, kind, page.at(-1))
    }
  }
  yield `${JSON.stringify({ kind: 'end', cursor, counts })}\n`
}

const pageOf = async (ctx: Ctx, kind: OutreachKind, after?: ExportedRow): Promise<Page> => {
  const page = await ctx.read((owner) => exportPage(ctx.db, owner, kind, after))
  return page.rows
}

/**
 * Returns the whole mirror as newline-delimited JSON, one row per line: `{kind, row, suppressed?}`.
 *
 * Rows are as they were sent, so syncing them elsewhere makes an equal mirror. The last line is `{kind: "end", …}`; without it
 * the export is not complete.
 */
export const exportMirror = async (ctx: Ctx) => {
  const {
    first,
    mirror: [mirror],
  } = await ctx.read((owner) => ({
    first: exportPage(ctx.db, owner, OUTREACH_KINDS[0], undefined),
    mirror: mirrorOf(ctx.db, owner),
  }))
  return streamed(linesOf(ctx, first.rows, mirror?.cursor ?? null))
}

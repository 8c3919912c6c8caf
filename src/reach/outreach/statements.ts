import { type Column, type SQL, sql } from 'drizzle-orm'
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
import { audit } from '../../platform/db/audit.ts'
import type { Part } from '../../platform/db/part.ts'
import { given, list, select } from '../../platform/db/read-parts.ts'
import { statement } from '../../platform/db/statement.ts'
import { excluded, insert, overwritten } from '../../platform/db/write-parts.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import { erasures, hashOf } from './erasure-parts.ts'
import { addressOf, domainsOf, newestOf, type SentRow, suppressionKey, versionOf } from './rules.ts'

/** The rows of a sync by kind. */
export type SentRows = Readonly<Record<OutreachKind, readonly SentRow[]>>

type Dated = PgTable & { accountId: Column; id: Column; data: Column; version: Column }

/** Further columns of a row, made from the row that was sent. */
type More = Record<string, (row: SentRow) => unknown>

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')
const personId: More = { personId: (row) => row.person_id }
const addressed = (field: string): More => ({
  address: (row) => addressOf(textOf(row[field])) || null,
  // Lists of lists do not travel; domains have no blanks.
  domains: (row) => domainsOf(addressOf(textOf(row[field]))).join(' '),
})

const KINDS: Readonly<Record<OutreachKind, { table: Dated; more: More; key?: string }>> = {
  persons: { table: outreachPersons, more: addressed('email') },
  identities: { table: outreachIdentities, more: { ...personId, ...addressed('value') } },
  leads: { table: outreachLeads, more: personId },
  actions: { table: outreachActions, more: personId },
  suppressions: { table: outreachSuppressions, more: { key: (row) => suppressionKey(row as never) }, key: 'key' },
}

/** The sent rows of a kind as a part. */
const sentPart = (kind: OutreachKind, rows: readonly SentRow[]): Part => {
  const { table, more } = KINDS[kind]
  const lists = Object.entries(more).map(([name, read]) => [name, { type: 'text', values: rows.map(read) }])
  return given(`sent_${kind}`, {
    id: list(
      table.id,
      rows.map(({ id }) => id),
    ),
    data: list(table.data, rows),
    version: list(table.version, rows.map(versionOf)),
    ...Object.fromEntries(lists),
  }) as unknown as Part
}

const column = (sent: Part, name: string): SQL => sent.c[name] ?? sql`null`

/** Conditions by which a sent row may have been erased: its person, and its address. */
const erasable = (kind: OutreachKind, sent: Part): SQL[] => {
  if (kind === 'suppressions') return [column(sent, 'key')]
  const person = sql`'person:' || ${column(sent, kind === 'persons' ? 'id' : 'personId')}`
  return 'address' in KINDS[kind].more ? [person, sql`'address:' || ${column(sent, 'address')}`] : [person]
}

const isNewer = ({ version, data }: Dated): SQL =>
  sql`coalesce(${excluded(version)}, -1) >= coalesce(${version}, -1) and ${excluded(data)} is distinct from ${data}`

/** Stores the rows of a kind: what is new, and what is not older than the row that is there. Erased ones are left out. */
const keepRows = (kind: OutreachKind, rows: readonly SentRow[], account: number, salt: Part<'salt'>): Part[] => {
  const { table, more, key } = KINDS[kind]
  const sent = sentPart(kind, newestOf(kind, rows))
  const values = Object.keys(more).map((name) => {
    const value = column(sent, name)
    return [name, name === 'domains' ? sql`string_to_array(${value}, ' ')` : value]
  })
  const columns = table as unknown as Record<string, Column>
  const changed = ['data', 'version', ...Object.keys(more).filter((name) => name !== key)]
  const conflict = [table.accountId, table.id, ...(key === undefined ? [] : [columns[key] as Column])]
  const isErased = sql`exists (select 1 from ${erasures(account)}
    where hash in (${sql.join(
      erasable(kind, sent).map((one) => hashOf(salt, one)),
      sql`, `,
    )}))`
  const row = { accountId: account, id: sent.c.id, data: sent.c.data, version: sent.c.version }
  const kept = insert(kind, table, { ...row, ...Object.fromEntries(values) } as never, {
    from: [sent],
    where: sql`${salt.hasRows} is not true or not ${isErased}`,
    onConflict: {
      columns: conflict,
      set: overwritten(Object.fromEntries(changed.map((name) => [name, columns[name] as Column]))) as never,
      setWhere: isNewer(table),
    },
  })
  return [sent, kept]
}

/**
 * Stores the rows of a sync, one write for each kind, and where the sync stands. All or nothing. One row. After `mirrorLocks`.
 */
export const storeRows = (
  ctx: Ctx,
  account: number,
  rows: SentRows,
  since: string | undefined,
  answer: { synced: Record<OutreachKind, number> },
): SQL => {
  const now = ctx.now()
  const salt = select(
    'salt',
    { salt: outreachMirrors.salt },
    sql`from ${outreachMirrors} where ${outreachMirrors.accountId} = ${account}::int and exists (select 1 from ${erasures(account)})`,
    { materialized: true },
  )
  const mirror = insert(
    'mirror',
    outreachMirrors,
    { accountId: account, cursor: since ?? null, salt: ctx.newId(), createdAt: now, updatedAt: now },
    {
      onConflict: {
        columns: [outreachMirrors.accountId],
        set: { updatedAt: now, ...(since === undefined ? {} : { cursor: since }) },
      },
      returning: { accountId: outreachMirrors.accountId },
    },
  )
  const kinds = OUTREACH_KINDS.filter((kind) => rows[kind].length > 0)
  return statement({
    parts: [
      salt,
      mirror,
      ...kinds.map((kind) => keepRows(kind, rows[kind], account, salt)),
      ctx.keep.answer([mirror], answer),
    ],
    audit: audit(ctx, {
      of: mirror,
      account,
      action: 'outreach.sync',
      on: ['outreach', mirror.c.accountId],
      detail: answer.synced,
    }),
    answer: { accountId: mirror.c.accountId },
  })
}

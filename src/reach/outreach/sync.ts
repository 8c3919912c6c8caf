import { type Column, getTableColumns, type SQL, sql } from 'drizzle-orm'
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
import { outreachAccess } from '../../platform/accounts/parts.ts'
import { audit, insertWhere } from '../../platform/db/writes.ts'
import { ApiError } from '../../platform/lib/errors.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import { isNotErased, lockMirror } from './erase.ts'
import { mirrorOf } from './export.ts'
import type { SyncInput } from './operations.ts'
import { addressOf, domainsOf, newestOf, type SentRow, suppressionKey, versionOf } from './rules.ts'

type Access = { entitled: boolean; isOpen: boolean }

/** Throws 403 if the beta is closed for the account. */
const checkOpen = ({ isOpen }: Access): void => {
  if (isOpen) return
  throw new ApiError('beta_closed', 'The Outreach Pro beta is closed for this account.', {
    instructions_for_agent:
      'Tell the user that Outreach Pro is not open for their account, and stop the outreach step.',
  })
}

/** Throws 403 if the beta is closed for the account, or it has no Outreach Pro. */
const checkEntitled = (access: Access): void => {
  checkOpen(access)
  if (access.entitled) return
  throw new ApiError('not_entitled', 'This account has no Outreach Pro.', {
    instructions_for_agent: 'Tell the user that syncing needs Outreach Pro, and stop the outreach step.',
    next_calls: [
      { method: 'GET', path: '/outreach/entitlement', why: 'It says whether the account has Outreach Pro.' },
    ],
  })
}

/** Returns whether the account may sync an outreach mirror. Throws 403 if the beta is closed for it. */
export const readEntitlement = async (ctx: Ctx) => {
  const [access] = await ctx.read((owner) => outreachAccess(ctx.db, owner))
  const { plan } = await ctx.account()
  const { entitled, isOpen } = access ?? { entitled: false, isOpen: false }
  checkOpen({ entitled, isOpen })
  return { entitled, plan, status: entitled ? 'active' : 'inactive' }
}

const byKind = <T>(make: (kind: OutreachKind) => T) =>
  Object.fromEntries(OUTREACH_KINDS.map((kind) => [kind, make(kind)])) as Record<OutreachKind, T>

/** Returns the columns for an address; empty if the value is no text. */
const addressed = (value: unknown) => {
  const address = addressOf(typeof value === 'string' ? value : '')
  return { address: address || null, domains: domainsOf(address) }
}

type Kept = {
  table: PgTable & { accountId: Column; id: Column; data: Column; version: Column }
  /** Further columns, made from the row that was sent. */
  more: (row: SentRow) => Record<string, unknown>
  /** Keys by which a row may have been erased, from the columns of `sent`. */
  erasedBy: readonly SQL[]
}

const ADDRESS = sql`'address:' || sent.address`
const PERSON = sql`'person:' || sent."personId"`

const KINDS: Readonly<Record<OutreachKind, Kept>> = {
  persons: {
    table: outreachPersons,
    more: ({ email }) => addressed(email),
    erasedBy: [sql`'person:' || sent.id`, ADDRESS],
  },
  identities: {
    table: outreachIdentities,
    more: ({ person_id: personId, value }) => ({ personId, ...addressed(value) }),
    erasedBy: [PERSON, ADDRESS],
  },
  leads: { table: outreachLeads, more: ({ person_id: personId }) => ({ personId }), erasedBy: [PERSON] },
  actions: { table: outreachActions, more: ({ person_id: personId }) => ({ personId }), erasedBy: [PERSON] },
  suppressions: {
    table: outreachSuppressions,
    more: (row) => ({ key: suppressionKey(row as never) }),
    erasedBy: [sql`sent.key`],
  },
}

/** Returns rows as a row source named `sent`. */
const sentRows = (rows: readonly object[]): SQL =>
  sql`jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
    as sent (id text, data jsonb, version bigint, "personId" text, address text, domains text[], key text)`

/** Stores rows of a kind that are new, or not older than the stored row. Rows of erased persons are left out. */
const storeRows = (account: number, kind: OutreachKind, sent: readonly SentRow[]) => {
  const { table, more, erasedBy } = KINDS[kind]
  const rows = newestOf(kind, sent).map((row) => ({ id: row.id, data: row, version: versionOf(row), ...more(row) }))
  const names = Object.keys(rows[0] ?? {})
  const columns = getTableColumns(table) as Record<string, Column>
  const isKey = (name: string): boolean => name === 'id' || name === 'key'
  const identifiers = (of: readonly string[]) => of.map((name) => sql.identifier(columns[name]?.name ?? name))
  const target = sql.join([sql`account_id`, ...identifiers(names.filter(isKey))], sql`, `)
  const changes = sql.join(
    identifiers(names.filter((name) => !isKey(name))).map((column) => sql`${column} = excluded.${column}`),
    sql`, `,
  )
  const values = Object.fromEntries(names.map((name) => [name, sql`sent.${sql.identifier(name)}`]))
  return insertWhere(table, { accountId: account, ...values } as never, {
    from: sentRows(rows),
    if: isNotErased(account, erasedBy),
    onConflict: sql`(${target}) do update set ${changes}
      where coalesce(excluded.version, -1) >= coalesce(${table.version}, -1) and excluded.data is distinct from ${table.data}`,
  })
}

/**
 * Mirrors the caller's rows: each replaces the stored row with its id, unless that one is newer. Two round trips.
 *
 * Throws 403 if the beta is closed, or without Outreach Pro.
 */
export const syncMirror = async (ctx: Ctx, input: SyncInput) => {
  const {
    access: [access],
    mirror: [mirror],
  } = await ctx.read((owner) => ({ access: outreachAccess(ctx.db, owner), mirror: mirrorOf(ctx.db, owner) }))
  const { id: account } = await ctx.account()
  checkEntitled(access ?? { entitled: false, isOpen: false })
  const rows = byKind((kind): readonly SentRow[] => input[kind] ?? [])
  const synced = byKind((kind) => rows[kind].length)
  const since = input.since ?? undefined
  const answer = { synced, cursor: since ?? mirror?.cursor ?? null }
  const now = ctx.now()
  await ctx.batch({
    mirror: lockMirror(account),
    outreachMirrors: ctx.db
      .insert(outreachMirrors)
      .values({ accountId: account, cursor: since ?? null, salt: ctx.newId(), createdAt: now, updatedAt: now })
      .onConflictDoUpdate({ target: outreachMirrors.accountId, set: { updatedAt: now, cursor: since } }),
    map: OUTREACH_KINDS.filter((kind) => rows[kind].length > 0).map((kind) => storeRows(account, kind, rows[kind])),
    audit: audit(ctx, { account, action: 'outreach.sync', on: ['outreach', account], detail: synced, if: 'always' }),
    kept: ctx.keepAnswer(answer)('always'),
  })
  return answer
}

import { and, eq, type SQL, sql } from 'drizzle-orm'
import {
  outreachActions as actions,
  outreachErasures as erasures,
  outreachIdentities as identities,
  outreachLeads as leads,
  outreachMirrors as mirrors,
  outreachErasures,
  outreachMirrors,
  outreachPersons as persons,
  outreachSuppressions as suppressions,
} from '../../../schema/outreach.ts'
import type { OutreachKind } from '../../../schema/values/outreach.ts'
import { audit, insertWhere } from '../../platform/db/writes.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import type { EraseInput } from './operations.ts'
import { addressOf } from './rules.ts'

/** Locks an account's mirror, so that a sync and an erasure run one after the other. */
export const lockMirror = (account: number): SQL =>
  sql`select pg_advisory_xact_lock(hashtextextended('outreach', ${account}::int))`

/** Returns the hash of an erased key, `person:<id>` or `address:<address>`, salted for the account. Null for null. */
const hashOf = (account: number, key: SQL): SQL =>
  sql`encode(sha256(convert_to((select ${mirrors.salt} from ${mirrors} where ${mirrors.accountId} = ${account}::int) || ${key}, 'UTF8')), 'hex')`

/** Returns a condition: none of these keys was erased. Hashes are only computed if the account erased anything. */
export const isNotErased = (account: number, keys: readonly SQL[]): SQL => {
  const ofAccount = sql`select 1 from ${erasures} where ${erasures.accountId} = ${account}::int`
  const hashes = sql.join(
    keys.map((key) => hashOf(account, key)),
    sql`, `,
  )
  return sql`(not exists (${ofAccount}) or not exists (${ofAccount} and ${erasures.hash} in (${hashes})))`
}

/** Persons to erase: one by id, everyone with an address, or both. */
type Erased = { id: string | null; address: string | null }

/** Selects the ids of the persons to erase: the given one, and those of persons with the address. */
const idsOf = (account: number, { id, address }: Erased): SQL =>
  sql`select ${id}::text as id where ${id}::text is not null
    union select p.id from outreach_persons p where p.account_id = ${account}::int and p.address = ${address}::text
    union select i.person_id from outreach_identities i where i.account_id = ${account}::int and i.address = ${address}::text`

/** Selects the addresses to erase: the given one, and those of the persons that no other person in the mirror has. */
const addressesOf = (account: number, ids: SQL, { address }: Erased): SQL => {
  const ofPersons = sql`select p.address from outreach_persons p where p.account_id = ${account}::int`
  const ofIdentities = sql`select i.address from outreach_identities i where i.account_id = ${account}::int`
  return sql`select ${address}::text as address where ${address}::text is not null
    union select o.address from (${ofPersons} and p.id in (${ids}) union ${ofIdentities} and i.person_id in (${ids})) o
    where o.address is not null
      and not exists (${ofPersons} and p.address = o.address and p.id not in (${ids}))
      and not exists (${ofIdentities} and i.address = o.address and i.person_id not in (${ids}))`
}

/**
 * Erases a person by id, everyone with an address, or both, with all their rows. The same call again is no error.
 *
 * Hashes of their ids and addresses are kept, so that every later sync leaves them out.
 */
export const erasePerson = async (ctx: Ctx, { id, address }: EraseInput) => {
  const { id: account } = await ctx.account()
  const { db } = ctx
  const now = ctx.now()
  const asked = { id: id ?? null, address: address === undefined ? null : addressOf(address) }
  const ids = idsOf(account, asked)
  const addresses = addressesOf(account, ids, asked)
  const keys = sql`select 'person:' || one.id as key from (${ids}) one
    union all select 'address:' || one.address from (${addresses}) one`
  const isTheirs = {
    persons: and(eq(persons.accountId, account), sql`${persons.id} in (${ids})`),
    identities: and(
      eq(identities.accountId, account),
      sql`(${identities.personId} in (${ids}) or ${identities.address} in (${addresses}))`,
    ),
    leads: and(eq(leads.accountId, account), sql`${leads.personId} in (${ids})`),
    actions: and(eq(actions.accountId, account), sql`${actions.personId} in (${ids})`),
    suppressions: and(eq(suppressions.accountId, account), sql`${suppressions.key} in (${keys})`),
  }
  const counts = sql<Record<OutreachKind, number>>`jsonb_build_object(
    'persons', (select count(*) from ${persons} where ${isTheirs.persons}),
    'identities', (select count(*) from ${identities} where ${isTheirs.identities}),
    'leads', (select count(*) from ${leads} where ${isTheirs.leads}),
    'actions', (select count(*) from ${actions} where ${isTheirs.actions}),
    'suppressions', (select count(*) from ${suppressions} where ${isTheirs.suppressions}))`
  const gone = db.$with('gone').as(db.delete(persons).where(isTheirs.persons).returning({ id: persons.id }))
  const {
    erased: [row],
  } = await ctx.batch({
    mirror: lockMirror(account),
    erased: sql<{ erased: Record<OutreachKind, number> }>`select ${counts} as erased`,
    // The person's name and address must not be kept.
    audit: audit(ctx, { account, action: 'outreach.erase', on: ['outreach', account], detail: counts, if: 'always' }),
    outreachMirrors: db
      .insert(outreachMirrors)
      .values({ accountId: account, cursor: null, salt: ctx.newId(), createdAt: now, updatedAt: now })
      .onConflictDoUpdate({ target: outreachMirrors.accountId, set: { updatedAt: now } }),
    outreachErasures: insertWhere(
      outreachErasures,
      { accountId: account, hash: hashOf(account, sql`kept.key`), createdAt: now },
      { if: 'always', from: sql`(${keys}) kept`, onConflict: sql`do nothing` },
    ),
    deletedSuppressions: db.delete(suppressions).where(isTheirs.suppressions),
    deletedLeads: db.delete(leads).where(isTheirs.leads),
    deletedActions: db.delete(actions).where(isTheirs.actions),
    // Which rows to delete depends on both tables, so one statement deletes both.
    deletedIdentities: db.with(gone).delete(identities).where(isTheirs.identities),
  })
  const erased: Partial<Record<OutreachKind, number>> = row?.erased ?? {}
  const isKnown = Object.values(erased).some((count) => count > 0)
  return {
    erased,
    message: `${isKnown ? 'Erased.' : 'Nothing of this person was stored, so nothing was erased.'} Only hashes are kept, and rows of this person are left out of every later sync.`,
  }
}

import { and, eq, type SQL, sql } from 'drizzle-orm'
import {
  outreachActions,
  outreachErasures,
  outreachIdentities,
  outreachLeads,
  outreachMirrors,
  outreachPersons,
  outreachSuppressions,
} from '../../../schema/outreach.ts'
import { audit } from '../../platform/db/audit.ts'
import type { Part } from '../../platform/db/part.ts'
import { query } from '../../platform/db/read-parts.ts'
import { countOf, ONE_ROW, statement } from '../../platform/db/statement.ts'
import { insert, remove } from '../../platform/db/write-parts.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import { hashOf } from './erasure-parts.ts'

/** Persons to erase: one by id, everyone with an address, or both. */
export type Erased = { id: string | null; address: string | null }

/** The ids that are meant: the one given, and those of persons who have the address. */
const personsPart = (account: number, { id, address }: Erased): Part<'id'> =>
  query(
    'meant',
    ['id'],
    sql`select ${id}::text as id where ${id}::text is not null
      union select p.id from outreach_persons p where p.account_id = ${account}::int and p.address = ${address}::text
      union select i.person_id from outreach_identities i where i.account_id = ${account}::int and i.address = ${address}::text`,
    { materialized: true },
  )

/** The address given, and those of the persons that nobody else in the mirror has. */
const addressesPart = (account: number, meant: Part<'id'>, { address }: Erased): Part<'address'> => {
  const isTheirs = (column: SQL): SQL => sql`${column} in (select ${meant.c.id} from ${meant.rows})`
  const persons = sql`select p.address from outreach_persons p where p.account_id = ${account}::int`
  const identities = sql`select i.address from outreach_identities i where i.account_id = ${account}::int`
  return query(
    'addresses',
    ['address'],
    sql`select ${address}::text as address where ${address}::text is not null
      union select o.address from (${persons} and ${isTheirs(sql`p.id`)} union ${identities} and ${isTheirs(sql`i.person_id`)}) o
      where o.address is not null
        and not exists (${persons} and p.address = o.address and not ${isTheirs(sql`p.id`)})
        and not exists (${identities} and i.address = o.address and not ${isTheirs(sql`i.person_id`)})`,
    { materialized: true },
  )
}

/**
 * Erases persons and everything of theirs, and keeps hashes of their ids and addresses, so that no later sync brings them back.
 * One row with what was removed. After `mirrorLocks`.
 */
export const erasePersons = (ctx: Ctx, account: number, erased: Erased): SQL => {
  const now = ctx.now()
  const meant = personsPart(account, erased)
  const addresses = addressesPart(account, meant, erased)
  const mirror = insert(
    'mirror',
    outreachMirrors,
    { accountId: account, cursor: null, salt: ctx.newId(), createdAt: now, updatedAt: now },
    {
      onConflict: { columns: [outreachMirrors.accountId], set: { updatedAt: now } },
      returning: { accountId: outreachMirrors.accountId, salt: outreachMirrors.salt },
    },
  )
  const isMeant = (column: SQL): SQL => sql`${column} in (select ${meant.c.id} from ${meant.rows})`
  const isAddress = (column: SQL): SQL => sql`${column} in (select ${addresses.c.address} from ${addresses.rows})`
  const keys = query(
    'keys',
    ['key'],
    sql`select 'person:' || ${meant.c.id} as key from ${meant.rows} union all select 'address:' || ${addresses.c.address} from ${addresses.rows}`,
    { materialized: true },
  )
  const hashes = insert(
    'hashes',
    outreachErasures,
    { accountId: account, hash: hashOf(mirror, keys.c.key), createdAt: now },
    { from: [keys], onConflict: 'ignore' },
  )
  const persons = remove('persons', outreachPersons, {
    where: sql`${eq(outreachPersons.accountId, account)} and ${isMeant(sql`${outreachPersons.id}`)}`,
  })
  const identities = remove('identities', outreachIdentities, {
    where: sql`${eq(outreachIdentities.accountId, account)} and (${isMeant(sql`${outreachIdentities.personId}`)} or ${isAddress(sql`${outreachIdentities.address}`)})`,
  })
  const leads = remove('leads', outreachLeads, {
    where: sql`${eq(outreachLeads.accountId, account)} and ${isMeant(sql`${outreachLeads.personId}`)}`,
  })
  const actions = remove('actions', outreachActions, {
    where: sql`${eq(outreachActions.accountId, account)} and ${isMeant(sql`${outreachActions.personId}`)}`,
  })
  const suppressions = remove('suppressions', outreachSuppressions, {
    from: [keys],
    where: sql`${and(eq(outreachSuppressions.accountId, account), eq(outreachSuppressions.key, keys.c.key))}`,
  })
  const counts = Object.fromEntries(
    [persons, identities, leads, actions, suppressions].map((part) => [part.name, countOf(part)]),
  )
  const erasedCounts = sql`jsonb_build_object(${sql.join(
    Object.entries(counts).flatMap(([name, value]) => [sql`${name}::text`, value]),
    sql`, `,
  )})`
  return statement({
    parts: [meant, addresses, mirror, keys, hashes, persons, identities, leads, actions, suppressions],
    // Who it was is what must not be kept.
    audit: audit(ctx, {
      of: mirror,
      account,
      action: 'outreach.erase',
      on: ['outreach', mirror.c.accountId],
      detail: erasedCounts,
    }),
    answer: { erased: erasedCounts },
    answerFrom: ONE_ROW,
  })
}

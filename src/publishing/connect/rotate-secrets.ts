import { type SQL, sql } from 'drizzle-orm'
import type { SqlRunner } from '../../platform/db/client.ts'
import { type KeyRing, resealAnswer, seal, unseal } from '../../platform/lib/crypto.ts'

const BATCH = 200

/** Returns the condition that a value is sealed with another key than the first, or is not bound to its row. */
const isOld = (column: string, keyId: string) =>
  sql`(split_part(${sql.raw(column)}, '.', 1) <> ${keyId} or split_part(${sql.raw(column)}, '.', 4) <> 'bound')`

type Secrets = { id: number; sealed_secrets: string }

type Sealed = { contextOf: (id: number) => string; also?: SQL }

/**
 * Tables with sealed secrets and the context that each row's secrets are bound to. Sessions of social accounts are
 * dropped, because they can be requested again.
 */
const SEALED = {
  integrations: { contextOf: (id) => `integration:${id}` },
  connections: { contextOf: (id) => `connection:${id}` },
  event_endpoints: { contextOf: (id) => `event_endpoint:${id}` },
  social_accounts: { contextOf: (id) => `social_account:${id}`, also: sql`, sealed_session = null` },
} as const satisfies Record<string, Sealed>

const rotateTable = async (run: SqlRunner, ring: KeyRing, keyId: string, table: keyof typeof SEALED) => {
  const { contextOf, also }: Sealed = SEALED[table]
  const unreadable: number[] = []
  let rotated = 0
  let after = 0
  for (;;) {
    const rows = await run<Secrets>(sql`select id, sealed_secrets from ${sql.raw(table)}
      where id > ${after}::int and sealed_secrets <> '' and ${isOld('sealed_secrets', keyId)}
      order by id limit ${BATCH}::int`)
    for (const { id, sealed_secrets: sealed } of rows) {
      after = Number(id)
      const context = contextOf(after)
      const opened = await unseal(ring, sealed, context).catch(() => undefined)
      if (opened === undefined) {
        unreadable.push(after)
        continue
      }
      // Keep secrets that changed since they were read.
      const changed =
        await run(sql`update ${sql.raw(table)} set sealed_secrets = ${await seal(ring, opened, context)}${also ?? sql``}
        where id = ${after}::int and sealed_secrets = ${sealed} returning id`)
      rotated += changed.length
    }
    if (rows.length < BATCH) return { rotated, unreadable }
  }
}

type Answer = { account_id: number; operation: string; key: string; body: string }

const START: Answer = { account_id: 0, operation: '', key: '', body: '' }

const rotateAnswers = async (run: SqlRunner, ring: KeyRing, keyId: string) => {
  let [rotated, unreadable] = [0, 0]
  let last = START
  for (;;) {
    const rows = await run<Answer>(sql`select account_id, operation, key, body from idempotency_records
      where (account_id, operation, key) > (${last.account_id}::int, ${last.operation}, ${last.key})
        and starts_with(body, 'sealed:') and ${isOld('substr(body, 8)', keyId)}
      order by account_id, operation, key limit ${BATCH}::int`)
    for (const row of rows) {
      last = row
      const { account_id: accountId, operation, key, body } = row
      const sealed = await resealAnswer(ring, Number(accountId), body).catch(() => undefined)
      if (sealed === undefined) {
        unreadable += 1
        continue
      }
      const changed = await run(sql`update idempotency_records set body = ${sealed}
        where account_id = ${Number(accountId)}::int and operation = ${operation} and key = ${key} and body = ${body} returning key`)
      rotated += changed.length
    }
    if (rows.length < BATCH) return { rotated, unreadable }
  }
}

/** Result of a rotation: how many secrets were sealed again, and those that could not be read. */
export type Rotation = {
  keyId: string
  rotated: number
  /** Ids of rows whose secrets no key of the ring opens. */
  unreadable: number[]
  /** Answers with a secret that are kept for repeated calls. */
  answers: { rotated: number; unreadable: number }
}

/**
 * Seals all stored secrets, and all kept answers with a secret, again with the ring's first key, bound to their row.
 *
 * It works in batches and skips rows that changed since they were read. Returns how many were sealed, and those that no
 * key opens.
 */
export const rotateSecrets = async (run: SqlRunner, ring: KeyRing): Promise<Rotation> => {
  const keyId = ring[0]?.id ?? ''
  const tables: Awaited<ReturnType<typeof rotateTable>>[] = []
  for (const table of Object.keys(SEALED) as (keyof typeof SEALED)[])
    tables.push(await rotateTable(run, ring, keyId, table))
  return {
    keyId,
    rotated: tables.reduce((sum, { rotated }) => sum + rotated, 0),
    unreadable: tables.flatMap(({ unreadable }) => unreadable),
    answers: await rotateAnswers(run, ring, keyId),
  }
}

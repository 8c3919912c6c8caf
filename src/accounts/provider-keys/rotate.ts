import { sql } from 'drizzle-orm'
import type { SqlRunner } from '../../platform/accounts/admin.ts'
import { type KeyRing, seal, unseal } from '../../platform/lib/crypto.ts'
import { contextOf } from './keys.ts'

const BATCH = 200

type Row = { id: number; account_id: number; provider: 'dataforseo' | 'ahrefs'; sealed_secrets: string }

/** Seals every saved provider key again with the ring's first key. Returns how many it sealed, and the ids that no key opens. */
export const rotateProviderKeys = async (
  run: SqlRunner,
  ring: KeyRing,
): Promise<{ rotated: number; unreadable: number[] }> => {
  const keyId = ring[0]?.id ?? ''
  const unreadable: number[] = []
  let rotated = 0
  let after = 0
  for (;;) {
    const rows = await run<Row>(sql`select id, account_id, provider, sealed_secrets from provider_keys
      where id > ${after}::int and split_part(sealed_secrets, '.', 1) <> ${keyId} order by id limit ${BATCH}::int`)
    for (const row of rows) {
      after = Number(row.id)
      const context = contextOf(Number(row.account_id), row.provider)
      const opened = await unseal(ring, row.sealed_secrets, context).catch(() => undefined)
      if (opened === undefined) {
        unreadable.push(after)
        continue
      }
      const fresh = await seal(ring, opened, context)
      const changed = await run(sql`update provider_keys set sealed_secrets = ${fresh}
        where id = ${after}::int and sealed_secrets = ${row.sealed_secrets} returning id`)
      rotated += changed.length
    }
    if (rows.length < BATCH) return { rotated, unreadable }
  }
}

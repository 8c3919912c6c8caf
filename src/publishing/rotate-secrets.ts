import { sql } from 'drizzle-orm'
import type { SqlRunner } from '../accounts/admin.ts'
import { type KeyRing, seal, unseal } from '../lib/crypto.ts'

const BATCH = 200

type Row = { id: number; sealed_secrets: string }

/**
 * Seals the secrets of every integration anew with the ring's first key, in batches; rows changed meanwhile keep their newer
 * secrets. How many were sealed anew, and ids of those no key of the ring opens.
 */
export const rotateSecrets = async (
  run: SqlRunner,
  ring: KeyRing,
): Promise<{ keyId: string; rotated: number; unreadable: number[] }> => {
  const keyId = ring[0]?.id ?? ''
  const unreadable: number[] = []
  let rotated = 0
  let after = 0
  for (;;) {
    const rows = await run<Row>(sql`select id, sealed_secrets from integrations
      where id > ${after}::int and sealed_secrets <> '' and split_part(sealed_secrets, '.', 1) <> ${keyId}
      order by id limit ${BATCH}::int`)
    for (const { id, sealed_secrets: sealed } of rows) {
      after = Number(id)
      const opened = await unseal(ring, sealed).catch(() => undefined)
      if (opened === undefined) {
        unreadable.push(after)
        continue
      }
      const changed = await run(sql`update integrations set sealed_secrets = ${await seal(ring, opened)}
        where id = ${after}::int and sealed_secrets = ${sealed} returning id`)
      rotated += changed.length
    }
    if (rows.length < BATCH) return { keyId, rotated, unreadable }
  }
}

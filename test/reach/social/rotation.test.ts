import { createHash, randomBytes } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { expect, inject, it } from 'vitest'
import { parseKeyRing, seal } from '../../../src/platform/lib/crypto.ts'
import { rotateSecrets } from '../../../src/publishing/connect/rotate-secrets.ts'
import { newAccount, newProject, rowsIn, runnerOf } from '../../support/client.ts'

const stack = inject('stack')
const keyOf = (name: string, text: string) => `${name}:${createHash('sha256').update(text).digest('base64')}`

it('the secrets of accounts are sealed again with the new key, and their tokens are dropped', async () => {
  const api = await newAccount(stack)
  const project = await newProject(api)
  const local = keyOf('local', 'local sealing key')
  const before = keyOf('before', randomBytes(8).toString('hex'))
  const [made] = await rowsIn<{ id: number }>(
    stack,
    sql`insert into social_accounts (account_id, project_id, platform, remote_id, name, username, url, sealed_secrets, sealed_session)
      values (${api.accountId}::int, ${project}::int, 'bluesky', 'did:plc:x', 'x', 'x', 'https://bsky.social', '', 'old') returning id`,
  )
  const id = Number(made?.id)
  const sealed = await seal(parseKeyRing(before), '{"app_password":"a"}', `social_account:${id}`)
  await rowsIn(stack, sql`update social_accounts set sealed_secrets = ${sealed} where id = ${id}::int`)
  await rotateSecrets(runnerOf(stack), parseKeyRing(`${local},${before}`))
  const [row] = await rowsIn<{ key: string; session: string | null }>(
    stack,
    sql`select split_part(sealed_secrets, '.', 1) as key, sealed_session as session from social_accounts where id = ${id}::int`,
  )
  expect(row).toEqual({ key: 'local', session: null })
})

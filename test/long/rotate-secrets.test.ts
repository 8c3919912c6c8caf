import { createHash } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { parseKeyRing } from '../../src/lib/crypto.ts'
import { rotateSecrets } from '../../src/publishing/rotate-secrets.ts'
import { type Api, connectReceiver, newAccount, newArticle, newProject, runnerOf } from '../support/client.ts'
import { startTestStack, type TestStack } from '../support/stack.ts'

const keyOf = (name: string) => `${name}:${createHash('sha256').update(name).digest('base64')}`

let stack: TestStack
let api: Api
let project: number

/** The service knows both keys, as it does while they are being exchanged. */
beforeAll(async () => {
  stack = await startTestStack({ vars: { SECRETS_KEYS: `${keyOf('old')},${keyOf('new')}` } })
  const target = { url: stack.url, neonUrl: stack.neon.url, connectionString: stack.connectionString }
  api = await newAccount(target)
  project = await newProject(api)
  await connectReceiver(api, project, stack.receiver.url, stack.receiverToken)
})
afterAll(() => stack?.close())

it('seals every secret anew, after which the old key opens nothing and publishing goes on', async () => {
  const run = runnerOf({ url: stack.url, neonUrl: stack.neon.url, connectionString: stack.connectionString })
  const keyIds = async () =>
    (await run<{ id: string }>(sql`select split_part(sealed_secrets, '.', 1) as id from integrations`)).map((r) => r.id)
  expect(await keyIds()).toEqual(['old'])
  const ring = parseKeyRing(`${keyOf('new')},${keyOf('old')}`)
  expect(await rotateSecrets(run, ring)).toEqual({ keyId: 'new', rotated: 1, unreadable: [] })
  expect(await keyIds()).toEqual(['new'])
  expect(await rotateSecrets(run, ring)).toMatchObject({ rotated: 0 })
  const id = await newArticle(api, project)
  expect((await api.post(`/articles/${id}/publish`)).body).toMatchObject({ status: 'published' })
  expect(await rotateSecrets(run, parseKeyRing(keyOf('other')))).toMatchObject({ rotated: 0, unreadable: [1] })
  expect(await keyIds()).toEqual(['new'])
})

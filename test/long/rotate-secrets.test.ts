import { createCipheriv, createHash } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { parseKeyRing } from '../../src/platform/lib/crypto.ts'
import { rotateSecrets } from '../../src/publishing/connect/rotate-secrets.ts'
import {
  choosePassword,
  linkIn,
  mailTo,
  newEmail,
  signInByMail,
  type Visitor,
  visitor,
} from '../accounts/people/browser.ts'
import { type Api, connectReceiver, newAccount, newArticle, newProject, runnerOf } from '../support/client.ts'
import { startTestStack, type TestStack, targetOf } from '../support/stack.ts'

const keyOf = (name: string) => `${name}:${createHash('sha256').update(name).digest('base64')}`

let stack: TestStack
let api: Api
let project: number

/** The service knows both keys, as it does while they are being exchanged. */
beforeAll(async () => {
  stack = await startTestStack({ vars: { SECRETS_KEYS: `${keyOf('old')},${keyOf('new')}` } })
  const target = targetOf(stack)
  api = await newAccount(target)
  project = await newProject(api)
  await connectReceiver(api, project, stack.receiver.url, stack.receiverToken)
})
afterAll(() => stack?.close())

it('seals every secret again; then the old key opens nothing and publishing continues', async () => {
  const run = runnerOf(targetOf(stack))
  const keyIds = async () =>
    (await run<{ id: string }>(sql`select split_part(sealed_secrets, '.', 1) as id from integrations`)).map((r) => r.id)
  expect(await keyIds()).toEqual(['old'])
  const ring = parseKeyRing(`${keyOf('new')},${keyOf('old')}`)
  expect(await rotateSecrets(run, ring)).toEqual({
    keyId: 'new',
    rotated: 1,
    unreadable: [],
    answers: { rotated: 0, unreadable: 0 },
  })
  expect(await keyIds()).toEqual(['new'])
  expect(await rotateSecrets(run, ring)).toMatchObject({ rotated: 0 })
  const id = await newArticle(api, project)
  expect((await api.post(`/articles/${id}/publish`)).body).toMatchObject({ status: 'published' })
  expect(await rotateSecrets(run, parseKeyRing(keyOf('other')))).toMatchObject({ rotated: 0, unreadable: [1] })
  expect(await keyIds()).toEqual(['new'])
})

/** Returns a text sealed as it was before values were bound to their rows. */
const sealedUnbound = (text: string): string => {
  const iv = Buffer.alloc(12, 7)
  const cipher = createCipheriv('aes-256-gcm', createHash('sha256').update('new').digest(), iv)
  const body = Buffer.concat([cipher.update(text), cipher.final(), cipher.getAuthTag()])
  return `new.${iv.toString('base64')}.${body.toString('base64')}`
}

it('binds to its row what was sealed before values were bound to rows', async () => {
  const run = runnerOf(targetOf(stack))
  const secrets = JSON.stringify({
    access_token: stack.receiverToken,
    signing_secret: `whsec_${Buffer.alloc(32).toString('base64')}`,
  })
  await run(sql`update integrations set sealed_secrets = ${sealedUnbound(secrets)}`)
  const before = await newArticle(api, project)
  expect((await api.post(`/articles/${before}/publish`)).body).toMatchObject({ status: 'published' })
  const ring = parseKeyRing(`${keyOf('new')},${keyOf('old')}`)
  expect(await rotateSecrets(run, ring)).toMatchObject({ rotated: 1, unreadable: [] })
  expect(await rotateSecrets(run, ring)).toMatchObject({ rotated: 0, unreadable: [] })
  const after = await newArticle(api, project)
  expect((await api.post(`/articles/${after}/publish`)).body).toMatchObject({ status: 'published' })
})

it('answers kept for repeated calls are sealed again too, and open without the old key', async () => {
  const target = targetOf(stack)
  const run = runnerOf(target)
  const other = await newProject(api)
  const connect = () =>
    api.post(
      `/projects/${other}/integrations`,
      { platform: 'webhook', url: `${stack.receiver.url}/webhook`, access_token: stack.receiverToken },
      { headers: { 'Idempotency-Key': 'connect-once' } },
    )
  const first = await connect()
  expect(first.status).toBe(201)
  const stored = async () =>
    (await run<{ body: string }>(sql`select body from idempotency_records where key = 'connect-once'`))[0]?.body ?? ''
  expect(await stored()).toMatch(/^sealed:old\./)
  const ring = parseKeyRing(`${keyOf('new')},${keyOf('old')}`)
  expect(await rotateSecrets(run, ring)).toMatchObject({ answers: { rotated: 1, unreadable: 0 } })
  expect(await rotateSecrets(run, ring)).toMatchObject({ answers: { rotated: 0, unreadable: 0 } })
  expect(await stored()).toMatch(/^sealed:new\..*\.bound$/)
  const again = await connect()
  expect([again.status, again.headers.get('idempotency-replayed'), again.body]).toEqual([201, 'true', first.body])
  const wrong = await rotateSecrets(run, parseKeyRing(keyOf('other')))
  expect(wrong.answers).toEqual({ rotated: 0, unreadable: 1 })
})

it('secrets moved to the row of another integration open nothing there', async () => {
  const run = runnerOf(targetOf(stack))
  const [one, two] = await run<{ id: number; sealed_secrets: string }>(
    sql`select id, sealed_secrets from integrations where status = 'Active' order by id`,
  )
  await run(
    sql`update integrations set sealed_secrets = ${two?.sealed_secrets ?? ''} where id = ${Number(one?.id)}::int`,
  )
  const ring = parseKeyRing(`${keyOf('third')},${keyOf('new')},${keyOf('old')}`)
  expect(await rotateSecrets(run, ring)).toMatchObject({ unreadable: [Number(one?.id)] })
})

/** Returns the link of the mail that somebody gets who signs up. */
const signUpLink = async (person: Visitor) => {
  const email = newEmail()
  await person.post('/sign-up', { email })
  return linkIn(await mailTo(stack.mail.url, email, /^Confirm/))
}

it('people stay signed in, mailed links confirm addresses, and applications can read their registration, while one key follows another', async () => {
  const target = { url: stack.url, mailUrl: stack.mail.url }
  const { visitor: person } = await signInByMail(target, `rotated@${Date.now()}.example`)
  const registered = await fetch(`${stack.url}/oauth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      client_name: 'An agent',
      redirect_uris: ['http://127.0.0.1:9/back'],
      token_endpoint_auth_method: 'none',
    }),
  })
  const registration = (await registered.json()) as Record<string, string>
  const isSignedIn = async () => new URL((await person.get('/settings')).url).pathname === '/settings'
  const session = () => [...person.cookies].find(([name]) => name.includes('session_token'))?.[1]
  const before = session()
  const [early, late] = [visitor(stack.url), visitor(stack.url)]
  const [earlyLink, lateLink] = [await signUpLink(early), await signUpLink(late)]
  expect(await isSignedIn()).toBe(true)
  expect(session()).toBe(before)
  const withKeys = async (keys: string) => {
    await stack.crash()
    await stack.restart({ SECRETS_KEYS: keys })
  }

  await withKeys(`${keyOf('new')},${keyOf('old')}`)
  expect(await isSignedIn()).toBe(true)
  expect(session(), 'the cookie is signed again').not.toBe(before)
  expect((await choosePassword(early, earlyLink, 'correct horse battery')).url).toBe(`${stack.url}/setup`)
  const headers = { authorization: `Bearer ${registration.registration_access_token}` }
  expect((await fetch(registration.registration_client_uri ?? '', { headers })).status).toBe(200)

  await withKeys(keyOf('new'))
  expect(await isSignedIn()).toBe(true)
  person.cookies.set([...person.cookies.keys()].find((name) => name.includes('session_token')) ?? '', before ?? '')
  expect(await isSignedIn(), 'a signature of a key that is gone').toBe(false)
  expect((await choosePassword(late, lateLink, 'correct horse battery')).url).toBe(`${stack.url}/setup`)
})

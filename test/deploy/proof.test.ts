import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { SQL } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { checkBindings } from '../../functions/jobs/checks.ts'
import { configuredProviders, proveProviders, type Result, tableOf } from '../../scripts/deploy/check-providers.ts'
import { DeployFault } from '../../scripts/deploy/fault.ts'
import { proveAgents } from '../../scripts/deploy/proof/agents.ts'
import { proveMail } from '../../scripts/deploy/proof/mail.ts'
import type { Settings } from '../../scripts/deploy/settings.ts'
import { rowsIn } from '../support/client.ts'
import { borrowTestStack, type TestStack, targetOf } from '../support/stack.ts'

let stack: TestStack
beforeAll(async () => {
  stack = await borrowTestStack()
  stack.stripe.state.webhooks = [{ url: `${stack.url}/stripe/events`, events: ['*'] }]
})
afterAll(() => stack.close())

const settings = () => stack.settings() as unknown as Settings
const run = <Row>(statement: SQL) => rowsIn<Row>(targetOf(stack), statement)
const faultOf = async (work: Promise<unknown>): Promise<string> =>
  await work.then(
    () => expect.fail('it went through'),
    (error: unknown) => (error instanceof DeployFault ? error.message : expect.fail(String(error))),
  )

it('a mail is sent by the deployed Workers, and its acceptance read back', async () => {
  expect(await proveMail(settings(), run, stack.url)).toBe('delivered@resend.dev')
  expect(stack.mail.sent('delivered@resend.dev')).toHaveLength(1)
  stack.mail.faults.set([{ path: '/emails', status: 403 }])
  expect(await faultOf(proveMail(settings(), run, stack.url))).toMatch(/did not accept a mail .*: invalid_api_key/)
  stack.mail.faults.set([])
})

it('every configured provider is called from the Workers; a failing one stops the proof', async () => {
  const said: string[] = []
  await proveProviders(settings(), run, stack.url, (text) => said.push(text))
  const providers = configuredProviders(settings()).filter((name) => name !== 'mail')
  expect(providers).toEqual(
    expect.arrayContaining([
      'dataforseo',
      'google',
      'zernio',
      'stripe',
      'microworkers',
      'redis',
      'qstash',
      'neon',
      'r2',
      'bindings',
    ]),
  )
  expect(said).toEqual([`Proof       providers work: ${providers.join(', ')}`])
  stack.zernio.faults.set([{ status: 401 }])
  const fault = await faultOf(proveProviders(settings(), run, stack.url, () => {}))
  stack.zernio.faults.set([])
  expect(fault).toMatch(/✗ zernio +\d+ ms +free +HTTP 401.*\n +Check SOCIAL_API_KEY/)
  expect(fault).not.toMatch(/✗ stripe|local-social-key/)
})

it('a run that may not call another Worker often enough is a fault, and the number of calls is known', async () => {
  const until = (most: number) => {
    let made = 0
    const fetch = async () => {
      made += 1
      if (made > most) throw new Error('too many')
      return new Response('', { status: 404 })
    }
    return checkBindings({ fetch })
  }
  expect(await until(100)).toMatchObject({ isOk: true, found: '60 calls over a binding in one run' })
  expect(await until(31)).toMatchObject({ isOk: true, found: 'calls over a binding ended after 31: too many' })
  expect(await until(23)).toMatchObject({ isOk: false, found: expect.stringContaining('ended after 23') })
})

it('the table has a line for each provider', () => {
  const results: Result[] = [
    { provider: 'neon', isOk: true, found: 'answers', cost: 'free', ms: 12 },
    { provider: 'stripe', isOk: false, found: 'no price', fix: 'Set one.', cost: 'free', ms: 345 },
  ]
  expect(
    tableOf(results)
      .split('\n')
      .map((line) => line.trim().replace(/ +/g, ' ')),
  ).toEqual(['✓ neon 12 ms free answers', '✗ stripe 345 ms free no price', 'Set one.'])
})

it('the service answers clients that a zone may refuse', async () => {
  expect(await proveAgents(stack.url)).toContain('Python-urllib/3.12')
})

it.each([
  ['Python-urllib', 'Python-urllib/3.12'],
  ['Claude-User', 'Claude-User/1.0'],
  ['undefined', 'a client without User-Agent'],
])('a zone that refuses %s without JSON stops the proof, which names the client', async (part, name) => {
  const zone = createServer(({ headers }, response) => {
    const isRefused = String(headers['user-agent']).includes(part)
    response.writeHead(isRefused ? 403 : 200).end(isRefused ? 'error code: 1010' : '{"status":"ok"}')
  })
  await new Promise<void>((resolve) => zone.listen(0, '127.0.0.1', resolve))
  const fault = await faultOf(proveAgents(`http://127.0.0.1:${(zone.address() as AddressInfo).port}`))
  zone.close()
  expect(fault).toBe(`Something in front of the service refuses ${name} with 403: error code: 1010`)
})

import { request } from 'node:http'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { type SignInFront, signInPages } from '../../functions/signin/sign-in.tsx'
import type { FaultRule } from '../../local/faults.ts'
import { LOCAL_MAIL, type MailServer, startMail } from '../../local/mail/server.ts'
import { frontApp } from '../../src/pages/front.tsx'
import { resend } from '../../src/providers/resend/index.ts'
import { createOutbound, userAgentOf } from '../../src/runtime/outbound.ts'

let mail: MailServer
beforeAll(async () => {
  mail = await startMail({ port: 0, perSecond: 1_000 })
})
afterAll(() => mail.close())

type Line = [level: string, event: string, fields?: object]
let lines: Line[] = []
let waits: number[] = []
beforeEach(() => {
  mail.faults.set([])
  lines = []
  waits = []
})

const settings = { serviceName: 'Galley', publicUrl: 'https://galley.example', retryTimeScale: 1 }

/** Sends one mail by a clock that waiting moves; the address it went to. */
const sendOne = async (to: string, changes: Partial<Parameters<typeof resend>[0]> = {}, text = 'Hello.') => {
  let at = 0
  const log = (...line: Line) => void lines.push(line)
  const now = () => new Date(at)
  const outbound = createOutbound({ allowLoopback: true, dnsQueryUrl: '', userAgent: userAgentOf(settings), log, now })
  const wait = async (ms: number) => {
    waits.push(ms)
    at += ms
  }
  const deps = { outbound, log, now, wait, settings, newId: () => crypto.randomUUID() }
  const mailer = resend({ apiUrl: mail.url, apiKey: LOCAL_MAIL.key, from: LOCAL_MAIL.from, ...changes }, deps as never)
  await mailer.send({ to, subject: 'Confirm your address', text })
  return lines.filter(([, event]) => event.startsWith('mail.'))
}

const posted = (headers: Record<string, string>) =>
  new Promise<[status: number | undefined, body: string]>((resolve, reject) => {
    const sent = request(`${mail.url}/emails`, { method: 'POST', headers }, async (answer) => {
      let body = ''
      for await (const chunk of answer) body += chunk
      resolve([answer.statusCode, body])
    })
    sent
      .on('error', reject)
      .end(JSON.stringify({ from: LOCAL_MAIL.from, to: ['a@b.example'], subject: 's', text: 't' }))
  })

it('a provider refuses a request that does not say who it is, as a Worker’s own fetch sends it', async () => {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${LOCAL_MAIL.key}` }
  expect(await posted(headers)).toEqual([403, 'error code: 1010'])
  expect(await posted({ ...headers, 'user-agent': userAgentOf(settings) })).toEqual([200, expect.any(String)])
})

it.each<[string, FaultRule]>([
  ['429', { status: 429, times: 2 }],
  ['500', { status: 500, times: 2 }],
  ['no answer, though the mail was taken', { drop: 'after', times: 1 }],
])('a mail is tried again after %s, and arrives once', async (_, fault) => {
  const to = `${crypto.randomUUID()}@reader.example`
  mail.faults.set([{ path: '/emails', ...fault }])
  expect(await sendOne(to)).toEqual([])
  expect(mail.sent(to)).toHaveLength(1)
  expect(waits).toEqual([500, 1_500].slice(0, fault.times))
})

it.each([
  ['a wrong key', { apiKey: 'another' }, { status: 403, code: 'invalid_api_key' }],
  ['a domain that is not verified', { from: 'mail@other.example' }, { status: 403, code: 'validation_error' }],
  ['a sender that is no address', { from: 'Galley' }, { status: 422, code: 'invalid_from_address' }],
])('%s ends at once, with a line that names the reason', async (_, changes, reason) => {
  const to = `${crypto.randomUUID()}@reader.example`
  expect(await sendOne(to, changes)).toEqual([['error', 'mail.failed', { ...reason, tries: 1 }]])
  expect(mail.sent(to)).toEqual([])
})

it('more mails a second than Resend takes are refused there, and arrive later', async () => {
  const slow = await startMail({ port: 0, perSecond: 1 })
  try {
    await sendOne('a@reader.example', { apiUrl: slow.url })
    await sendOne('b@reader.example', { apiUrl: slow.url })
    expect(waits[0]).toBe(1_000)
    expect(slow.calls.length).toBeGreaterThan(2)
  } finally {
    await slow.close()
  }
})

it('a daily quota is not waited for; a provider that is away is, for 20 seconds', async () => {
  mail.faults.set([{ path: '/emails', status: 429, answer: { name: 'daily_quota_exceeded' }, times: 1 }])
  expect(await sendOne('a@reader.example')).toMatchObject([['error', 'mail.failed', { status: 429, tries: 1 }]])
  mail.faults.set([{ path: '/emails', status: 503 }])
  expect(await sendOne('a@reader.example')).toContainEqual([
    'error',
    'mail.failed',
    { status: 503, code: 'application_error', tries: 5 },
  ])
})

it('an operator who has set up no mail: pages say so, show no form, and nothing is sent', async () => {
  const deps = { settings, now: () => new Date(), newId: () => 'an-id', log: () => {} }
  const front = { deps, sendsMail: false } as unknown as SignInFront
  const app = frontApp(front)
  signInPages(app, front)
  for (const path of ['/sign-up', '/sign-in/link', '/reset'])
    for (const method of ['GET', 'POST']) {
      const page = await app.request(path, { method })
      const text = await page.text()
      expect([page.status, text.includes('This service sends no mail yet; its operator has to set it up.')]).toEqual([
        200,
        true,
      ])
      expect(text).not.toMatch(/<form|Look at your mail|written to/)
    }
  expect(await (await app.request('/sign-in/link?token=mailed-before')).text()).toContain('<form')
  expect(await sendOne('a@reader.example', { apiKey: '' })).toEqual([['info', 'mail.not_set_up']])
})

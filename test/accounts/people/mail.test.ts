import { request } from 'node:http'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { FaultRule } from '../../../local/faults.ts'
import { LOCAL_MAIL, type MailServer, startMail } from '../../../local/mail/server.ts'
import type { MailPayload } from '../../../src/accounts/people/jobs.ts'
import type { Mail, Mailer } from '../../../src/accounts/people/mail.ts'
import { sealMail, sendMail } from '../../../src/accounts/people/send-mail.ts'
import { frontApp } from '../../../src/pages/app.tsx'
import { type SignInFront, signInPages } from '../../../src/pages/signin/sign-in.tsx'
import type { Ctx } from '../../../src/platform/runtime/ctx.ts'
import { parseLegal } from '../../../src/platform/runtime/legal.ts'
import { createOutbound, userAgentOf } from '../../../src/platform/runtime/outbound.ts'
import { parseMailSettings } from '../../../src/platform/runtime/provider-env.ts'
import { mailerOf } from '../../../src/providers/mail.ts'

let mail: MailServer
beforeAll(async () => {
  mail = await startMail({ port: 0, perSecond: 1_000 })
})
afterAll(() => mail.close())
beforeEach(() => mail.faults.set([]))

const settings = {
  serviceName: 'Galley',
  publicUrl: 'https://galley.example',
  retryTimeScale: 1,
  legal: parseLegal({}),
}

const outbound = createOutbound({
  allowLoopback: true,
  dnsQueryUrl: '',
  userAgent: userAgentOf(settings),
  log: () => {},
  now: () => new Date(),
})

const resendBy = (changes: Record<string, string> = {}) =>
  mailerOf(
    parseMailSettings({ MAIL_API_URL: mail.url, MAIL_API_KEY: LOCAL_MAIL.key, MAIL_FROM: LOCAL_MAIL.from, ...changes }),
    outbound,
    undefined,
  ) ?? expect.fail('mail is set up')

const newMail = (to = `${crypto.randomUUID()}@reader.example`): Mail => ({ to, subject: 'Confirm', text: 'Hello.' })

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

it('a provider refuses a request without its sender’s name, as a Worker’s own fetch sends it, or without its content type', async () => {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${LOCAL_MAIL.key}` }
  expect(await posted(headers)).toEqual([403, 'error code: 1010'])
  expect(await posted({ ...headers, 'user-agent': userAgentOf(settings) })).toEqual([200, expect.any(String)])
  const { 'content-type': _type, ...untyped } = { ...headers, 'user-agent': userAgentOf(settings) }
  expect(await posted(untyped)).toEqual([422, expect.stringContaining('missing_required_field')])
  const { authorization: _, ...keyless } = { ...headers, 'user-agent': userAgentOf(settings) }
  expect(await posted(keyless)).toEqual([401, expect.stringContaining('missing_api_key')])
  const read = await fetch(`${mail.url}/domains`, { headers })
  expect([read.status, await read.text()]).toEqual([401, expect.stringContaining('restricted_api_key')])
})

type Answered = [name: string, fault: FaultRule | undefined, changes: Record<string, string>, answer: object]

it.each<Answered>([
  ['a mail', undefined, {}, { kind: 'taken' }],
  ['a wrong key', undefined, { MAIL_API_KEY: 'another' }, { kind: 'refused', status: 401, code: 'invalid_api_key' }],
  [
    'a key that does not look like one',
    { status: 400, answer: { name: 'validation_error', message: 'API key is invalid' } },
    {},
    { kind: 'refused', status: 400, code: 'invalid_api_key' },
  ],
  [
    'a domain that is not verified',
    undefined,
    { MAIL_FROM: 'mail@other.example' },
    { kind: 'refused', status: 403, code: 'validation_error' },
  ],
  [
    'a sender that is no address',
    undefined,
    { MAIL_FROM: 'Galley' },
    { kind: 'refused', status: 422, code: 'invalid_from_address' },
  ],
  ['429', { status: 429 }, {}, { kind: 'later', status: 429, code: 'rate_limit_exceeded', afterMs: 0 }],
  [
    'a quota of the day',
    { status: 429, answer: { name: 'daily_quota_exceeded' } },
    {},
    { kind: 'refused', status: 429, code: 'daily_quota_exceeded' },
  ],
  ['500', { status: 500 }, {}, { kind: 'later', status: 500, code: 'application_error', afterMs: 0 }],
  ['no answer', { drop: 'before' }, {}, { kind: 'later', code: 'no_answer', afterMs: 0 }],
])('Resend’s answer to %s', async (_, fault, changes, answer) => {
  mail.faults.set(fault ? [{ path: '/emails', ...fault }] : [])
  const one = newMail()
  expect(await resendBy(changes).send(one, crypto.randomUUID())).toEqual(answer)
  expect(mail.sent(one.to)).toHaveLength('kind' in answer && answer.kind === 'taken' ? 1 : 0)
})

it('Resend refuses too many mails per second, with the time to wait', async () => {
  const slow = await startMail({ port: 0, perSecond: 1 })
  try {
    const mailer = resendBy({ MAIL_API_URL: slow.url })
    await mailer.send(newMail(), 'first')
    expect(await mailer.send(newMail(), 'second')).toMatchObject({ kind: 'later', status: 429, afterMs: 1_000 })
  } finally {
    await slow.close()
  }
})

/** A mail in the outbox, by a clock that waiting moves: runs the job until its row ends. */
const runToEnd = async (mailer: Mailer | undefined, { mail: one = newMail(), isTried = false } = {}) => {
  let at = Date.parse('2026-11-25T12:00:00Z')
  const since = at
  const lines: unknown[][] = []
  const waitsS: number[] = []
  const row: Record<string, unknown> = {}
  const change = {
    set: (values: Record<string, unknown>) => ({ where: async () => void Object.assign(row, values) }),
  }
  const ctx = {
    settings: { ...settings, secretsKeys: [{ id: 'k', key: new Uint8Array(32) }] },
    newId: () => crypto.randomUUID(),
    now: () => new Date(at),
    log: (...line: unknown[]) => void lines.push(line),
    run: { id: 4711, attempts: 1, leaseUntil: new Date(at) },
    db: { update: () => change },
  } as unknown as Ctx
  const { id, sealed, until } = await sealMail(ctx, one, new Date(at + 3_600_000))
  const payload = { mail: id, sealed, since: new Date(at).toISOString(), until: until.toISOString(), isTried }
  for (let runs = 0; runs < 100; runs += 1) {
    const result = await sendMail(ctx, (row.payload ?? payload) as MailPayload, mailer)
    if (result?.kind !== 'later') return { result, row, lines, waitsS, tookMs: at - since }
    waitsS.push((result.at.getTime() - at) / 1_000)
    at = result.at.getTime()
  }
  return expect.fail('it never ends')
}

const payloadOf = (row: Record<string, unknown>) => row.payload as Record<string, unknown>

it('a mail with a lost answer is sent again with its id, arrives once, and is deleted', async () => {
  const one = newMail()
  mail.faults.set([
    { path: '/emails', drop: 'after', times: 1 },
    { path: '/emails', status: 503, times: 1 },
  ])
  const { result, row, lines, waitsS } = await runToEnd(resendBy(), { mail: one })
  expect([result, waitsS, lines]).toEqual([{ kind: 'settled' }, [2, 2], []])
  expect(mail.sent(one.to)).toHaveLength(1)
  expect(payloadOf(row)).toEqual({
    mail: expect.any(String),
    since: expect.any(String),
    until: expect.any(String),
    end: 'taken',
  })
})

it('the same row of two deployments that share an account at the provider: both mails arrive', async () => {
  const mails = [newMail(), newMail()]
  const ends = []
  for (const one of mails) ends.push(payloadOf((await runToEnd(resendBy(), { mail: one })).row).end)
  expect(ends).toEqual(['taken', 'taken'])
  expect(mails.map(({ to }) => mail.sent(to).length)).toEqual([1, 1])
})

it('a mail is retried until its token expires, and reported after a minute', async () => {
  mail.faults.set([{ path: '/emails', status: 503 }])
  const { row, lines, waitsS, tookMs } = await runToEnd(resendBy())
  expect(waitsS).toEqual([2, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024])
  expect(tookMs).toBeLessThan(3_600_000)
  const fields = { status: 503, code: 'application_error', outbox_id: 4711 }
  expect(lines.map(([, event]) => event)).toEqual([...Array(5).fill('mail.late'), 'mail.failed'])
  expect(lines.at(-1)).toEqual(['error', 'mail.failed', fields])
  expect(payloadOf(row)).toMatchObject({ end: 'refused', sealed: expect.any(String) })
})

it('a refusal is final, is reported in the provider’s words, and the mail can be sent again', async () => {
  const { row, lines, waitsS } = await runToEnd(resendBy({ MAIL_API_KEY: 'another' }))
  expect(waitsS).toEqual([])
  expect(lines).toEqual([['error', 'mail.failed', { status: 401, code: 'invalid_api_key', outbox_id: 4711 }]])
  expect(payloadOf(row)).toMatchObject({ end: 'refused', sealed: expect.any(String) })
})

describe('Cloudflare’s binding, which has no idempotency key', () => {
  const byBinding = (send: (mail: unknown) => Promise<unknown>) =>
    mailerOf(parseMailSettings({ MAIL_PROVIDER: 'cloudflare', MAIL_FROM: LOCAL_MAIL.from }), outbound, { send })
  const failing = (code: string) => byBinding(() => Promise.reject(Object.assign(new Error(code), { code })))

  it('accepts the mail as documented', async () => {
    const seen: unknown[] = []
    const one = newMail()
    const mailer = byBinding(async (sent) => {
      seen.push(sent)
      return { messageId: 'm1' }
    })
    const { row } = await runToEnd(mailer, { mail: one })
    expect(seen).toEqual([{ from: { name: 'Galley', email: 'mail@galley.example' }, ...one }])
    expect(payloadOf(row)).toMatchObject({ end: 'taken' })
  })

  it.each([
    ['E_SENDER_NOT_VERIFIED', 'refused', []],
    ['E_DAILY_LIMIT_EXCEEDED', 'refused', []],
    ['E_HEADER_NOT_ALLOWED', 'refused', []],
    ['E_RATE_LIMIT_EXCEEDED', 'refused', [10, 10, 20, 40, 80, 160, 320, 640, 1280]],
    ['E_INTERNAL_SERVER_ERROR', 'unknown', []],
  ])('%s ends as %s', async (code, end, waits) => {
    const { row, lines, waitsS } = await runToEnd(failing(code))
    expect([payloadOf(row).end, waitsS]).toEqual([end, waits])
    expect(lines.at(-1)).toEqual(['error', 'mail.failed', { status: undefined, code, outbox_id: 4711 }])
  })

  it('an attempt with a crashed run is not repeated automatically', async () => {
    const sent: unknown[] = []
    const mailer = byBinding(async (one) => {
      sent.push(one)
      return { messageId: 'm1' }
    })
    const { row } = await runToEnd(mailer, { isTried: true })
    expect([payloadOf(row).end, sent]).toEqual(['unknown', []])
  })
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
  const { lines } = await runToEnd(mailerOf(parseMailSettings({ MAIL_FROM: LOCAL_MAIL.from }), outbound, undefined))
  expect(lines).toEqual([['info', 'mail.not_set_up']])
})

import { createHmac, randomUUID } from 'node:crypto'
import { escapeAttribute } from '../../src/content/html/references.ts'
import { type Answer, html, json } from '../receiver/answers.ts'
import { type StandIn, startStandIn } from '../stand-in.ts'
import type { StandInRequest } from '../stand-in-request.ts'
import { BINDING_PATH } from './binding.ts'

/** Mail as the service sent it. Lists have the newest first. */
type SentMail = {
  to: string
  from: string
  subject: string
  text: string
  headers?: Record<string, string>
  at: string
}

export type MailServer = StandIn & { sent: (to: string) => SentMail[] }

const KEPT = 500

const linked = (text: string): string =>
  escapeAttribute(text).replace(/https?:\/\/\S+/g, (url) => `<a href="${url}" rel="noreferrer">${url}</a>`)

const page = (mails: readonly SentMail[]): string => `<!doctype html><html lang="en"><meta charset="utf-8">
<meta name="viewport" content="width=device-width"><title>Mails</title>
<style>body{font:16px/1.5 system-ui;max-width:44rem;margin:2rem auto;padding:0 1rem}pre{white-space:pre-wrap;overflow-wrap:anywhere}</style>
<h1>Mails</h1><p>Nothing is sent from this machine. These are the mails of the service, newest first.</p>
${mails.map((mail) => `<article><h2>${escapeAttribute(mail.subject)}</h2><p>To ${escapeAttribute(mail.to)}, ${mail.at}</p><pre>${linked(mail.text)}</pre></article>`).join('') || '<p>None yet.</p>'}</html>`

/** Key, sender and domain that the stand-in of Resend accepts; they open nothing elsewhere. */
export const LOCAL_MAIL = {
  key: 'local-mail-key',
  from: 'Galley <mail@galley.example>',
  domain: 'galley.example',
  webhookSecret: `whsec_${Buffer.from('local secret of mail events').toString('base64')}`,
}

/** Event of the provider (https://resend.com/docs/dashboard/webhooks/event-types, 2026-11-25). */
type MailEvent = { type: string; created_at: string; data: Record<string, unknown> }

/** Returns the headers with which Svix signs a body: HMAC-SHA256 of `id.timestamp.body`. */
export const signedAs = (body: string, secret = LOCAL_MAIL.webhookSecret, atS = Math.floor(Date.now() / 1000)) => {
  const id = `msg_${randomUUID()}`
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  const signature = createHmac('sha256', key).update(`${id}.${atS}.${body}`).digest('base64')
  return { 'svix-id': id, 'svix-timestamp': String(atS), 'svix-signature': `v1,${signature}` }
}

/** Sends an event to the service, signed. Returns the status of its answer. */
const sendEvent = async (url: string, event: MailEvent): Promise<number> => {
  const body = JSON.stringify(event)
  const headers = { 'content-type': 'application/json', ...signedAs(body) }
  const response = await fetch(url, { method: 'POST', headers, body })
  await response.body?.cancel()
  return response.status
}

/** Event for a mail to one of Resend's test addresses, which may have a label (`bounced+jo@…`); undefined for others. */
const eventFor = (to: string): string | undefined =>
  ({ bounced: 'email.bounced', complained: 'email.complained', suppressed: 'email.suppressed' })[
    /^([a-z]+)(?:\+[^@]*)?@/.exec(to)?.[1] ?? ''
  ]

/** Mails a second that Resend takes from an account (https://resend.com/docs/api-reference/rate-limit). */
const PER_SECOND = 5

/** An address, or a name and an address in angle brackets. */
const ADDRESS = /^(?:[^<>@]*<([^\s<>@]+@[^\s<>@]+\.[^\s<>@]+)>|([^\s<>@]+@[^\s<>@]+\.[^\s<>@]+))$/
const addressIn = (text: unknown): string | undefined => {
  const [, named, plain] = ADDRESS.exec(typeof text === 'string' ? text.trim() : '') ?? []
  return named ?? plain
}

const MAIL_FIELDS = ['from', 'to', 'subject', 'text', 'html', 'cc', 'bcc', 'headers', 'attachments']
const FIELDS = new Set([...MAIL_FIELDS, 'reply_to', 'tags'])
const BINDING_FIELDS = new Set([...MAIL_FIELDS, 'replyTo'])

const missingIn = (mail: Record<string, unknown>): string | undefined =>
  ['from', 'to', 'subject'].find((name) => mail[name] === undefined || mail[name] === '')

/** Returns a refusal as Resend words it (https://resend.com/docs/api-reference/errors). */
const refused = (statusCode: number, name: string, message: string): Answer =>
  json(statusCode, { statusCode, name, message })

const refusalOf = (status: number): Answer => {
  const names: Record<number, string> = { 401: 'missing_api_key', 403: 'invalid_api_key', 429: 'rate_limit_exceeded' }
  return refused(status, names[status] ?? 'application_error', `status ${status}`)
}

/** Returns Resend's refusal of the key; undefined if it accepts the key. */
const keyFault = ({ headers }: StandInRequest): Answer | undefined => {
  const [, key] = /^Bearer (.+)$/.exec(headers.authorization ?? '') ?? []
  if (key === undefined) return refused(401, 'missing_api_key', 'Missing API key in the authorization header.')
  return key === LOCAL_MAIL.key ? undefined : refused(401, 'validation_error', 'API key is invalid')
}

/** Returns Resend's refusal of the mail; undefined if it accepts the mail. */
const mailFault = (body: unknown): Answer | undefined => {
  const mail = (body ?? {}) as Record<string, unknown>
  const missing = missingIn(mail)
  if (missing) return refused(422, 'missing_required_field', `Missing \`${missing}\` field.`)
  if (mail.text === undefined && mail.html === undefined)
    return refused(422, 'missing_required_field', 'Missing `html` or `text` field.')
  const unknown = Object.keys(mail).find((name) => !FIELDS.has(name))
  if (unknown) return refused(422, 'validation_error', `Unknown field ${unknown}.`)
  const from = addressIn(mail.from)
  if (from === undefined) return refused(422, 'invalid_from_address', 'Invalid `from` field.')
  const to = [mail.to].flat()
  if (to.length > 50 || to.some((one) => addressIn(one) === undefined))
    return refused(422, 'validation_error', 'Invalid `to` field.')
  const domain = from.slice(from.indexOf('@') + 1).toLowerCase()
  return domain === LOCAL_MAIL.domain
    ? undefined
    : refused(403, 'validation_error', `The ${domain} domain is not verified.`)
}

/** Returns the error of Cloudflare's binding for the mail; undefined if there is none. */
const bindingFault = (body: unknown): Answer | undefined => {
  const thrown = (code: string, message: string) => json(400, { code, message })
  const mail = (body ?? {}) as Record<string, unknown>
  const missing = missingIn(mail)
  if (missing) return thrown('E_FIELD_MISSING', missing)
  const unknown = Object.keys(mail).find((name) => !BINDING_FIELDS.has(name))
  if (unknown) return thrown('E_VALIDATION_ERROR', `unknown field ${unknown}`)
  const from = typeof mail.from === 'string' ? mail.from : (mail.from as { email?: unknown }).email
  const sender = typeof from === 'string' && !from.includes('<') ? addressIn(from) : undefined
  if (sender === undefined || addressIn(mail.to) === undefined)
    return thrown('E_VALIDATION_ERROR', 'invalid email address')
  return sender.endsWith(`@${LOCAL_MAIL.domain}`)
    ? undefined
    : thrown('E_SENDER_NOT_VERIFIED', 'sender domain not verified')
}

/** Returns a limit on the requests of each second, as Resend has. */
const rate = (perSecond: number): (() => Answer | undefined) => {
  let [since, count] = [0, 0]
  return () => {
    const now = performance.now()
    if (now - since >= 1_000) [since, count] = [now, 0]
    count += 1
    if (count <= perSecond) return undefined
    const { status, headers, body } = refused(
      429,
      'rate_limit_exceeded',
      `You can only make ${perSecond} requests per second.`,
    )
    return { status, headers: { ...headers, 'retry-after': '1' }, body }
  }
}

/** Answers of the last day by Idempotency-Key, with the bodies of their requests. */
type Kept = Map<string, { body: string; id: string }>

const keptAnswer = (kept: Kept, key: string | undefined, body: string): Answer | undefined => {
  if (key === undefined) return undefined
  if (key.length < 1 || key.length > 256)
    return refused(400, 'invalid_idempotency_key', 'The key must be between 1-256 chars.')
  const before = kept.get(key)
  if (!before) return undefined
  return before.body === body
    ? json(200, { id: before.id })
    : refused(409, 'invalid_idempotent_request', 'Same idempotency key used with a different request payload.')
}

/**
 * Starts a server with Resend's `POST /emails` and its refusals, which keeps the accepted mails.
 *
 * Mails to `bounced@…`, `complained@…` and `suppressed@…` are followed by the event of that name.
 *
 * `/` shows the mails, `/_mails?to=` returns them as JSON.
 */
export const startMail = async ({
  port,
  perSecond = PER_SECOND,
  eventsUrl,
}: {
  port: number
  perSecond?: number
  /** Returns the address that gets events; absent: none. */
  eventsUrl?: () => string
}): Promise<MailServer> => {
  const mails: SentMail[] = []
  const kept: Kept = new Map()
  const isFast = rate(perSecond)
  const sent = (to: string) => mails.filter((mail) => mail.to === to)
  const take = ({ body, headers, raw }: StandInRequest): Answer => {
    const key = headers['idempotency-key']?.toString()
    const mail = body as Omit<SentMail, 'to' | 'at'> & { to: string | string[] }
    const id = randomUUID()
    if (key !== undefined) kept.set(key, { body: raw.toString('utf8'), id })
    mails.unshift({ ...mail, to: [mail.to].flat().join(', '), at: new Date().toISOString() })
    mails.length = Math.min(mails.length, KEPT)
    for (const to of [mail.to].flat()) {
      const type = eventFor(to)
      if (type && eventsUrl)
        sendEvent(eventsUrl(), { type, created_at: new Date().toISOString(), data: { email_id: id, to: [to] } }).catch(
          () => {},
        )
    }
    return json(200, { id })
  }
  const standIn = await startStandIn({
    port,
    refusal: refusalOf,
    answer: (request) => {
      const { method, path, query, body, headers, raw } = request
      if (method === 'POST' && path === '/emails')
        return (
          keyFault(request) ??
          isFast() ??
          mailFault(body) ??
          keptAnswer(kept, headers['idempotency-key']?.toString(), raw.toString('utf8')) ??
          take(request)
        )
      if (method === 'POST' && path === BINDING_PATH) {
        const taken = bindingFault(body) ?? take(request)
        return taken.status === 200 ? json(200, { messageId: `${randomUUID()}@${LOCAL_MAIL.domain}` }) : taken
      }
      if (method === 'GET' && /^\/(?:emails|domains|api-keys)(?:\/|$)/.test(path))
        return (
          keyFault(request) ?? refused(401, 'restricted_api_key', 'This API key is restricted to only send emails.')
        )
      if (path === '/_mails') return json(200, sent(query.get('to') ?? ''))
      return path === '/' ? html(200, page(mails)) : html(404, 'There is no such page.')
    },
  })
  return { ...standIn, sent }
}

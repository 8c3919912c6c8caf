import { and, inArray, isNull, lt, or, type SQL } from 'drizzle-orm'
import * as z from 'zod/mini'
import { people } from '../../../schema/people.ts'
import type { MailFault } from '../../../schema/values/people.ts'
import { fromBase64, isHmacSha256 } from '../../platform/lib/crypto.ts'
import { foreignJson } from '../../platform/lib/foreign-answers.ts'
import { type Deps, sendBatch } from '../../platform/runtime/ctx.ts'

/** Largest age of a signature, and largest time by which its clock may be ahead, in seconds. */
const WINDOW_S = 300
/** Signatures that are compared. The provider sends two while its secret changes. */
const MOST_SIGNATURES = 5

/** Headers of a signed event. */
export type SignedHeaders = { id: string; timestamp: string; signature: string }

/** Returns the bytes of a secret `whsec_…`; undefined if it is not base64. */
const keyOf = (secret: string): Uint8Array<ArrayBuffer> | undefined => {
  try {
    return fromBase64(secret.replace(/^whsec_/, ''))
  } catch {
    return undefined
  }
}

/**
 * True if an event was signed with this secret in the last five minutes: HMAC-SHA256 of `id.timestamp.body`, as Svix signs
 * (https://docs.svix.com/receiving/verifying-payloads/how-manual, 2026-11-25).
 */
const isSigned = async (
  secret: string,
  { id, timestamp, signature }: SignedHeaders,
  body: string,
  now: Date,
): Promise<boolean> => {
  const key = keyOf(secret)
  if (!key || id === '' || !/^\d{1,12}$/.test(timestamp)) return false
  if (Math.abs(now.getTime() / 1000 - Number(timestamp)) > WINDOW_S) return false
  const given = signature.split(' ').flatMap((part) => /^v1,([A-Za-z0-9+/]{43}=)$/.exec(part)?.[1] ?? [])
  for (const one of given.slice(0, MOST_SIGNATURES))
    if (await isHmacSha256(key, `${id}.${timestamp}.${body}`, one)) return true
  return false
}

const Event = z.object({
  type: z.string(),
  created_at: z.string(),
  data: z.object({
    to: z.optional(z.union([z.string(), z.array(z.string())])),
    email: z.optional(z.string()),
    origin: z.optional(z.string()),
  }),
})
type Event = z.infer<typeof Event>

/**
 * Fault that each event reports; null: mails arrive again. Other events have no effect.
 *
 * A delayed mail is repeated by the provider. After a bounce or a complaint it sends the address nothing more
 * (https://resend.com/docs/dashboard/webhooks/event-types, 2026-11-25).
 */
const FAULT_OF: Readonly<Record<string, MailFault | null>> = {
  'email.bounced': 'bounced',
  'email.complained': 'complained',
  'email.suppressed': 'suppressed',
  'email.delivered': null,
  'suppression.removed': null,
}

const ORIGINS: Readonly<Record<string, MailFault>> = { bounce: 'bounced', complaint: 'complained' }

const faultOf = ({ type, data: { origin = '' } }: Event): MailFault | null | undefined =>
  type === 'suppression.added' ? (ORIGINS[origin] ?? 'suppressed') : FAULT_OF[type]

/** Addresses of an event that are considered. The service sends one mail to each person. */
const MOST_ADDRESSES = 50

/** Returns the addresses of an event, in the form in which they are stored. */
const addressesIn = ({ data: { to = [], email } }: Event): string[] =>
  [...[to].flat(), ...(email === undefined ? [] : [email])]
    .map((one) => (/<([^<>]+)>/.exec(one)?.[1] ?? one).trim().toLowerCase())
    .slice(0, MOST_ADDRESSES)

/** Answer to an event of the mail provider. */
export type MailEventAnswer = { status: 200 | 400; said: string }

/** Condition: an event changes the state of a person. A delivery does not end a complaint: the provider sent it before. */
const isChange = ({ type }: Event, at: Date): SQL | undefined =>
  and(
    or(isNull(people.mailFaultAt), lt(people.mailFaultAt, at)),
    type === 'email.delivered' ? inArray(people.mailFault, ['bounced', 'suppressed']) : undefined,
  )

/**
 * Handles a signed event of the mail provider: stores whether mails to a person arrive.
 *
 * Events may come twice and in any order. The newest by its own time counts.
 */
export const handleMailEvent = async (
  { db, now, log }: Pick<Deps, 'db' | 'now' | 'log'>,
  secret: string,
  headers: SignedHeaders,
  body: string,
): Promise<MailEventAnswer> => {
  if (!(await isSigned(secret, headers, body, now())))
    return { status: 400, said: 'The signature is wrong, or older than five minutes.' }
  const event = Event.safeParse(foreignJson(body)).data
  const at = new Date(event?.created_at ?? Number.NaN)
  if (!event || Number.isNaN(at.getTime())) return { status: 400, said: 'The body is not an event.' }
  const fault = faultOf(event)
  const addresses = addressesIn(event)
  if (fault === undefined || addresses.length === 0) return { status: 200, said: 'The event has no effect here.' }
  const { noted } = await sendBatch(
    db,
    {
      noted: db
        .update(people)
        .set({ mailFault: fault, mailFaultOf: people.email, mailFaultAt: at })
        .where(and(inArray(people.email, addresses), isChange(event, at)))
        .returning({ id: people.id }),
    },
    { unaudited: 'the provider reports it of an address, whatever accounts its person works in' },
  )
  if (noted.length > 0) log('info', 'mail.fault', { fault: fault ?? 'none', people: noted.length })
  return { status: 200, said: 'The event was processed.' }
}

/** Returns words for a fault, for other people. */
export const MAIL_FAULT_WORDS: Readonly<Record<MailFault, string>> = {
  bounced: 'mails to this address come back',
  complained: 'the person marked a mail as spam, so no more are sent to this address',
  suppressed: 'the mail provider sends nothing to this address',
}

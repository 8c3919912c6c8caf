import { randomUUID } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { mailJob } from '../../../src/accounts/people/jobs.ts'
import { mailContext } from '../../../src/accounts/people/send-mail.ts'
import type { SqlRunner } from '../../../src/platform/db/client.ts'
import { parseKeyRing, seal } from '../../../src/platform/lib/crypto.ts'
import { parseMailSettings } from '../../../src/platform/runtime/provider-env.ts'
import { testAddress } from '../../../src/providers/checks.ts'
import { DeployFault } from '../fault.ts'
import type { Settings } from '../settings.ts'
import { bringRow } from './queue.ts'

const WITHIN_MS = 60_000
const HOLDS_MS = 120_000

type Row = { how: string | null; last_error: string | null; is_over: boolean }

/**
 * Makes the deployed service send one mail to a test address, and returns the address.
 *
 * Throws a DeployFault if the provider does not accept the mail.
 */
export const proveMail = async (settings: Settings, run: SqlRunner, publicUrl: string): Promise<string> => {
  const [mail, to, now] = [randomUUID(), testAddress(parseMailSettings(settings)), Date.now()]
  const text = { to, subject: 'Deployment proof', text: 'A deployment sent this mail to show that mails go out.' }
  const payload = {
    mail,
    since: new Date(now).toISOString(),
    until: new Date(now + HOLDS_MS).toISOString(),
    sealed: await seal(parseKeyRing(settings.SECRETS_KEYS), JSON.stringify(text), mailContext(mail)),
  }
  const [row] = await run<{ id: string }>(sql`insert into outbox (job, key, payload, run_at, offered_at)
    values (${mailJob.name}, ${`mail:${mail}`}, ${JSON.stringify(payload)}::jsonb, now(), now()) returning id`)
  const id = String(row?.id)
  const read = async () => {
    const [seen] =
      await run<Row>(sql`select payload->>'end' as how, last_error, (done_at is not null or dead_at is not null) as is_over
      from outbox where id = ${id}`)
    return seen
  }
  await bringRow(settings, publicUrl, id, { isOver: async () => (await read())?.is_over ?? true, withinMs: WITHIN_MS })
  const seen = await read()
  if (seen?.how === 'taken') return to
  throw new DeployFault(
    `The mail provider did not accept a mail from ${settings.MAIL_FROM} to ${to}: ${seen?.last_error ?? 'no answer'}.`,
    'The Workers are deployed, but nobody can sign up. See docs/operations/runbook.md, "Mails are not accepted".',
  )
}

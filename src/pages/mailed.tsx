import { getCookie } from 'hono/cookie'
import * as z from 'zod/mini'
import { PATHS } from '../accounts/people/paths.ts'
import { errorFields } from '../platform/runtime/log.ts'
import type { Front, PagesContext } from './front.tsx'
import { setOwnCookie } from './session.ts'

/** Email addresses that better-auth also accepts. It throws for others. */
const Email = z.email().check(z.maxLength(254))

/** Returns the email address of a form, in lower case; undefined if it is not valid. */
export const emailIn = (fields: Record<string, string>): string | undefined =>
  Email.safeParse((fields.email ?? '').trim().toLowerCase()).data

/** Cookie with the id of the mail that the person waits for. With it, no page reveals whether an address is registered. */
const COOKIE = 'galley_mail'
const KEPT_S = 3_600

/** Returns the id of the mail that the person waits for. */
export const mailIdIn = (c: PagesContext): string | undefined => {
  const id = getCookie(c, COOKIE)
  return id !== undefined && /^[0-9a-f-]{36}$/.test(id) ? id : undefined
}

/** Stores in the browser the id of the mail that the person waits for. */
export const rememberMail = (c: PagesContext, { deps }: Front, id: string): void =>
  setOwnCookie(c, deps.settings, { name: COOKIE, value: id, path: PATHS.mail, seconds: KEPT_S })

/** Offers new outbox rows to the queue after the response. If this fails, the sweep of the next minute sends them. */
export const sendQueuedMail = (c: PagesContext, { deps }: Front): void => {
  const offered = Promise.all([deps.wakeQueue(), deps.noteChange()])
  c.executionCtx.waitUntil(
    offered.catch((error: unknown) =>
      deps.log('error', 'deferred.failed', { path: c.req.path, ...errorFields(error) }),
    ),
  )
}

/** Renders a link to the page that shows whether a mail was accepted. */
export const MailStateLink = () => <a href={PATHS.mail}>See if the mail was accepted for delivery.</a>

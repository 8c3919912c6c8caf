import { getCookie } from 'hono/cookie'
import * as z from 'zod/mini'
import { PATHS } from '../accounts/people/paths.ts'
import { errorFields } from '../platform/runtime/log.ts'
import { setOwnCookie } from './cookie.ts'
import type { Front, PagesContext } from './front.tsx'

/** Addresses that better-auth accepts, too: it throws for others. */
const Email = z.email().check(z.maxLength(254))

/** Returns the e-mail address of a form, in lower case; undefined if it is none. */
export const emailIn = (fields: Record<string, string>): string | undefined =>
  Email.safeParse((fields.email ?? '').trim().toLowerCase()).data

/** Names the mail a browser waits for: no page then differs by whether an address is known. */
const COOKIE = 'galley_mail'
const KEPT_S = 3_600

/** Returns the mail that a browser waits for. */
export const mailIdIn = (c: PagesContext): string | undefined => {
  const id = getCookie(c, COOKIE)
  return id !== undefined && /^[0-9a-f-]{36}$/.test(id) ? id : undefined
}

/** Keeps in the browser which mail it waits for. */
export const rememberMail = (c: PagesContext, { deps }: Front, id: string): void =>
  setOwnCookie(c, deps.settings, { name: COOKIE, value: id, path: PATHS.mail, seconds: KEPT_S })

/** Offers new outbox rows of a page to the queue after the answer. The minute's sweep does it if this fails. */
export const sendQueuedMail = (c: PagesContext, { deps }: Front): void => {
  const offered = Promise.all([deps.wakeQueue(), deps.noteChange()])
  c.executionCtx.waitUntil(
    offered.catch((error: unknown) =>
      deps.log('error', 'deferred.failed', { path: c.req.path, ...errorFields(error) }),
    ),
  )
}

/** Link to the page that shows whether a mail was accepted. */
export const MailStateLink = () => <a href={PATHS.mail}>See whether the mail was taken for delivery.</a>

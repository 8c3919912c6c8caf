import { deleteCookie, getCookie } from 'hono/cookie'
import { consumeOnce, keepOnce } from '../accounts/people/shown-once.ts'
import { seal, unseal } from '../platform/lib/crypto.ts'
import type { Deps } from '../platform/runtime/ctx.ts'
import { type PagesContext, setOwnCookie } from './session.ts'

/**
 * Message at the top of a page after a form. `secret` is shown once. `about` has details on single things, each with a
 * link.
 */
export type Notice = {
  tone: 'good' | 'bad' | 'warn' | 'plain'
  text: string
  secret?: string | undefined
  about?: readonly { href: string; name: string; text: string }[] | undefined
}

/** Dependencies to store and show a notice. */
type NoticeDeps = { deps: Pick<Deps, 'db' | 'now' | 'newId' | 'settings'> }

const COOKIE = 'galley_notice'
const SECONDS = 60

type Kept = { tone: Notice['tone']; text: string; until: number; once?: string; about?: string }

const contextOf = (c: PagesContext): string => `notice:${c.get('person')?.id ?? ''}`

/**
 * Redirects (303) to a page of the service, which shows the notice once. A reload repeats nothing.
 *
 * The notice is in an encrypted cookie. A secret and `about`, which may be too long for a cookie, are in rows that are
 * read once.
 */
export const backTo = async (
  c: PagesContext,
  { deps }: NoticeDeps,
  path: string,
  { tone, text, secret, about }: Notice,
): Promise<Response> => {
  const once = secret === undefined ? {} : { once: await keepOnce(deps, contextOf(c), secret) }
  const more = about?.length ? { about: await keepOnce(deps, contextOf(c), JSON.stringify(about)) } : {}
  const kept: Kept = {
    tone,
    text: text.slice(0, 1_000),
    until: deps.now().getTime() + SECONDS * 1_000,
    ...once,
    ...more,
  }
  const value = await seal(deps.settings.secretsKeys, JSON.stringify(kept), contextOf(c))
  setOwnCookie(c, deps.settings, { name: COOKIE, value, path: '/', seconds: SECONDS })
  return c.redirect(path, 303)
}

/** Returns and deletes the notice that the last form left for this person. */
export const consumeNotice = async (c: PagesContext, { deps }: NoticeDeps): Promise<Notice | undefined> => {
  const sealed = getCookie(c, COOKIE)
  if (sealed === undefined || c.req.method !== 'GET') return undefined
  deleteCookie(c, COOKIE, { path: '/' })
  try {
    const kept = JSON.parse(await unseal(deps.settings.secretsKeys, sealed, contextOf(c))) as Kept
    if (kept.until < deps.now().getTime()) return undefined
    const secret = kept.once === undefined ? undefined : await consumeOnce(deps, contextOf(c), kept.once)
    const about = kept.about === undefined ? undefined : await consumeOnce(deps, contextOf(c), kept.about)
    return { tone: kept.tone, text: kept.text, secret, about: about === undefined ? undefined : JSON.parse(about) }
  } catch {
    // The cookie is of another person, or was changed.
    return undefined
  }
}

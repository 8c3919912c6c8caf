import * as z from 'zod/mini'
import { includesScope } from '../../platform/accounts/scopes.ts'
import { beginConsent, endConsent } from '../../platform/lib/consent.ts'
import {
  base64Url,
  fromBase64,
  fromBase64Url,
  hmacSha256,
  isHmacSha256,
  type KeyRing,
} from '../../platform/lib/crypto.ts'
import type { Ctx, Deps } from '../../platform/runtime/ctx.ts'

type LinkDeps = Pick<Deps, 'settings' | 'now'>

/** Shortest time for which a connect link works. */
const LINK_MS = 3_600_000
/** Connect links that are made within the same ten minutes are identical. */
const STEP_MS = 600_000
const ATTEMPT_MS = 600_000

const Link = z.object({ project: z.int(), account: z.int(), until: z.int() })
const Attempt = z.extend(Link, { state: z.string(), verifier: z.string() })

/** Project and account that a link connects, and its expiry (ms). */
export type Link = z.infer<typeof Link>
/** One sign-in at Google. The values that come back must match those that were sent. */
export type Attempt = z.infer<typeof Attempt>

const isLive = ({ now }: LinkDeps, { until }: { until: number }): boolean => until > now().getTime()

const CONTEXT = 'search-connect:'

const signed = async (ring: KeyRing, { project, account, until }: Link): Promise<string> => {
  const text = `${project}.${account}.${until}`
  const first = ring[0]
  if (!first) throw new Error('no sealing key')
  return `${text}.${base64Url(fromBase64(await hmacSha256(first.key, CONTEXT + text)))}`
}

/** Returns the expiry of a link that is made now. */
export const linkEnd = ({ now }: Pick<LinkDeps, 'now'>): number =>
  Math.ceil(now().getTime() / STEP_MS) * STEP_MS + LINK_MS

/**
 * Returns the address at which a person connects, chooses the property and sees the state.
 *
 * It works for about an hour, and for this project only.
 */
export const connectUrl = async (deps: LinkDeps, { project, account }: Omit<Link, 'until'>): Promise<string> => {
  const { secretsKeys, publicUrl } = deps.settings
  return `${publicUrl}/connect/search-console?link=${await signed(secretsKeys, { project, account, until: linkEnd(deps) })}`
}

/**
 * Returns the address at which a person connects, and the part of a sentence that explains how to open it.
 *
 * A read-only key gets the address of a page that requires signing in.
 */
export const connectOptions = async (ctx: Ctx, whose: Omit<Link, 'until'>) => {
  const { key } = await ctx.account()
  const mayWrite = !key || includesScope(key.scopes, 'write')
  if (mayWrite) {
    const url = await connectUrl(ctx, whose)
    return { url, mayWrite, open: `open ${url} in a browser within an hour` }
  }
  const url = `${ctx.settings.publicUrl}/settings/integrations?project_id=${whose.project}`
  return { url, mayWrite, open: `open ${url} in a browser, sign in to this service and go on to Search Console there` }
}

const FORM = /^(\d{1,10})\.(\d{1,10})\.(\d{1,15})\.([\w-]{43})$/

/** Returns the contents of a link; undefined if this service did not sign it, or it has expired. */
export const openLink = async (deps: LinkDeps, text: string): Promise<Link | undefined> => {
  const [, project, account, until, signature = ''] = FORM.exec(text) ?? []
  const link = { project: Number(project), account: Number(account), until: Number(until) }
  if (signature === '' || !isLive(deps, link)) return undefined
  const signedText = `${CONTEXT}${project}.${account}.${until}`
  const given = btoa(String.fromCharCode(...fromBase64Url(signature)))
  for (const { key } of deps.settings.secretsKeys) if (await isHmacSha256(key, signedText, given)) return link
  return undefined
}

const ATTEMPT = 'search-connect:attempt'

/** Begins a sign-in at Google. Returns the cookie for the browser and the parameters for Google. */
export const beginAttempt = async (deps: LinkDeps, { project, account }: Link) => {
  const until = deps.now().getTime() + ATTEMPT_MS
  const begun = await beginConsent(deps.settings.secretsKeys, ATTEMPT, { project, account }, until)
  return { ...begun, seconds: ATTEMPT_MS / 1000 }
}

/** Returns the sign-in that a browser completes; undefined if it began none, began another one, or took too long. */
export const endAttempt = async (deps: LinkDeps, cookie: string, state: string): Promise<Attempt | undefined> => {
  const trip = await endConsent(deps.settings.secretsKeys, ATTEMPT, { cookie, state, now: deps.now() })
  const attempt = Attempt.safeParse(trip)
  return attempt.success ? attempt.data : undefined
}

import { randomBytes } from 'node:crypto'
import { sql } from 'drizzle-orm'
import type { Role } from '../../../schema/values/people.ts'
import type { AccountChanges } from '../../../src/platform/accounts/admin.ts'
import { type Api, newAccount, rowsIn, type Target } from '../../support/client.ts'
import { PATIENCE_MS } from '../../support/patience.ts'

/** Page as it arrived. */
export type Shown = { status: number; url: string; text: string; headers: Headers }

type Sent = { headers?: Record<string, string>; follow?: boolean }

/** Returns a visitor: keeps cookies, follows redirects within the service, and sends forms as a browser does. */
export const visitor = (origin: string) => {
  const cookies = new Map<string, string>()
  const address = `198.19.${randomBytes(1)[0]}.${randomBytes(1)[0]}-${randomBytes(4).toString('hex')}`

  const send = async (method: string, path: string, body: string | undefined, sent: Sent = {}): Promise<Shown> => {
    const url = new URL(path, origin)
    const response = await fetch(url, {
      method,
      redirect: 'manual',
      headers: {
        'cf-connecting-ip': address,
        cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
        ...(body === undefined ? {} : { origin, 'content-type': 'application/x-www-form-urlencoded' }),
        ...sent.headers,
      },
      ...(body === undefined ? {} : { body }),
    })
    for (const line of response.headers.getSetCookie()) {
      const [pair = ''] = line.split(';')
      const [name = '', value = ''] = [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]
      if (value === '' || /max-age=0/i.test(line)) cookies.delete(name)
      else cookies.set(name, value)
    }
    const next = response.headers.get('location') ?? /url=(.*)/.exec(response.headers.get('refresh') ?? '')?.[1] ?? null
    const shown = { status: response.status, url: url.href, text: await response.text(), headers: response.headers }
    if (next === null || sent.follow === false || new URL(next, url).origin !== origin) return shown
    return await send('GET', new URL(next, url).href, undefined)
  }

  return {
    cookies,
    get: (path: string, sent?: Sent) => send('GET', path, undefined, sent),
    post: (path: string, fields: Record<string, string>, sent?: Sent) =>
      send('POST', path, new URLSearchParams(fields).toString(), sent),
    sendBody: (path: string, body: string, sent: Sent) => send('POST', path, body, sent),
  }
}

export type Visitor = ReturnType<typeof visitor>

/** Sends a form that destroys something, and says yes on the page that asks; the page after it. */
export const sure = async (person: Visitor, path: string, fields: Record<string, string>): Promise<Shown> => {
  const asked = await person.post(path, fields)
  if (!asked.text.includes('name="confirm"')) throw new Error(`${path} did not ask:\n${asked.text}`)
  return await person.post(path, formOn(asked, path))
}

const unescaped = (text: string): string =>
  text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')

/** Returns the words of a page in one line, as a person reads them. */
export const textOf = ({ text }: Pick<Shown, 'text'>): string =>
  unescaped(text.replace(/<[^>]*>/g, ' ')).replace(/\s+/g, ' ')

/** Returns the fields of the form on a page that is sent to `action`, as they are filled in. */
export const formOn = (page: Shown, action: string): Record<string, string> => {
  const forms = page.text.match(/<form[\s\S]*?<\/form>/g) ?? []
  const form = forms.find((one) => one.includes(`action="${action}"`))
  if (form === undefined) throw new Error(`no form for ${action} on ${page.url}:\n${page.text}`)
  return Object.fromEntries(
    [...form.matchAll(/<input([^>]*)>/g)].flatMap(([, attributes = '']) => {
      const name = /name="([^"]*)"/.exec(attributes)?.[1]
      const isOff = /type="(checkbox|radio)"/.test(attributes) && !/ checked/.test(attributes)
      return name === undefined || isOff ? [] : [[name, unescaped(/value="([^"]*)"/.exec(attributes)?.[1] ?? '')]]
    }),
  )
}

type SentMail = { subject: string; text: string; headers?: Record<string, string> }

/** Returns the mails to an address, the newest first. */
export const mailsTo = async (mailUrl: string, to: string): Promise<SentMail[]> => {
  const response = await fetch(`${mailUrl}/_mails?to=${encodeURIComponent(to)}`)
  return (await response.json()) as SentMail[]
}

/** Returns the newest mail to an address that was not there `before`; waits for it, since mails go out after the answer. */
export const mailTo = async (
  mailUrl: string,
  to: string,
  subject: RegExp,
  before: readonly SentMail[] = [],
): Promise<SentMail> => {
  const until = Date.now() + PATIENCE_MS
  const seen = new Set(before.map(({ text }) => text))
  for (;;) {
    const found = (await mailsTo(mailUrl, to)).find((mail) => subject.test(mail.subject) && !seen.has(mail.text))
    if (found) return found
    if (Date.now() > until) throw new Error(`no mail to ${to}`)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

/** Returns the address of a mail's link. */
export const linkIn = ({ text }: SentMail): string => {
  const link = /https?:\/\/\S+/.exec(text)?.[0]
  if (link === undefined) throw new Error(`no link in ${text}`)
  return link
}

export const newEmail = (): string => `${randomBytes(8).toString('hex')}@people.example`

/** Opens the page that a mail leads to and chooses a password there; the page after it, or the one that says that the link has ended. */
export const choosePassword = async (person: Visitor, link: string, password: string): Promise<Shown> => {
  const { pathname } = new URL(link)
  const page = await person.get(link)
  return page.status === 400 ? page : await person.post(pathname, { ...formOn(page, pathname), password })
}

/** Returns a person who signed up with an address and chose a password. */
export const signUp = async (
  stack: { url: string; mailUrl: string },
  { email = newEmail(), password = 'correct horse battery' }: { email?: string; password?: string } = {},
) => {
  const person = visitor(stack.url)
  await person.post('/sign-up', { email })
  const page = await choosePassword(person, linkIn(await mailTo(stack.mailUrl, email, /^Confirm/)), password)
  return { person, email, page }
}

/** Returns a person who signed in with a mailed link. */
export const signInByMail = async (
  stack: { url: string; mailUrl: string },
  email = newEmail(),
  next?: string,
  headers: Record<string, string> = {},
): Promise<{ visitor: Visitor; email: string; page: Shown }> => {
  const person = visitor(stack.url)
  const before = await mailsTo(stack.mailUrl, email)
  await person.post('/sign-in/link', { email, ...(next === undefined ? {} : { next }) })
  const link = linkIn(await mailTo(stack.mailUrl, email, /^Sign in/, before))
  const page = await person.post('/sign-in/link/use', formOn(await person.get(link), '/sign-in/link/use'), { headers })
  return { visitor: person, email, page }
}

/** Returns the owner of an account that operators made: signs in with a link sent to the account's address. */
export const signInAsOwner = async (stack: Target & { mailUrl: string }, { accountId }: Api) => {
  const [account] = await rowsIn<{ email: string }>(stack, sql`select email from accounts where id = ${accountId}::int`)
  const { visitor: person, email, page } = await signInByMail(stack, account?.email)
  return { person, email, page }
}

/** Returns a new account: its owner, who is signed in, and a client of the API. */
export const newOwner = async (stack: Target & { mailUrl: string }, changes: AccountChanges = {}) => {
  const api = await newAccount(stack, changes)
  return { api, ...(await signInAsOwner(stack, api)) }
}

/** Returns a person whom an owner invited to an account, or to one site of it, and who accepted. */
export const inviteTo = async (
  stack: { url: string; mailUrl: string },
  owner: Visitor,
  role: Role,
  project?: number,
): Promise<{ person: Visitor; email: string }> => {
  const { visitor: person, email } = await signInByMail(stack)
  const page = await owner.post('/settings/people', { email, role, project: String(project ?? '') })
  if (!page.text.includes('An invitation is on its way')) throw new Error(`not invited:\n${page.text}`)
  const link = linkIn(await mailTo(stack.mailUrl, email, /^Invitation/))
  await person.post('/invitation', formOn(await person.get(link), '/invitation'))
  return { person, email }
}

/** Paths of the settings pages, the first one without forms. */
export const SETTINGS_PAGES = [
  '/settings',
  '/settings/keys',
  '/settings/applications',
  '/settings/projects',
  '/settings/integrations',
  '/settings/social',
  '/settings/people',
  '/settings/leaving',
  '/settings/provider-keys',
  '/settings/event-endpoints',
  '/settings/billing',
  '/settings/audit',
  '/settings/sessions',
  '/settings/notices',
  '/settings/profile',
  '/settings/passkeys',
]

import { type Ctx, type Deps, guardDatabase, recordingFailures, systemCtx } from '../../platform/runtime/ctx.ts'
import { type Attempt, beginAttempt, connectUrl, type Link, openLink } from './link.ts'
import type { SearchConsole } from './port.ts'
import { type Connected, connectableOf } from './queries.ts'
import { filterFor } from './rules.ts'
import { chooseSource } from './source.ts'

/** Contents of a page: a heading, text, and at most one form. */
export type Page = { title: string; lines: readonly string[]; form?: Form }

type Form = {
  action: string
  button: string
  hidden: Record<string, string>
  /** A choice of one option; `chosen` is the present one. */
  choice?: { name: string; legend: string; options: readonly string[]; chosen: string | undefined }
}

/** Path of the pages below the public address. */
export const CONNECT_PATH = '/connect/search-console'

/** Response to a request for a page. */
export type Reply =
  | { page: Page; status: 200 | 400 | 404 | 502 | 503 }
  /** Redirects the browser. `cookie` keeps the state of the sign-in at Google for some seconds. */
  | { to: string; cookie?: { value: string; seconds: number } }

export type Connectable = Connected & { next_id: string }

const problem = (status: 400 | 404 | 502 | 503, title: string, ...lines: string[]): Reply => ({
  status,
  page: { title, lines },
})

const TOO_OLD = problem(
  400,
  'This link is no longer valid',
  'Connection links are valid for an hour. Ask for a new one where you got this one.',
)

export const GONE = problem(
  404,
  'The site is not available',
  'It was archived or deleted, or its account is not active.',
)

const NOT_SET_UP = problem(
  503,
  'Not available',
  'The operator of this service has not set up Google Search Console, so nothing can be connected.',
)

/** Returns the project of a link with its connection; undefined if the project or its account is not active. */
export const projectOf = async (deps: Deps, { project, account }: Link): Promise<Connectable | undefined> => {
  const found = await guardDatabase(Promise.resolve(connectableOf(deps.db, project, account)))
  return found.rows[0] as Connectable | undefined
}

/** Returns a context for the actions of a person with a link, who need not be signed in. */
export const personCtx = (deps: Deps, account: number, defer: (work: Promise<unknown>) => void): Ctx =>
  recordingFailures(systemCtx(deps, 'person:connect-link', { id: account, plan: 'agentic', projectSlots: 0 }, defer))

/** Returns the name and address of the project’s site, for people. */
export const siteOf = ({ business_name: name, website_url: url }: Connected): string =>
  name === '' ? url : `${name} (${url})`

const connectForm = (text: string, button: string) => ({ action: CONNECT_PATH, button, hidden: { link: text } })

const connectionPage = (text: string, row: Connectable, google: SearchConsole): Page => {
  const properties = row.properties ?? []
  const sandbox = google.isSandbox
    ? ['This is a sandbox: Google is not called, no account of yours is changed, and all data is made up.']
    : []
  if (row.connection_id === null)
    return {
      title: 'Connect Google Search Console',
      lines: [
        `This connects ${siteOf(row)} to Google Search Console, so that its search queries, pages, clicks and positions can be read here. Nothing at Google is changed.`,
        'Sign in with the Google account that may see the site in Search Console. You can withdraw the access at any time, here or at https://myaccount.google.com/connections.',
        'If you did not ask for this, or do not know the site, close this page.',
        ...sandbox,
      ],
      form: connectForm(text, 'Go on to Google'),
    }
  if (row.failure === 'revoked' || row.failure === 'scope' || properties.length === 0)
    return {
      title: properties.length === 0 ? 'No property found' : 'Connect again',
      lines: [
        properties.length === 0
          ? `The Google account ${row.name ?? ''} has no verified property in Search Console. Add the site there, or connect with another account.`
          : `Google no longer accepts the access that was granted for ${siteOf(row)}.`,
        ...sandbox,
      ],
      form: connectForm(text, 'Connect again at Google'),
    }
  return {
    title: row.property === null ? 'Choose the property' : 'Google Search Console is connected',
    lines: [
      row.property === null
        ? `No property of the account covers ${row.website_url}. Choose the one to read for ${siteOf(row)}.`
        : `Search data of ${siteOf(row)} is read from ${row.property}. You can close this page.`,
      ...sandbox,
    ],
    form: {
      action: `${CONNECT_PATH}/property`,
      button: row.property === null ? 'Use this property' : 'Use the chosen property',
      hidden: { link: text },
      choice: { name: 'property', legend: 'Property', options: properties, chosen: row.property ?? undefined },
    },
  }
}

/** Returns the page for a link: the state of the connection, and the next step. */
export const showConnection = async (deps: Deps, google: SearchConsole, text: string): Promise<Reply> => {
  const link = await openLink(deps, text)
  if (!link) return TOO_OLD
  if (!google.isConfigured) return NOT_SET_UP
  const row = await projectOf(deps, link)
  return row ? { status: 200, page: connectionPage(text, row, google) } : GONE
}

/** Redirects a person to Google's consent page. */
export const goToGoogle = async (deps: Deps, google: SearchConsole, text: string): Promise<Reply> => {
  const link = await openLink(deps, text)
  if (!link) return TOO_OLD
  if (!google.isConfigured) return NOT_SET_UP
  const { cookie, state, challenge, seconds } = await beginAttempt(deps, link)
  const to = google.consentUrl({ redirectUri: callbackUrl(deps), state, challenge })
  return { to, cookie: { value: cookie, seconds } }
}

/** Returns the address to which Google redirects people. It is registered at Google for this service's client. */
export const callbackUrl = ({ settings }: Deps): string => `${settings.publicUrl}${CONNECT_PATH}/callback`

/** Chooses one of the listed properties and redirects to the page with the new state. */
export const pickProperty = async (
  deps: Deps,
  { link: text, property }: { link: string; property: string },
  defer: (work: Promise<unknown>) => void,
): Promise<Reply> => {
  const link = await openLink(deps, text)
  if (!link) return TOO_OLD
  const row = await projectOf(deps, link)
  if (!row) return GONE
  const properties = row.properties ?? []
  if (row.connection_id === null || !properties.includes(property))
    return problem(400, 'Not one of the properties', 'Go back and choose one from the list.')
  const ctx = personCtx(deps, link.account, defer)
  const choice = {
    projectId: link.project,
    accountId: link.account,
    connectionId: row.connection_id,
    property,
    filteredTo: filterFor(property, row.website_url),
    properties,
  }
  await chooseSource(ctx, choice)
  defer(deps.wakeQueue())
  return { to: await connectUrl(deps, link) }
}

/** Returns the link from which a sign-in at Google began. */
export const linkOf = (attempt: Attempt): Link => ({
  project: attempt.project,
  account: attempt.account,
  until: attempt.until,
})

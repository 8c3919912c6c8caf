import { randomBytes } from 'node:crypto'
import { type Api, newAccount, newProject, tell } from '../../support/client.ts'
import type { SharedStack } from '../../support/global.ts'

/** A project with a Google account of its own that owns its site. */
export type Owner = { api: Api; project: number; domain: string; email: string }

/** Returns a new domain, so that rules of `/_faults` meet no other test. */
const newDomain = (): string => `${randomBytes(6).toString('hex')}.example`

/** Returns a project whose site belongs to a new Google account. Nothing is connected yet. */
export const newOwner = async (
  stack: SharedStack,
  {
    settings = {},
    sites,
    website = (domain) => `https://www.${domain}`,
    api,
  }: {
    settings?: Record<string, unknown>
    sites?: (domain: string) => unknown[]
    website?: (domain: string) => string
    api?: Api
  } = {},
): Promise<Owner> => {
  const domain = newDomain()
  const account = api ?? (await newAccount(stack))
  const project = await newProject(account, { website_url: website(domain), ...settings })
  const email = `owner@${domain}`
  const owned = sites?.(domain) ?? [
    { siteUrl: 'https://another.example/', permissionLevel: 'siteOwner' },
    { siteUrl: `https://www.${domain}/`, permissionLevel: 'siteFullUser' },
    { siteUrl: `sc-domain:${domain}`, permissionLevel: 'siteOwner' },
    { siteUrl: `sc-domain:unverified-${domain}`, permissionLevel: 'siteUnverifiedUser' },
  ]
  await tell(stack.googleUrl, '/_accounts', { email, sites: owned })
  return { api: account, project, domain, email }
}

/** Returns a browser that keeps cookies of one site and follows no redirect by itself. */
export const newBrowser = () => {
  let cookie = ''
  const go = async (url: string, form?: Record<string, string>) => {
    const response = await fetch(url, {
      redirect: 'manual',
      headers: {
        'cf-connecting-ip': `198.19.${randomBytes(2).join('.')}-${randomBytes(4).toString('hex')}`,
        ...(cookie === '' ? {} : { cookie }),
        ...(form ? { origin: new URL(url).origin } : {}),
      },
      ...(form ? { method: 'POST', body: new URLSearchParams(form) } : {}),
    })
    const set = response.headers.get('set-cookie')
    if (set) cookie = set.split(';')[0] ?? ''
    const location = response.headers.get('location') ?? ''
    return { status: response.status, headers: response.headers, location, page: await response.text() }
  }
  return { go, cookie: () => cookie }
}

export type Browser = ReturnType<typeof newBrowser>

const NAMES: Record<string, string> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'" }
const plain = (text: string): string => text.replace(/&(amp|lt|gt|quot|#39);/g, (name) => NAMES[name] ?? name)

/** Returns the hidden fields of a page's form. */
export const hiddenIn = (page: string): Record<string, string> =>
  Object.fromEntries(
    [...page.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"\/?>/g)].map(([, name = '', value = '']) => [
      plain(name),
      plain(value),
    ]),
  )

/** Returns the text of a page without its tags. */
export const textIn = (page: string): string =>
  plain(page.replace(/<style>[\s\S]*?<\/style>/g, '').replace(/<[^>]+>/g, ' '))

/** From a connect_url to Google's consent page; the page and its address. */
export const goToConsent = async (browser: Browser, connectUrl: string) => {
  const shown = await browser.go(connectUrl)
  const sent = await browser.go(connectUrl.split('?')[0] ?? '', hiddenIn(shown.page))
  return { shown, consentUrl: sent.location, consent: await browser.go(sent.location) }
}

/** Answers Google's consent page. Returns the address to which Google sends the browser. */
export const answerConsent = async (
  browser: Browser,
  consentUrl: string,
  page: string,
  answer: Record<string, string>,
) => {
  const { location } = await browser.go(consentUrl.split('?')[0] ?? '', { ...hiddenIn(page), ...answer })
  return location
}

/** Returns from Google, and confirms the purpose of the connection if a page asks for it. */
export const comeBack = async (browser: Browser, back: string) => {
  const returned = await browser.go(back)
  const fields = hiddenIn(returned.page)
  return 'code' in fields ? await browser.go(back.split('?')[0] ?? '', fields) : returned
}

/** Connects as a person would: opens the address, allows access at Google, and returns. Returns the last page. */
export const connectAt = async (connectUrl: string, email: string, answer: Record<string, string> = {}) => {
  const browser = newBrowser()
  const { consentUrl, consent } = await goToConsent(browser, connectUrl)
  const back = await answerConsent(browser, consentUrl, consent.page, { email, search: 'yes', allow: 'yes', ...answer })
  const returned = await comeBack(browser, back)
  return returned.location === '' ? returned : await browser.go(returned.location)
}

/** Connects an owner's project at the stand-in's consent page. */
export const connectOwner = async ({ api, project, email }: Owner): Promise<void> => {
  const { body } = await api.post(`/projects/${project}/search-console/connect`)
  const { status, page } = await connectAt(body.connect_url as string, email)
  if (status !== 200) throw new Error(`connecting ended with ${status}: ${textIn(page)}`)
}

/** Returns a project that is connected to Search Console. */
export const newConnected = async (
  stack: SharedStack,
  options: Parameters<typeof newOwner>[1] = {},
): Promise<Owner> => {
  const owner = await newOwner(stack, options)
  await connectOwner(owner)
  return owner
}

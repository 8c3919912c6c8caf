import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { type Chromium, findChromium, launchChromium } from '../../local/browser/chromium.ts'
import { ROOT } from '../../local/root.ts'
import { PATHS } from '../../src/accounts/people/paths.ts'
import { authorizePath, pkce } from '../accounts/oauth/flow.ts'
import { startTestStack, type TestStack } from '../support/stack.ts'
import { settledPerson } from './account.ts'

/** Folder of the pictures. */
export const PICTURES = join(ROOT, '.galley/pages')

export const WIDTHS = [360, 1280] as const

/** A page for people: its path in a stack, whether one must be signed in, and its status. */
type Shown = { path: (gallery: Gallery) => string; signedIn: boolean; status?: number; scripts?: number }

const asked =
  (clientId: string): Shown['path'] =>
  ({ stack }) =>
    authorizePath({ url: stack.url, mailUrl: '' }, clientId, pkce().challenge, {
      redirect_uri: 'http://127.0.0.1:51234/callback',
    })

/** Paths that only receive forms or events, and one that shows something only with a mailed token. */
const LEFT_OUT = new Set<string>([
  PATHS.mail,
  PATHS.signOut,
  PATHS.home,
  PATHS.find,
  PATHS.calendar,
  PATHS.theme,
  PATHS.accounts,
  PATHS.accountName,
  PATHS.profileAddress,
  PATHS.profilePassword,
  PATHS.passkey,
  PATHS.stripeEvents,
  PATHS.mailEvents,
  PATHS.invitation,
  PATHS.endTheirs,
  PATHS.undo,
  PATHS.unsubscribe,
  PATHS.verify,
  PATHS.newPassword,
])

const named = Object.entries(PATHS)
  .filter(([, path]) => !LEFT_OUT.has(path))
  .map(([name, path]): [string, Shown] => [
    name,
    {
      path: () => path,
      signedIn: path.startsWith('/settings') || path === PATHS.sites,
      // The sum of a plan follows what is chosen.
      scripts: path.startsWith('/docs') || path === PATHS.billing ? 1 : 0,
    },
  ])

/** Pages: all with an address of their own, some of them with a query, and some error pages. */
export const PAGES: [string, Shown][] = [
  ...named,
  ['sign-in-passkey', { path: () => PATHS.passkey, signedIn: false, scripts: 1 }],
  ['audit-none', { path: () => `${PATHS.audit}?actor=operator&since=2999-01-01`, signedIn: true }],
  ['link-token', { path: () => `${PATHS.link}?token=made-up`, signedIn: false }],
  ['verify-absent', { path: () => `${PATHS.verify}?token=made-up`, signedIn: false, status: 400 }],
  ['new-password', { path: ({ newPassword }) => newPassword, signedIn: false }],
  ['invitation', { path: ({ invitation }) => invitation, signedIn: true }],
  ['invitation-signed-out', { path: ({ invitation }) => invitation, signedIn: false }],
  ['invitation-absent', { path: () => `${PATHS.invitation}?token=made-up`, signedIn: false, status: 404 }],
  ['consent', { path: asked('https://agents.example/client.json'), signedIn: true }],
  ['consent-refused', { path: asked('https://agents.example/missing.json'), signedIn: true, status: 400 }],
  ['unsubscribe-absent', { path: () => PATHS.unsubscribe, signedIn: false, status: 400 }],
  ['review-absent', { path: () => '/review/made-up', signedIn: false, status: 404 }],
  ['mail-absent', { path: () => PATHS.mail, signedIn: false, status: 404 }],
  ['start', { path: () => '/', signedIn: false }],
  ['docs', { path: () => '/docs', signedIn: false, scripts: 1 }],
  ['docs-concept', { path: () => '/docs/how/articles', signedIn: false, scripts: 1 }],
  ['docs-quickstart', { path: () => '/docs/quickstart', signedIn: false, scripts: 1 }],
  ['docs-operation', { path: () => '/docs/api/articles.create', signedIn: false, scripts: 1 }],
  ['docs-search', { path: () => '/docs/search?q=claim', signedIn: false, scripts: 1 }],
  ['docs-absent', { path: () => '/docs/nothing-here', signedIn: false, status: 404 }],
  ...(
    [
      ['overview', ''],
      ['calendar', '/calendar'],
      ['calendar-list', '/calendar?view=list'],
      ['plan', '/plan'],
      ['articles', '/articles'],
      ['posts', '/posts'],
      ['posts-found', '/posts?q=shed'],
      ['care', '/care'],
      ['changes', '/changes'],
      ['statements', '/statements'],
      ['articles-none', '/articles?q=nothing+like+it'],
      ['suggestions', '/suggestions'],
      ['search', '/search'],
      ['visibility', '/visibility'],
      ['backlinks', '/backlinks'],
      ['crawlers', '/crawlers'],
      ['reports', '/reports'],
      ['search-engines', '/search-engines'],
      ['import', '/import'],
      ['social', '/social'],
      ['reviews', '/reviews'],
      ['reviews-answered', '/reviews?view=answered'],
      ['crowdwork', '/crowdwork'],
      ['policy', '/policy'],
      ['settings', '/settings'],
      ['settings-writing', '/settings/writing'],
      ['settings-images', '/settings/images'],
      ['settings-links', '/settings/links'],
      ['settings-publishing', '/settings/publishing'],
      ['settings-social', '/settings/social'],
      ['settings-research', '/settings/research'],
      ['approvals', '/approvals'],
      ['deliveries', '/deliveries'],
      ['receiver', '/receiver'],
      ['setup', '/setup'],
    ] as const
  ).map(([name, path]): [string, Shown] => [
    `site-${name}`,
    { path: ({ project }) => `/p/${project}${path}`, signedIn: true, scripts: name.startsWith('calendar') ? 1 : 0 },
  ]),
  ...(
    [
      ['text', ''],
      ['check', '?tab=check'],
      ['versions', '?tab=versions'],
      ['edit', '/edit'],
      ['edit-html', '/edit?as=html'],
      ['version', '/versions/1'],
      ['deliveries', '?tab=deliveries'],
    ] as const
  ).map(([name, path]): [string, Shown] => [
    `article-${name}`,
    {
      path: ({ project, article }) => `/p/${project}/articles/${article}${path}`,
      signedIn: true,
      scripts: name === 'edit' ? 2 : 0,
    },
  ]),
  ['delivery', { path: ({ project, delivery }) => `/p/${project}/deliveries/${delivery}`, signedIn: true }],
  ['new-post', { path: ({ project }) => `/p/${project}/social/new`, signedIn: true, scripts: 1 }],
  ['post', { path: ({ project, post }) => `/p/${project}/social/${post}`, signedIn: true }],
  ['campaign', { path: ({ project, campaign }) => `/p/${project}/crowdwork/${campaign}`, signedIn: true }],
  ['sites-calendar', { path: () => PATHS.calendar, signedIn: true, scripts: 1 }],
  ['add-site', { path: () => '/setup', signedIn: true }],
  ['absent-site', { path: () => '/p/2147483647', signedIn: true, status: 404 }],
  ['absent', { path: () => '/settings/nothing-here', signedIn: true, status: 404 }],
]

export type Gallery = {
  stack: TestStack
  chromium: Chromium
  cookies: { name: string; value: string }[]
  /** A key of the person's account. */
  key: string
  /** Paths of a mailed invitation, and of a mailed link for choosing a password. */
  invitation: string
  newPassword: string
  /** A site, an article of it that is published, how it went out, a draft of a post, and a crowdwork campaign. */
  project: number
  article: number
  delivery: number
  post: number
  campaign: string
  close: () => Promise<void>
}

/** Returns a service with a signed-in person, and a browser. */
export const openGallery = async (): Promise<Gallery> => {
  mkdirSync(PICTURES, { recursive: true })
  const stack = await startTestStack()
  const chromium = await launchChromium(findChromium() ?? '')
  const { visitor, ...made } = await settledPerson(stack)
  return {
    stack,
    chromium,
    cookies: [...visitor.cookies].map(([name, value]) => ({ name, value })),
    ...made,
    close: async () => {
      chromium.kill()
      await stack.close()
    },
  }
}

import { HELP, PATHS } from '../accounts/people/paths.ts'
import type { IconName } from './icons.tsx'

/** Returns the display name of a site: its name, else its address. */
export const siteName = ({ name, url }: { name: string; url: string }): string => name || hostOf(url)

/** Returns an address without its scheme. */
export const hostOf = (url: string): string => url.replace(/^https?:\/\//, '')

/** Returns the label of a site in a list of choices. It includes the address, because two sites may have the same name. */
export const labelOf = ({ businessName, websiteUrl }: { businessName: string; websiteUrl: string }): string =>
  businessName === '' ? hostOf(websiteUrl) : `${businessName} (${hostOf(websiteUrl)})`

/** Page of a site. `go` is the key after `g` that opens it. */
type SitePage = { key: IconName; label: string; go?: string; path: (site: number) => string }

/** Returns the path of a page of a site. */
export const sitePath = (site: number, page = ''): string => `/p/${site}${page === '' ? '' : `/${page}`}`

const page = (key: IconName, label: string, path: string = key, go?: string): SitePage => ({
  key,
  label,
  path: (site) => sitePath(site, path),
  ...(go === undefined ? {} : { go }),
})

/** Pages of a site, in groups: first what everybody uses. */
export const SITE_MENU: readonly { title: string; pages: readonly SitePage[] }[] = [
  {
    title: 'Content',
    pages: [
      page('overview', 'Overview', '', 'o'),
      page('calendar', 'Calendar', 'calendar', 'c'),
      page('articles', 'Articles', 'articles', 'a'),
      page('approvals', 'Approvals'),
      page('social', 'Social'),
    ],
  },
  {
    title: 'Results',
    pages: [
      page('suggestions', 'Suggestions', 'suggestions', 's'),
      page('search', 'Search', 'search', 'r'),
      page('visibility', 'AI visibility', 'visibility', 'v'),
    ],
  },
  {
    title: 'This site',
    pages: [
      page('deliveries', 'Deliveries', 'deliveries', 'd'),
      page('policy', 'Policy'),
      page('preferences', 'Site settings', 'settings'),
    ],
  },
  {
    title: 'Extras',
    pages: [page('reviews', 'Reviews'), page('backlinks', 'Backlinks'), page('crowdwork', 'Crowdwork')],
  },
]

/** Pages of a site, in the order of the menu. */
export const SITE_PAGES: readonly SitePage[] = SITE_MENU.flatMap(({ pages }) => pages)

type Linked = { path: string; label: string }

/** Settings pages, in groups. */
export const SETTINGS_MENU: readonly { title: string; pages: readonly Linked[] }[] = [
  {
    title: 'Account',
    pages: [
      { path: PATHS.settings, label: 'Account' },
      { path: PATHS.profile, label: 'Profile' },
      { path: PATHS.passkeys, label: 'Passkeys' },
      { path: PATHS.sessions, label: 'Sessions' },
      { path: PATHS.notices, label: 'Mails' },
    ],
  },
  {
    title: 'Access',
    pages: [
      { path: PATHS.keys, label: 'API keys' },
      { path: PATHS.applications, label: 'Applications' },
      { path: PATHS.people, label: 'People' },
    ],
  },
  {
    title: 'Sites',
    pages: [
      { path: PATHS.projects, label: 'Sites' },
      { path: PATHS.integrations, label: 'Connections' },
      { path: PATHS.social, label: 'Social' },
      { path: PATHS.eventEndpoints, label: 'Event endpoints' },
    ],
  },
  {
    title: 'Money',
    pages: [
      { path: PATHS.billing, label: 'Plan' },
      { path: PATHS.providerKeys, label: 'Provider keys' },
    ],
  },
  {
    title: 'Data',
    pages: [
      { path: PATHS.audit, label: 'Audit log' },
      { path: PATHS.leaving, label: 'Export and deletion' },
    ],
  },
]

/** Help with pages, below `/docs/owners`: by the key of the menu for pages of a site, and by the path for others. */
const HELP_OF: Readonly<Record<string, string>> = {
  overview: 'overview#the-overview',
  calendar: 'calendar',
  articles: 'articles',
  approvals: 'approvals',
  social: 'social',
  suggestions: 'suggestions',
  search: 'search',
  visibility: 'visibility',
  deliveries: 'deliveries',
  policy: 'policy',
  preferences: 'site-settings',
  reviews: 'reviews',
  backlinks: 'backlinks',
  crowdwork: 'crowdwork',
  sites: 'overview#your-sites',
  '/setup': 'overview#setting-up-a-site',
  [PATHS.settings]: 'account',
  [PATHS.profile]: 'account',
  [PATHS.passkeys]: 'account#passkeys',
  [PATHS.sessions]: 'account#sessions',
  [PATHS.notices]: 'account#notices-and-mails',
  [PATHS.noticeList]: 'account#notices-and-mails',
  [PATHS.keys]: 'access#api-keys',
  [PATHS.applications]: 'access#applications',
  [PATHS.people]: 'people',
  [PATHS.projects]: 'connections#sites-of-the-account',
  [PATHS.integrations]: 'connections#connect-a-site',
  [PATHS.social]: 'connections#social-accounts',
  [PATHS.eventEndpoints]: 'connections#event-endpoints',
  [PATHS.providerKeys]: 'connections#provider-keys',
  [PATHS.billing]: 'plan',
  [PATHS.audit]: 'data#audit-log',
  [PATHS.archives]: 'data#export',
  [PATHS.leaving]: 'data#export',
}

/** Returns the address of the help with a page: the menu's key of it, or its path. */
export const helpFor = (current: string): string =>
  Object.hasOwn(HELP_OF, current) ? `/docs/owners/${HELP_OF[current]}` : HELP.trouble

import { PATHS } from '../accounts/people/paths.ts'
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

/** Pages of a site, in the order of the menu. */
export const SITE_PAGES: readonly SitePage[] = [
  { key: 'overview', label: 'Overview', go: 'o', path: (site) => sitePath(site) },
  { key: 'calendar', label: 'Calendar', go: 'c', path: (site) => sitePath(site, 'calendar') },
  { key: 'articles', label: 'Articles', go: 'a', path: (site) => sitePath(site, 'articles') },
  { key: 'approvals', label: 'Approvals', path: (site) => sitePath(site, 'approvals') },
  { key: 'suggestions', label: 'Suggestions', go: 's', path: (site) => sitePath(site, 'suggestions') },
  { key: 'search', label: 'Search', go: 'r', path: (site) => sitePath(site, 'search') },
  { key: 'visibility', label: 'AI visibility', go: 'v', path: (site) => sitePath(site, 'visibility') },
  { key: 'backlinks', label: 'Backlinks', path: (site) => sitePath(site, 'backlinks') },
  { key: 'social', label: 'Social', path: (site) => sitePath(site, 'social') },
  { key: 'reviews', label: 'Reviews', path: (site) => sitePath(site, 'reviews') },
  { key: 'crowdwork', label: 'Crowdwork', path: (site) => sitePath(site, 'crowdwork') },
  { key: 'deliveries', label: 'Deliveries', go: 'd', path: (site) => sitePath(site, 'deliveries') },
  { key: 'policy', label: 'Policy', path: (site) => sitePath(site, 'policy') },
  { key: 'preferences', label: 'Site settings', path: (site) => sitePath(site, 'settings') },
]

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
      { path: PATHS.notices, label: 'Notices' },
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

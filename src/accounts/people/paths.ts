/** Addresses of the pages people see. */
export const PATHS = {
  signIn: '/sign-in',
  /** Page to request a sign-in link by mail, and target of that link, with a button. */
  link: '/sign-in/link',
  /** Shows whether the mail that a browser waits for was accepted for delivery. */
  mail: '/sign-in/mail',
  /** Asks the browser for a passkey. */
  passkey: '/sign-in/passkey',
  signUp: '/sign-up',
  signOut: '/sign-out',
  verify: '/verify',
  reset: '/reset',
  newPassword: '/reset/new',
  /** Ends the keys, applications and invitations of a person who has just chosen a new password. */
  endTheirs: '/reset/end',
  /** The site that the person opened last, or the list of sites. */
  home: '/p',
  sites: '/sites',
  /** Finds pages, sites and articles for the palette, as JSON. */
  find: '/sites/find',
  /** Dates of all sites. */
  calendar: '/sites/calendar',
  theme: '/settings/theme',
  settings: '/settings',
  keys: '/settings/keys',
  applications: '/settings/applications',
  billing: '/settings/billing',
  stripeEvents: '/stripe/events',
  /** Events of the mail provider: whether mails arrive. */
  mailEvents: '/mail/events',
  projects: '/settings/projects',
  archives: '/settings/archives',
  integrations: '/settings/integrations',
  eventEndpoints: '/settings/event-endpoints',
  social: '/settings/social',
  providerKeys: '/settings/provider-keys',
  people: '/settings/people',
  leaving: '/settings/leaving',
  accounts: '/settings/accounts',
  accountName: '/settings/name',
  invitation: '/invitation',
  profile: '/settings/profile',
  /** Page to request a new address, and target of the mailed link, with a button. */
  profileAddress: '/settings/profile/address',
  profilePassword: '/settings/profile/password',
  /** Keys, applications and invitations that a person made, after they changed their password. */
  profileMade: '/settings/profile/made',
  audit: '/settings/audit',
  undo: '/settings/audit/undo',
  /** The notices of a person in an account, read and unread. */
  noticeList: '/notices',
  /** Choice of the notices that are mailed. */
  notices: '/settings/notices',
  /** Ends mails, also for people who are not signed in. */
  unsubscribe: '/unsubscribe',
  passkeys: '/settings/passkeys',
  sessions: '/settings/sessions',
  /** Help on keyword data, the target of `docs_url`. */
  keywordHelp: '/docs/how/search#keywords',
} as const

/** Documents that help with what a page or a mail is about. */
export const HELP = {
  trouble: '/docs/help/troubleshooting',
  connect: '/docs/guides/connect',
  approvals: '/docs/owners/approvals',
  suggestions: '/docs/owners/suggestions',
  policy: '/docs/owners/policy',
  plan: '/docs/owners/plan',
  events: '/docs/guides/events',
  keys: '/docs/http/authentication',
  clients: '/docs/clients',
} as const

/** Returns the guide that connects a platform. */
export const guideTo = (platform: string): string => `/docs/guides/${platform === 'webhook' ? 'receiver' : platform}`

/** Returns the path to open after signing in: always one of our own paths, `PATHS.home` if none or another address is given. */
export const safeNext = (next: string | undefined): string => {
  if (next === undefined || !/^\/(?!\/)[\x21-\x5b\x5d-\x7e]*$/.test(next)) return PATHS.home
  const { origin, pathname, search } = new URL(next, 'https://here.invalid')
  // The URL parser removes dots: `/.//elsewhere` becomes `//elsewhere`, which names another host.
  return origin === 'https://here.invalid' && !pathname.startsWith('//') ? `${pathname}${search}` : PATHS.home
}

/** Pages for actions that only people can take, by their names in `GET /account`. */
const PAGES_OF_PEOPLE = {
  keys: PATHS.keys,
  people: PATHS.people,
  plan: PATHS.billing,
  applications: PATHS.applications,
  export: PATHS.leaving,
} as const

type PageOfPeople = keyof typeof PAGES_OF_PEOPLE

/** Returns the addresses of the pages for actions that only people can take. */
export const pagesOfPeople = (publicUrl: string): Record<PageOfPeople, string> => {
  const addresses = Object.entries(PAGES_OF_PEOPLE).map(([name, path]) => [name, `${publicUrl}${path}`])
  return Object.fromEntries(addresses) as Record<PageOfPeople, string>
}

/** Parts of API paths that callers try for actions that only people can take. */
const TRIED: Readonly<Record<string, PageOfPeople>> = {
  keys: 'keys',
  'api-keys': 'keys',
  api_keys: 'keys',
  members: 'people',
  people: 'people',
  users: 'people',
  team: 'people',
  invitations: 'people',
  invites: 'people',
  plan: 'plan',
  plans: 'plan',
  billing: 'plan',
  subscription: 'plan',
  applications: 'applications',
  export: 'export',
  exports: 'export',
}

/** Returns the path of the page that a caller of an unknown API path probably wants; undefined if there is none. */
export const pageTriedFor = (path: string): string | undefined => {
  const part = path
    .toLowerCase()
    .split('/')
    .find((one) => Object.hasOwn(TRIED, one))
  return part === undefined ? undefined : PAGES_OF_PEOPLE[TRIED[part] as PageOfPeople]
}

/** Path of the zip of the WordPress plugin. */
export const PLUGIN_PATH = '/docs/galley-wordpress.zip'

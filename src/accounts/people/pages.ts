import { PATHS } from './paths.ts'

/** Pages for what only people do, by the names that `GET /account` gives them. */
const PAGES_OF_PEOPLE = {
  keys: PATHS.keys,
  people: PATHS.people,
  plan: PATHS.billing,
  applications: PATHS.applications,
  export: PATHS.leaving,
} as const

type PageOfPeople = keyof typeof PAGES_OF_PEOPLE

/** Returns the addresses of the pages for what only people do. */
export const pagesOfPeople = (publicUrl: string): Record<PageOfPeople, string> => {
  const addresses = Object.entries(PAGES_OF_PEOPLE).map(([name, path]) => [name, `${publicUrl}${path}`])
  return Object.fromEntries(addresses) as Record<PageOfPeople, string>
}

/** Parts of paths that callers try for what only people do. */
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

/** Returns the path of the page for what a path of the API that is none was tried for; undefined if there is none. */
export const pageTriedFor = (path: string): string | undefined => {
  const part = path
    .toLowerCase()
    .split('/')
    .find((one) => Object.hasOwn(TRIED, one))
  return part === undefined ? undefined : PAGES_OF_PEOPLE[TRIED[part] as PageOfPeople]
}

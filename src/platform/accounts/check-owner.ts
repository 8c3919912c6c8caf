import { ApiError, type ErrorExtras } from '../lib/errors.ts'

type Call = NonNullable<ErrorExtras['next_calls']>[number]

const list = (path: string, why: string): Call => ({ method: 'GET', path, why })

const PROJECTS = list(
  '/projects',
  'Lists the projects of the account. Their ids are needed to list what belongs to each.',
)

/** Kinds of things, by their names in errors: the call that lists them, and the path they are under. */
const KINDS: Readonly<Record<string, { call: Call; under?: string }>> = {
  project: { under: '/projects', call: list('/projects', 'Lists the projects of the account.') },
  article: { under: '/articles', call: list('/articles', 'Lists the articles of the account.') },
  batch: { under: '/articles/batches', call: list('/articles', 'Lists the articles of the account.') },
  integration: { under: '/integrations', call: list('/integrations', 'Lists the connected integrations.') },
  'event endpoint': {
    under: '/event-endpoints',
    call: list('/event-endpoints', 'Lists the event endpoints of the account.'),
  },
  approval: {
    under: '/approvals',
    call: list('/approvals', 'Lists the approvals that wait for a person, and those that were decided.'),
  },
  delivery: { under: '/webhook-deliveries', call: list('/webhook-deliveries', 'Lists the deliveries of the account.') },
  post: { under: '/social/posts', call: list('/social/posts', 'Lists the social posts of the account.') },
  campaign: {
    under: '/crowdwork/campaigns',
    call: list('/crowdwork/campaigns', 'Lists the campaigns of the account.'),
  },
  slot: {
    under: '/crowdwork/slots',
    call: list('/crowdwork/campaigns', 'Lists the campaigns; the slots of each are listed by its id.'),
  },
  key: { under: '/provider-keys', call: list('/provider-keys', 'Lists the saved keys.') },
  'API key': {
    under: '/keys',
    call: list('/audit-log', 'Lists the actions of the account, such as the creation of API keys.'),
  },
  export: {
    under: '/exports',
    call: list('/audit-log', 'Lists the actions of the account, such as the creation of archives.'),
  },
  import: { under: '/imports', call: list('/audit-log', 'Lists the actions of the account, such as imports.') },
  screenshot: {
    under: '/screenshots',
    call: list('/audit-log', 'Lists the actions of the account, such as screenshots.'),
  },
  account: { under: '/social/accounts', call: PROJECTS },
  suggestion: { under: '/suggestions', call: PROJECTS },
  'change set': { under: '/changes', call: PROJECTS },
  statement: { under: '/statements', call: list('/statements', 'Lists the statements of the account.') },
  prompt: { call: PROJECTS },
  review: { call: PROJECTS },
}

/** Returns the call that lists the things of a kind, for an error. */
const listOf = (what: string): Pick<ErrorExtras, 'next_calls'> => {
  const kind = KINDS[what]
  return kind ? { next_calls: [kind.call] } : {}
}

/**
 * Returns the call that lists the possible values of a path's last parameter, or of the parameter `name`.
 *
 * `params`: values of the parameters before it.
 */
export const listIn = (
  path: string,
  params: Readonly<Record<string, unknown>>,
  name?: string,
): Pick<ErrorExtras, 'next_calls'> => {
  const mark = name === undefined ? path.lastIndexOf('/:') : path.indexOf(`/:${name}`)
  if (mark < 0) return {}
  const above = path.slice(0, mark)
  const kind = Object.values(KINDS).find(({ under }) => under === above)
  if (kind) return { next_calls: [kind.call] }
  const own = above.replace(/:(\w+)/g, (_, param: string) => String(params[param] ?? ''))
  return { next_calls: [list(own, 'Lists what exists there.')] }
}

/** Result of a look-up by id in all accounts. */
type Found<T> = { row: T; mine: boolean } | undefined

/** Returns the row if it is the caller's. Throws 404 if it does not exist, and 403 if another account owns it. */
export const owned = <T>(found: Found<T>, what: string): T => {
  if (!found) throw new ApiError('not_found', `The ${what} does not exist.`, listOf(what))
  if (!found.mine) throw new ApiError('forbidden', `The ${what} belongs to another account.`)
  return found.row
}

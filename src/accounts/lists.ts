import type { ErrorExtras } from '../lib/errors.ts'

type Call = NonNullable<ErrorExtras['next_calls']>[number]

const list = (path: string, why: string): Call => ({ method: 'GET', path, why })

const PROJECTS = list('/projects', 'Lists the projects of the account; what belongs to one is listed by its id.')

/** The call that shows which things of a kind exist, by the word that errors use. */
const LISTS: Readonly<Record<string, Call>> = {
  project: list('/projects', 'Lists the projects of the account.'),
  article: list('/articles', 'Lists the articles of the account.'),
  integration: list('/integrations', 'Lists the connected integrations.'),
  delivery: list('/webhook-deliveries', 'Lists the deliveries of the account.'),
  post: list('/social/posts', 'Lists the social posts of the account.'),
  campaign: list('/crowdwork/campaigns', 'Lists the campaigns of the account.'),
  slot: list('/crowdwork/campaigns', 'Lists the campaigns; the slots of each are listed by its id.'),
  key: list('/provider-keys', 'Lists the saved keys.'),
  'API key': list('/audit-log', 'Lists what the account did, the making of its API keys among it.'),
  screenshot: list('/audit-log', 'Lists what the account did, its screenshots among it.'),
  account: PROJECTS,
  suggestion: PROJECTS,
  prompt: PROJECTS,
  review: PROJECTS,
}

/** The word for what stands under a path. */
const KINDS: Readonly<Record<string, string>> = {
  '/projects': 'project',
  '/articles': 'article',
  '/integrations': 'integration',
  '/webhook-deliveries': 'delivery',
  '/social/posts': 'post',
  '/social/accounts': 'account',
  '/crowdwork/campaigns': 'campaign',
  '/crowdwork/slots': 'slot',
  '/provider-keys': 'key',
  '/keys': 'API key',
  '/screenshots': 'screenshot',
  '/suggestions': 'suggestion',
}

/** What an error adds to show which things of a kind exist. */
export const listOf = (what: string): Pick<ErrorExtras, 'next_calls'> => {
  const call = LISTS[what]
  return call ? { next_calls: [call] } : {}
}

/**
 * The same for the path of an operation: what its last parameter can be, or the last of those before `name`. `params` fills the
 * parameters before it.
 */
export const listIn = (
  path: string,
  params: Readonly<Record<string, unknown>>,
  name?: string,
): Pick<ErrorExtras, 'next_calls'> => {
  const mark = name === undefined ? path.lastIndexOf('/:') : path.indexOf(`/:${name}`)
  if (mark < 0) return {}
  const above = path.slice(0, mark)
  const kind = KINDS[above]
  if (kind !== undefined) return listOf(kind)
  const own = above.replace(/:(\w+)/g, (_, param: string) => String(params[param] ?? ''))
  return { next_calls: [list(own, 'Lists what exists there.')] }
}

import { sql } from 'drizzle-orm'
import { beforeAll, describe, expect, inject, it } from 'vitest'
import { letInBy, register } from '../accounts/oauth/flow.ts'
import { formOn, inviteTo, newEmail, newOwner, type Visitor } from '../accounts/people/browser.ts'
import { FOR } from '../accounts/people/role-table.ts'
import { newProject, rowsIn } from '../support/client.ts'
import { changesSince, newThings, stateOf, whenScanned } from '../support/contract.ts'

const stack = inject('stack')

/** Ids of things, by the names that this file has for them. */
type Ids = Record<string, string>

/** Ids of the form of the owner's, which nothing has. */
const ABSENT: Ids = {
  site: '999999999',
  article: '999999999',
  approval: '999999999',
  change_set: '999999999',
  statement: '999999999',
  suggestion: '999999999',
  delivery: '999999999',
  post: '999999999',
  campaign: 'ffffffffffff',
  integration: '999999999',
  key: '999999999',
  endpoint: '999999999',
  archive: '999999999',
  copy: '999999999',
  invitation: '999999999',
  social: '999999999',
  account: '999999999',
  person: 'x'.repeat(32),
  session: 'x'.repeat(32),
  grant: 'x'.repeat(16),
}

/** Fields of forms that name things, with what else the form needs to get as far as reading them. */
const FIELDS: Record<string, (ids: Ids) => Record<string, string>> = {
  'POST /sites/pin': ({ site }) => ({ site: `${site}` }),
  'POST /p/:site/bulk/dates': ({ article }) => ({ [`a${article}`]: 'x', first: '2030-01-01' }),
  'POST /p/:site/bulk/publish': ({ article }) => ({ [`a${article}`]: 'x' }),
  'POST /p/:site/bulk/delete': ({ article }) => ({ [`a${article}`]: 'x' }),
  'POST /settings/keys/budget': ({ key }) => ({ id: `${key}`, article_credits: '0', scans: '0', dollars: '0' }),
  'POST /settings/keys/revoke': ({ key }) => ({ id: `${key}` }),
  'POST /settings/event-endpoints/test': ({ endpoint }) => ({ id: `${endpoint}` }),
  'POST /settings/event-endpoints/resume': ({ endpoint }) => ({ id: `${endpoint}` }),
  'POST /settings/event-endpoints/rotate': ({ endpoint }) => ({ id: `${endpoint}` }),
  'POST /settings/event-endpoints/delete': ({ endpoint }) => ({ id: `${endpoint}` }),
  'POST /settings/projects/archive': ({ site }) => ({ id: `${site}` }),
  'POST /settings/projects/unarchive': ({ site }) => ({ id: `${site}` }),
  'POST /settings/projects/keep': ({ site }) => ({ id: `${site}` }),
  'GET /settings/projects/:id/delete': ({ site }) => ({ id: `${site}` }),
  'POST /settings/projects/:id/delete': ({ site }) => ({ id: `${site}` }),
  'GET /settings/archives/:id': ({ archive }) => ({ id: `${archive}` }),
  'GET /settings/leaving/:id': ({ copy }) => ({ id: `${copy}` }),
  'POST /settings/archives/export': ({ site }) => ({ id: `${site}` }),
  'POST /settings/integrations/disconnect': ({ integration }) => ({ id: `${integration}` }),
  'POST /settings/integrations/test': ({ integration, site }) => ({ id: `${integration}`, project_id: `${site}` }),
  'POST /settings/integrations/search-console': ({ site }) => ({ project_id: `${site}` }),
  'POST /settings/integrations/search-console/disconnect': ({ site }) => ({ project_id: `${site}` }),
  'GET /settings/integrations': ({ site }) => ({ project_id: `${site}` }),
  'GET /settings/integrations/connect': ({ site }) => ({ project_id: `${site}`, platform: 'webhook' }),
  'POST /settings/integrations/connect': ({ site }) => ({
    project_id: `${site}`,
    platform: 'webhook',
    url: stack.receiverUrl,
    access_token: stack.receiverToken,
  }),
  'GET /settings/social': ({ site }) => ({ project_id: `${site}` }),
  'POST /settings/social': ({ site }) => ({ project_id: `${site}`, platform: 'x' }),
  'POST /settings/social/disconnect': ({ site, social }) => ({ project_id: `${site}`, id: `${social}` }),
  'POST /settings/social/google': ({ site }) => ({ project_id: `${site}` }),
  'POST /settings/people': ({ site }) => ({ email: newEmail(), role: 'editor', project: `${site}` }),
  'POST /settings/people/withdraw': ({ invitation }) => ({ id: `${invitation}` }),
  'POST /settings/people/role': ({ person }) => ({ person: `${person}`, role: 'member' }),
  'POST /settings/people/remove': ({ person }) => ({ person: `${person}` }),
  'POST /settings/accounts': ({ account }) => ({ account: `${account}` }),
  'POST /settings/sessions/end': ({ session }) => ({ session: `${session}` }),
  'POST /settings/applications/end': ({ grant }) => ({ grant: `${grant}` }),
  'GET /sites/find': ({ site }) => ({ site: `${site}`, q: 'a' }),
}

/** Fields that name nothing, for the forms of a site. */
const OTHERS = {
  decision: 'approved',
  comment: 'Good.',
  rating: 'OK',
  title: 'Mine',
  date: '2030-01-01',
  time: '09:00',
}

/** Parameters of paths that name things, and the ids they take. */
const named = (path: string, ids: Ids): string =>
  path
    .replace('/p/:site', `/p/${ids.site}`)
    .replace(':group', 'language')
    .replace(':revision', '1')
    .replace(
      /:(article|approval|change_set|statement|suggestion|delivery|post|campaign)\b/g,
      (_, name: string) => `${ids[name]}`,
    )

let things: Ids
let owner: Awaited<ReturnType<typeof newOwner>>
/** Another site of the owner's account. */
let second: string
/** Words of the owner's that no page shows to another account. */
let secrets: string[]
let before: [object, object]

/** Returns what the owner's account has besides the things of its sites. */
const peopleOf = async (): Promise<object> => {
  const [row] = await rowsIn<object>(
    stack,
    sql`select (select jsonb_agg(to_jsonb(k) - 'last_used_at' order by id) from api_keys k where account_id = ${things.account}::int) as keys,
      (select jsonb_agg(m order by person_id) from memberships m where account_id = ${things.account}::int) as members,
      (select jsonb_agg(i order by id) from invitations i where account_id = ${things.account}::int) as invitations,
      (select jsonb_agg(s order by id) from social_accounts s where account_id = ${things.account}::int) as social,
      (select count(*) from person_sessions where user_id = ${things.person}) as sessions,
      (select count(*) from project_exports where account_id = ${things.account}::int) as archives`,
  )
  return row ?? {}
}

beforeAll(async () => {
  owner = await newOwner(stack)
  const { api, person } = owner
  const of = await newThings(api, stack)
  await inviteTo(stack, person, 'member')
  await person.post('/settings/people', { email: newEmail(), role: 'member' })
  await letInBy(stack, person, (await register(stack)).body.client_id as string)
  const account = api.accountId
  await rowsIn(stack, sql`update accounts set project_slots = 2 where id = ${account}::int returning id`)
  second = String(await newProject(api, { backlinks_network: false }))
  await whenScanned(api, Number(second))
  await rowsIn(
    stack,
    sql`insert into account_exports (account_id, name, requested_by, state, expires_at)
      values (${account}::int, 'tenants', 'nobody', 'ready', now() + interval '7 days')`,
  )
  await rowsIn(
    stack,
    sql`insert into social_accounts (account_id, project_id, platform, remote_id, username, name, url, sealed_secrets)
      values (${account}::int, ${of.project}::int, 'bluesky', 'did:plc:tenants', 'tenants', 'Tenants', 'https://bsky.app', '')`,
  )
  const [row] = await rowsIn<Ids>(
    stack,
    sql`select p.id as person, (select id from person_sessions where user_id = p.id limit 1) as session,
      (select grant_id from oauth_grants where person_id = p.id limit 1) as grant,
      (select id::text from invitations where account_id = ${account}::int limit 1) as invitation,
      (select id::text from social_accounts where account_id = ${account}::int limit 1) as social,
      (select id::text from account_exports where account_id = ${account}::int limit 1) as copy
      from people p where p.email = ${owner.email}`,
  )
  const { project, export: archive, import: _, screenshot: __, batch: ___, ...more } = of
  const ids = Object.fromEntries(Object.entries(more).map(([name, id]) => [name, String(id)]))
  things = { ...ids, ...row, site: String(project), archive: String(archive), account: String(account) }
  expect(Object.keys(things).sort()).toEqual(Object.keys(ABSENT).sort())
  expect(Object.values(things).filter((id) => !/^[\w-]+$/.test(id))).toEqual([])
  const { body } = await api.get(`/projects/${things.site}`)
  const { hostname } = new URL((body.project as { WebsiteUrl: string }).WebsiteUrl)
  secrets = [hostname, owner.email, 'A heading', 'Garden sheds', 'Sheds stay dry', 'No clicks in the garden', 'Tenants']
  before = [await stateOf(stack, account), await peopleOf()]
})

type Asked = { route: string; ids: Ids }
type Seen = { status: number; text: string; secrets: string[] }

/** Opens a page or sends a form, and says yes if it asks. Returns what is seen, without the ids and one-time values in it. */
const seen = async (person: Visitor, { route, ids }: Asked): Promise<Seen> => {
  const [method, pattern = ''] = route.split(' ')
  const fields = FIELDS[route]?.(ids) ?? {}
  const path = named(pattern, ids).replace(':id', `${fields.id}`)
  const given = { ...(pattern.startsWith('/p/') ? OTHERS : {}), ...fields }
  const first = method === 'GET' ? person.get(`${path}?${new URLSearchParams(given)}`) : person.post(path, given)
  const asked = await first
  const shown = asked.text.includes('name="confirm"') ? await person.post(path, formOn(asked, path)) : asked
  const text = Object.values(ids)
    .filter((id) => id.length > 9)
    .reduce((all, id) => all.replaceAll(id, ''), shown.text)
    .replace(/[0-9a-f-]{36}|\w+@people\.example|value="[0-9a-f]{64}"|\d+/g, '')
  return { status: shown.status, text, secrets: secrets.filter((secret) => shown.text.includes(secret)) }
}

const below = Object.keys(FOR).filter((route) => / \/p\/:site/.test(route))
/** Routes that name a thing of a site, besides the site. */
const deeper = below.filter(
  (route) => FIELDS[route] || /:(article|approval|change_set|statement|suggestion|delivery|post|campaign)/.test(route),
)

/** Refusal of a thing of another account, which the API states too. */
const OTHERS_IS = /belongs to another account/

/** Pages that leave unknown ids out, or say in a list which were. */
const ANSWERS = /^POST \/(p\/:site\/bulk|sites\/pin)|^GET \/sites\/find/

it('every route with an id is asked', () => {
  expect(Object.keys(FIELDS).filter((route) => !(route in FOR))).toEqual([])
  expect(Object.keys(FOR).filter((route) => route.includes(':id') && !FIELDS[route])).toEqual([])
})

describe('a page or form with ids', () => {
  let outsider: Visitor
  let own: string

  beforeAll(async () => {
    const { api, person } = await newOwner(stack)
    outsider = person
    own = String(await newProject(api, { backlinks_network: false }))
  })

  /** Asks with ids of another account, and with unknown ones. The answers are the same, or the first says whose it is. */
  const isRefused = async (route: string, site?: string): Promise<void> => {
    const of = (ids: Ids): Asked => ({ route, ids: site === undefined ? ids : { ...ids, site } })
    const [theirs, unknown] = [await seen(outsider, of(things)), await seen(outsider, of(ABSENT))]
    expect(theirs.secrets, route).toEqual([])
    if (OTHERS_IS.test(theirs.text)) expect([403, 404], route).toContain(theirs.status)
    else expect(theirs, route).toEqual(unknown)
    if (!ANSWERS.test(route)) expect(unknown.status, `${route}: ${unknown.text}`).toBeGreaterThanOrEqual(400)
  }

  it.each(below)('of another account is refused: %s', (route) => isRefused(route))

  it.each(deeper)('of another account below one’s own site is refused: %s', (route) => isRefused(route, own))

  it.each(Object.keys(FIELDS).filter((route) => !below.includes(route)))(
    'of another account in fields is refused: %s',
    (route) => isRefused(route),
  )

  it.each(deeper)('of another site of the account is as one that does not exist: %s', async (route) => {
    const of = (ids: Ids): Asked => ({ route, ids: { ...ids, site: second } })
    expect(await seen(owner.person, of(things))).toEqual(await seen(owner.person, of(ABSENT)))
  })

  it('changes nothing', async () => {
    const account = Number(things.account)
    expect(await changesSince(before[0] as never, stack, account)).toEqual([])
    expect(await peopleOf()).toEqual(before[1])
  })
})

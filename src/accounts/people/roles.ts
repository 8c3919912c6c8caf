import { and, eq, type SQL, sql } from 'drizzle-orm'
import { accounts, apiKeys } from '../../../schema/accounts.ts'
import { oneOf } from '../../../schema/columns.ts'
import { memberships, people } from '../../../schema/people.ts'
import type { Role } from '../../../schema/values/people.ts'
import type { Reading, ResultOf } from '../../platform/db/steps.ts'
import { ApiError } from '../../platform/lib/errors.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import { PATHS } from './paths.ts'

/**
 * Right on the pages. `self` is for a person's own profile, sessions and notices. `read`, `edit` and `decide` are for a site.
 * `manage` is for the account with all its sites. `own` is for people, plan, export and deletion.
 */
export type Right = 'self' | 'read' | 'edit' | 'decide' | 'manage' | 'own'

/** Rights of each role. Those of an editor or a client apply to one site. */
const RIGHTS: Record<Role, readonly Right[]> = {
  owner: ['self', 'read', 'edit', 'decide', 'manage', 'own'],
  member: ['self', 'read', 'edit', 'decide', 'manage'],
  editor: ['self', 'read', 'edit'],
  client: ['self', 'read', 'decide'],
}

/** Description of each role, for people. */
export const ROLE_WORDS: Record<Role, string> = {
  owner: 'everything',
  member: 'all but people, plan, export and deletion',
  editor: 'works on the articles of one site',
  client: 'reads one site and decides its approvals',
}

/** Returns a role with "a" or "an": an editor. */
export const withArticle = (role: Role): string => `${role === 'owner' || role === 'editor' ? 'an' : 'a'} ${role}`

type Needs = readonly [page: Right, form: Right]

const SELF: Needs = ['self', 'self']
const OWN: Needs = ['own', 'own']

/**
 * Rights that the pages and the forms at a route need. `/*` matches the route and everything below it. The longest match wins. A
 * route without an entry is for owners only.
 */
const NEEDS: Readonly<Record<string, Needs>> = {
  [PATHS.home]: SELF,
  [PATHS.sites]: SELF,
  [PATHS.find]: SELF,
  [`${PATHS.sites}/*`]: SELF,
  '/setup': ['manage', 'manage'],
  '/p/:site/*': ['read', 'manage'],
  '/p/:site/setup/*': ['manage', 'manage'],
  '/p/:site/receiver': ['manage', 'manage'],
  '/p/:site/plan': ['edit', 'edit'],
  '/p/:site/import': ['edit', 'edit'],
  '/p/:site/posts/*': ['read', 'edit'],
  '/p/:site/articles/*': ['read', 'edit'],
  '/p/:site/articles/:article/edit': ['edit', 'edit'],
  '/p/:site/articles/:article/draft': ['edit', 'edit'],
  '/p/:site/articles/:article/delete': ['manage', 'manage'],
  '/p/:site/bin/*': ['manage', 'manage'],
  '/p/:site/bulk/*': ['read', 'edit'],
  '/p/:site/bulk/delete': ['manage', 'manage'],
  '/p/:site/suggestions/*': ['read', 'edit'],
  '/p/:site/deliveries/*': ['read', 'edit'],
  // A deputy may decide, whatever their role; the forms check it.
  '/p/:site/approvals/decide': ['read', 'read'],
  '/p/:site/approvals/:approval/decide': ['read', 'read'],
  '/p/:site/policy/deputy': ['manage', 'own'],
  // An editor may publish articles, and posts announce articles.
  '/p/:site/social/*': ['read', 'edit'],
  '/p/:site/social/new': ['edit', 'edit'],
  '/p/:site/social/:post/delete': ['manage', 'manage'],
  // Replies are the business's own words in public, and ratings pay.
  '/p/:site/reviews/*': ['read', 'manage'],
  '/p/:site/crowdwork/*': ['read', 'manage'],
  [PATHS.settings]: SELF,
  [`${PATHS.settings}/*`]: ['manage', 'manage'],
  [`${PATHS.profile}/*`]: SELF,
  [`${PATHS.passkeys}/*`]: SELF,
  [`${PATHS.sessions}/*`]: SELF,
  [PATHS.notices]: SELF,
  [`${PATHS.noticeList}/*`]: SELF,
  [`${PATHS.accounts}/*`]: SELF,
  [PATHS.accountName]: OWN,
  [`${PATHS.keys}/confirm`]: OWN,
  [`${PATHS.billing}/*`]: ['manage', 'own'],
  [`${PATHS.people}/*`]: ['manage', 'own'],
  // Everybody may leave an account.
  [`${PATHS.people}/remove`]: SELF,
  [`${PATHS.archives}/:id`]: OWN,
  [`${PATHS.archives}/export`]: OWN,
  [`${PATHS.projects}/keep`]: OWN,
  [`${PATHS.projects}/:id/delete`]: OWN,
  [`${PATHS.leaving}/*`]: ['manage', 'own'],
  [`${PATHS.leaving}/:id`]: OWN,
  [PATHS.endTheirs]: SELF,
  '/oauth/authorize': ['manage', 'manage'],
}

const needsOf = (route: string): Needs => {
  const own = NEEDS[route]
  if (own) return own
  for (let at = route; at !== ''; at = at.slice(0, at.lastIndexOf('/'))) {
    const found = NEEDS[`${at}/*`]
    if (found) return found
  }
  return OWN
}

/** True if a role has a right. */
export const has = (role: Role, right: Right): boolean => RIGHTS[role].includes(right)

/** True if a role may send this method to a route. A route is a pattern, such as `/p/:site/articles`. */
export const mayUse = (role: Role, method: string, route: string): boolean => {
  const [page, form] = needsOf(route)
  return has(role, method === 'GET' || method === 'HEAD' ? page : form)
}

/** True if a role may open a page, by its address. */
export const mayOpen = (role: Role, address: string): boolean =>
  mayUse(role, 'GET', address.replace(/\?.*/, '').replace(/^\/p\/\d+/, '/p/:site'))

/** Returns the one project of an editor or a client, 0 if it was deleted; null for roles that work in all projects. */
export const onlyProject = (role: Role, projectId: number | null): number | null =>
  has(role, 'manage') ? null : (projectId ?? 0)

/**
 * Person responsible for an administrative change: the one who makes it, or the maker of the calling key. `id` is null for a key
 * made by an operator, who is not a person of the account.
 */
export type Administrator = { id: string | null; email: string; role: Role; accountId: number }

const makerOf = (ctx: Ctx, owner: SQL, keyHash: string) => {
  const firstOwner = sql<string | null>`(select p.email from ${memberships} m join ${people} p on p.id = m.person_id
    where m.account_id = ${accounts.id} and m.role = 'owner' order by m.created_at, p.id limit 1)`
  return ctx.db
    .select({
      id: apiKeys.madeBy,
      email: sql<string>`coalesce(${people.email}, ${firstOwner}, ${accounts.email})`,
      role: memberships.role,
    })
    .from(apiKeys)
    .innerJoin(accounts, eq(accounts.id, apiKeys.accountId))
    .leftJoin(people, eq(people.id, apiKeys.madeBy))
    .leftJoin(memberships, and(eq(memberships.personId, apiKeys.madeBy), eq(memberships.accountId, accounts.id)))
    .where(and(eq(apiKeys.keyHash, keyHash), eq(apiKeys.accountId, owner)))
}

const administratorBy = async (
  ctx: Ctx,
  maker: Awaited<ReturnType<typeof makerOf>>[number] | undefined,
): Promise<Administrator> => {
  const { id } = await ctx.account()
  if (maker?.id === null) return { id: null, email: maker.email, role: 'owner', accountId: id }
  if (maker?.role === 'owner') return { id: maker.id, email: maker.email, role: 'owner', accountId: id }
  throw new ApiError('forbidden', 'The person who made this key no longer owns the account. Nothing was changed.', {
    instructions_for_agent: `Tell the user. An owner makes a new key at ${ctx.settings.publicUrl}/settings/keys.`,
  })
}

/**
 * Returns the person responsible for the calling key, and the results of queries from the same round trip. Throws 403 if the maker
 * of the key no longer owns the account.
 */
export const administratorOf = async <const S extends Reading = undefined>(
  ctx: Ctx,
  also?: (owner: SQL) => S,
): Promise<{ by: Administrator; results: ResultOf<S> }> => {
  const { maker, results } = await ctx.read((owner, keyHash = '') => ({
    maker: makerOf(ctx, owner, keyHash),
    results: also?.(owner),
  }))
  return { by: await administratorBy(ctx, maker[0]), results: results as ResultOf<S> }
}

/**
 * Condition: the person is now an owner of the account, or with `member` an owner or a member. Always true for an operator (null).
 *
 * A person who was removed after their page was read may no longer hand anything out. The batch must lock the account first, as all
 * changes of its people do.
 */
export const isMemberOf = (accountId: number, personId: string | null, as: 'owner' | 'member'): SQL =>
  personId === null
    ? sql`true`
    : sql`exists (select 1 from ${memberships} where ${and(
        eq(memberships.accountId, accountId),
        eq(memberships.personId, personId),
        as === 'owner' ? eq(memberships.role, as) : oneOf(memberships.role, ['owner', 'member']),
      )})`

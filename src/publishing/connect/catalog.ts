import { and, eq, sql } from 'drizzle-orm'
import { unionAll } from 'drizzle-orm/pg-core'
import { oneOf } from '../../../schema/columns.ts'
import { connections } from '../../../schema/connections.ts'
import { integrations } from '../../../schema/integrations.ts'
import { KEY_PROVIDERS, type KeyProvider } from '../../../schema/values/keywords.ts'
import { PUBLISHING_PLATFORMS, TARGET_NAMES } from '../../../schema/values/publishing.ts'
import { SOCIAL_PLATFORMS, type SocialPlatform } from '../../../schema/values/social.ts'
import { readWithProject } from '../../accounts/projects/scope.ts'
import { shownKeys } from '../../accounts/provider-keys/keys.ts'
import type { Db } from '../../platform/db/client.ts'
import { ApiError } from '../../platform/lib/errors.ts'
import { nearestName } from '../../platform/lib/text.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import { accountsReachableFrom } from '../../reach/social/accounts.ts'
import { directAccountsOf, profileOf } from '../../reach/social/parts.ts'
import type { Social } from '../../reach/social/port.ts'
import { NETWORKS, PLATFORM_ALIASES } from '../../reach/social/rules.ts'
import type { CatalogInput, ConnectInput } from './operations.ts'

/** Selects a project's active integrations and connections, without social accounts. */
const connectedTo = (db: Db, projectId: number) => {
  const shown = <Table extends typeof integrations | typeof connections>(table: Table) =>
    db
      .select({ id: table.id, platform: sql<string>`${table.platform}`.as('platform'), name: table.name })
      .from(table as typeof integrations)
      .where(and(eq(table.projectId, projectId), oneOf(table.status, ['Active'])))
  return unionAll(shown(integrations), shown(connections))
}

/** URLs of the pages on which people connect integrations. */
type ConnectPages = { integrations: string; social: string; providerKeys: string }

/** Access to social networks through their common provider, if there is one. */
export type Provided = Pick<Social, 'provider'>

type Account = { key: string; account_id: string; account_name: string }

const NO_ANSWER =
  'The provider of the social networks does not respond at the moment, so only directly connected accounts are shown.'

/** Returns the catalog key of a stored platform. Search Console is stored under its name for people. */
const keyOf = (platform: string): string => entryNamed(platform)?.key ?? platform

/**
 * Returns every account connected to a project, with the key of its catalog entry. Throws 404 and 403 for the project.
 */
const accountsOf = async (ctx: Ctx, social: Provided, projectId: number) => {
  const {
    results: { connected, keys, profiles, direct },
  } = await readWithProject(ctx, projectId, (owner) => ({
    connected: connectedTo(ctx.db, projectId),
    keys: shownKeys(ctx.db, owner),
    profiles: profileOf(ctx.db, projectId),
    direct: directAccountsOf(ctx.db, projectId),
  }))
  const reachable = async (profileId: string | undefined) => await accountsReachableFrom(social, direct, profileId)
  const found = await reachable(profiles[0]?.remoteId).catch((error: unknown) => {
    if (error instanceof ApiError) return undefined
    throw error
  })
  const networks = found ?? (await reachable(undefined))
  const accounts: Account[] = [
    ...connected.map(({ id, platform, name }) => ({
      key: keyOf(platform),
      account_id: String(id),
      account_name: name,
    })),
    ...keys.map(({ provider, masked }) => ({ key: provider, account_id: provider, account_name: masked })),
    ...networks
      .filter(({ usable }) => usable)
      .map(({ platform, id, name }) => ({ key: platform, account_id: String(id), account_name: name })),
  ]
  return { accounts, ...(found ? {} : { note: NO_ANSWER }) }
}

/** Returns the URL at which a person connects an entry to a project. */
const urlOf = ({ key, place }: Entry, project: number, pages: ConnectPages): string => {
  const urls: Record<Place, string> = {
    target: `${pages.integrations}/connect?project_id=${project}&platform=${key}`,
    search: `${pages.integrations}?project_id=${project}`,
    social: `${pages.social}?project_id=${project}`,
    keys: pages.providerKeys,
  }
  return urls[place]
}

const rowOf = (entry: Entry, accounts: readonly Account[], project: number, pages: ConnectPages) => {
  const { key, name, category } = entry
  const own = accounts.filter((account) => account.key === key).map(({ key: _, ...account }) => account)
  return { key, name, category, connected: own.length > 0, accounts: own, connect_url: urlOf(entry, project, pages) }
}

/** Returns the catalog of a project, or one category of it. Throws 404 and 403 for the project. */
export const listCatalog = async (ctx: Ctx, social: Provided, pages: ConnectPages, input: CatalogInput) => {
  const { project_id: project, category = '' } = input
  const { accounts, ...noted } = await accountsOf(ctx, social, project)
  const wanted = category.toLowerCase()
  return {
    project_id: project,
    integrations: ENTRIES.filter((entry) => wanted === '' || entry.category === wanted).map((entry) =>
      rowOf(entry, accounts, project, pages),
    ),
    ...noted,
  }
}

const stepsFor = ({ key, name, place }: Entry, project: number): string[] => {
  const open = 'Give the user connect_url and ask them to open it; they sign in to this service there.'
  const steps: Record<Place, string[]> = {
    target: [
      open,
      `They fill in what ${name} asks for and press the button. It replaces the current target of the project.`,
      `Without a page: POST /projects/${project}/integrations with platform ${key} and the fields of ${name}.`,
    ],
    search: [
      open,
      `They choose the project under “Connect ${name}”, continue, and allow reading at Google.`,
      `Without signing in here: POST /projects/${project}/search-console/connect returns a link that works for an hour.`,
    ],
    social: [
      open,
      `They choose ${name} and agree there.`,
      `Without signing in here: POST /social/accounts with project_id ${project} and platform ${key}.`,
    ],
    keys: [
      open,
      `They enter the account’s own key of ${name}. It is used for every project of the account.`,
      `Without a page: PUT /provider-keys/${key}.`,
    ],
  }
  return steps[place]
}

const unknownEntry = (given: string, project: number): ApiError => {
  const near = nearestName(given, [...ENTRIES.map(({ key }) => key), ...ENTRIES.map(({ name }) => name)])
  const hint = near === undefined ? '' : ` Did you mean ${near}?`
  const names = ENTRIES.map(({ key }) => key)
  return new ApiError('not_found', `There is no integration with this name.${hint} Available: ${names.join(', ')}.`, {
    details: [{ field: 'integration', message: `must be one of: ${names.join(', ')}`, allowed: names }],
    next_calls: [
      {
        method: 'GET',
        path: `/integrations/catalog?project_id=${project}`,
        why: 'Lists everything that can be connected.',
      },
    ],
  })
}

/**
 * Returns the page and steps to connect one integration. Throws 404 if it is unknown, and 404 and 403 for the project.
 */
export const howToConnect = async (ctx: Ctx, social: Provided, pages: ConnectPages, input: ConnectInput) => {
  const { project_id: project, integration } = input
  const { accounts, ...noted } = await accountsOf(ctx, social, project)
  const entry = entryNamed(integration)
  if (!entry) throw unknownEntry(integration, project)
  return {
    project_id: project,
    ...rowOf(entry, accounts, project, pages),
    steps: stepsFor(entry, project),
    ...noted,
  }
}

export const CATEGORIES = ['blog', 'social', 'ads', 'analytics', 'developer', 'lab'] as const

/**
 * Page on which an entry is connected: publishing targets, search data, social accounts, or API keys for keyword data.
 */
type Place = 'target' | 'search' | 'social' | 'keys'

type Entry = { key: string; name: string; category: (typeof CATEGORIES)[number]; place: Place }

const KEY_NAMES: Record<KeyProvider, string> = { dataforseo: 'DataForSEO', ahrefs: 'Ahrefs' }

/** Everything that can be connected to a project. */
const ENTRIES: readonly Entry[] = [
  ...PUBLISHING_PLATFORMS.map(
    (key): Entry => ({
      key,
      name: TARGET_NAMES[key],
      category: key === 'webhook' ? 'developer' : 'blog',
      place: 'target',
    }),
  ),
  ...SOCIAL_PLATFORMS.map((key): Entry => ({ key, name: NETWORKS[key].name, category: 'social', place: 'social' })),
  { key: 'search_console', name: 'Google Search Console', category: 'analytics', place: 'search' },
  ...KEY_PROVIDERS.map((key): Entry => ({ key, name: KEY_NAMES[key], category: 'analytics', place: 'keys' })),
]

/** Other names that callers may use for entries. */
const ALIASES: Readonly<Record<string, string>> = {
  ...(PLATFORM_ALIASES satisfies Readonly<Record<string, SocialPlatform>>),
  google_search_console: 'search_console',
  gsc: 'search_console',
}

const plain = (text: string): string => text.toLowerCase().replace(/[^a-z0-9]/g, '')

/** Returns the entry for a key or name, ignoring case, blanks and punctuation; undefined if there is none. */
export const entryNamed = (given: string): Entry | undefined => {
  const wanted = plain(given)
  const alias = Object.keys(ALIASES).find((name) => plain(name) === wanted)
  const key = alias === undefined ? undefined : ALIASES[alias]
  return ENTRIES.find((entry) => entry.key === key || plain(entry.key) === wanted || plain(entry.name) === wanted)
}

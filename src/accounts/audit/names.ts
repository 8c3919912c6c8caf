import { and, eq, inArray } from 'drizzle-orm'
import { apiKeys } from '../../../schema/accounts.ts'
import { articles } from '../../../schema/articles.ts'
import { deliveries } from '../../../schema/deliveries.ts'
import { projects } from '../../../schema/projects.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'

/** Fields of an entry that names are looked up for. */
type Entry = { actor: string; subject: string }

/** Returns the ids of one kind (`key:12`) among who acted and on what. */
const idsOf = (entries: readonly Entry[], kind: string): number[] => [
  ...new Set(
    entries
      .flatMap(({ actor, subject }) => [actor, subject])
      .filter((name) => name.startsWith(`${kind}:`))
      .map((name) => Number(name.slice(kind.length + 1)))
      .filter((id) => Number.isInteger(id) && id > 0 && id <= 2_147_483_647),
  ),
]

/** Returns the names of the keys, articles, deliveries and projects in entries, by their names in the log; one round trip. */
export const namesIn = async (ctx: Ctx, entries: readonly Entry[]): Promise<Map<string, string>> => {
  const ids = (kind: string) => idsOf(entries, kind)
  const { db } = ctx
  const [keys, written, sent, sites] = await ctx.read((owner) => [
    db
      .select({ id: apiKeys.id, name: apiKeys.name, lastFour: apiKeys.lastFour })
      .from(apiKeys)
      .where(and(eq(apiKeys.accountId, owner), inArray(apiKeys.id, ids('key')))),
    db
      .select({ id: articles.id, title: articles.title, keyword: articles.mainKeyword })
      .from(articles)
      .where(and(eq(articles.accountId, owner), inArray(articles.id, ids('article')))),
    db
      .select({ id: deliveries.id, title: articles.title, keyword: articles.mainKeyword })
      .from(deliveries)
      .innerJoin(articles, eq(articles.id, deliveries.articleId))
      .where(and(eq(deliveries.accountId, owner), inArray(deliveries.id, ids('delivery')))),
    db
      .select({ id: projects.id, name: projects.businessName, url: projects.websiteUrl })
      .from(projects)
      .where(and(eq(projects.accountId, owner), inArray(projects.id, ids('project')))),
  ])
  return new Map([
    ...keys.map(({ id, name, lastFour }) => [`key:${id}`, `key ${id}: ${name} …${lastFour}`] as const),
    ...written.map(({ id, title, keyword }) => [`article:${id}`, `article ${id}: ${title || keyword}`] as const),
    ...sent.map(({ id, title, keyword }) => [`delivery:${id}`, `delivery ${id}: ${title || keyword}`] as const),
    ...sites.map(({ id, name, url }) => [`project:${id}`, `project ${id}: ${name || url}`] as const),
  ])
}

import { and, eq, inArray, type SQL } from 'drizzle-orm'
import { apiKeys } from '../../../schema/accounts.ts'
import { approvals } from '../../../schema/approvals.ts'
import { articles } from '../../../schema/articles.ts'
import { deliveries } from '../../../schema/deliveries.ts'
import { projects } from '../../../schema/projects.ts'
import { socialPosts } from '../../../schema/social.ts'
import { suggestions } from '../../../schema/suggestions.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'

/** Fields of an entry whose names are looked up. */
type Entry = { actor: string; subject?: string }

/** Name of a thing, if it has one, and its project. */
type Named = { name?: string; project?: number }

/** Returns the ids of one kind among the actors and subjects of entries: 12 for `key:12`. */
const idsOf = (entries: readonly Entry[], kind: string): number[] => [
  ...new Set(
    entries
      .flatMap(({ actor, subject = '' }) => [actor, subject])
      .filter((name) => name.startsWith(`${kind}:`))
      .map((name) => Number(name.slice(kind.length + 1)))
      .filter((id) => Number.isInteger(id) && id > 0 && id <= 2_147_483_647),
  ),
]

/** Returns the names and projects of the actors and subjects of entries, keyed as in the log. Needs one round trip. */
export const namesIn = async (ctx: Ctx, entries: readonly Entry[]): Promise<Map<string, Named>> => {
  const ids = (kind: string) => idsOf(entries, kind)
  const { db } = ctx
  const placed = (table: typeof approvals | typeof suggestions | typeof socialPosts, kind: string, owner: SQL) =>
    db
      .select({ id: table.id, project: table.projectId })
      .from(table)
      .where(and(eq(table.accountId, owner), inArray(table.id, ids(kind))))
  const [keys, written, sent, sites, asked, suggested, posts] = await ctx.read((owner) => [
    db
      .select({ id: apiKeys.id, name: apiKeys.name, lastFour: apiKeys.lastFour })
      .from(apiKeys)
      .where(and(eq(apiKeys.accountId, owner), inArray(apiKeys.id, ids('key')))),
    db
      .select({ id: articles.id, title: articles.title, keyword: articles.mainKeyword, project: articles.projectId })
      .from(articles)
      .where(and(eq(articles.accountId, owner), inArray(articles.id, ids('article')))),
    db
      .select({
        id: deliveries.id,
        title: articles.title,
        keyword: articles.mainKeyword,
        project: deliveries.projectId,
      })
      .from(deliveries)
      .innerJoin(articles, eq(articles.id, deliveries.articleId))
      .where(and(eq(deliveries.accountId, owner), inArray(deliveries.id, ids('delivery')))),
    db
      .select({ id: projects.id, name: projects.businessName, url: projects.websiteUrl })
      .from(projects)
      .where(and(eq(projects.accountId, owner), inArray(projects.id, ids('project')))),
    placed(approvals, 'approval', owner),
    placed(suggestions, 'suggestion', owner),
    placed(socialPosts, 'social_post', owner),
  ])
  return new Map<string, Named>([
    ...keys.map(({ id, name, lastFour }) => [`key:${id}`, { name: `key ${id}: ${name} …${lastFour}` }] as const),
    ...written.map(
      ({ id, title, keyword, project }) =>
        [`article:${id}`, { name: `article ${id}: ${title || keyword}`, project }] as const,
    ),
    ...sent.map(
      ({ id, title, keyword, project }) =>
        [`delivery:${id}`, { name: `delivery ${id}: ${title || keyword}`, project }] as const,
    ),
    ...sites.map(({ id, name, url }) => [`project:${id}`, { name: name || url, project: id }] as const),
    ...asked.map(({ id, project }) => [`approval:${id}`, { project }] as const),
    ...suggested.map(({ id, project }) => [`suggestion:${id}`, { project }] as const),
    ...posts.map(({ id, project }) => [`social_post:${id}`, { project }] as const),
  ])
}

import { type SQL, sql } from 'drizzle-orm'
import { isMemberOf } from '../people/roles.ts'

/** Returns a condition: a page belongs to a site, both given by their keys. The same rule as `isOfSite`. */
export const isPageOfSite = (page: SQL, site: SQL): SQL =>
  sql`starts_with(replace(${page}, '?', '/') || '/', ${site} || '/')`

/** Returns a condition: the person is now an owner or a member of the account. The batch must lock the account first. */
export const isManagedBy = ({ id, accountId }: { id: string; accountId: number }): SQL =>
  isMemberOf(accountId, id, 'member')

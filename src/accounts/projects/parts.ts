import { type SQL, sql } from 'drizzle-orm'

/** Returns a condition: a page belongs to a site, both given by their keys. The same rule as `isOfSite`. */
export const isPageOfSite = (page: SQL, site: SQL): SQL =>
  sql`starts_with(replace(${page}, '?', '/') || '/', ${site} || '/')`

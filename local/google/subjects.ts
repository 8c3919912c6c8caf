import { type SQL, sql } from 'drizzle-orm'
import type { SqlRunner } from '../../src/platform/accounts/admin.ts'
import type { Subject } from './data.ts'

/** Returns the keywords of the projects that a Google account connected to a property. */
export type SubjectsOf = (property: string, email: string) => Promise<Subject[]>

/** Keywords of articles, oldest first, then subjects that the scan found on the site. */
const subjects = (property: string, googleSub: string): SQL => sql`
  with connected as (
    select p.id, p.language, p.topics from search_connections c
    join search_sources s on s.id = c.source_id join projects p on p.id = c.project_id
    where s.property = ${property} and c.google_sub = ${googleSub})
  select keyword, min(url) as url, min(language) as language from (
    select lower(a.main_keyword) as keyword, a.url, c.language, a.id as place from articles a join connected c on c.id = a.project_id
    union all
    select lower(topic), null, c.language, 2147483647 from connected c, unnest(string_to_array(c.topics, E'\\n')) as topic) found
  where keyword <> '' group by keyword order by min(place), keyword limit 50`

/** Reads keywords from the database of the local cloud. */
export const subjectsIn =
  (run: SqlRunner): SubjectsOf =>
  (property, email) =>
    run<Subject>(subjects(property, `sub-${email}`))

import type { Context } from 'hono'
import type { Person } from '../accounts/people/person.ts'
import type { Site } from './queries.ts'

export type PagesEnv = {
  Variables: {
    person: Person
    /** Sites of the account. The query is already running. */
    sites: Promise<readonly Site[]>
    /** Id of the person's session. */
    session: string
    provedAt: number | undefined
    requestId: string
  }
}
export type PagesContext = Context<PagesEnv>

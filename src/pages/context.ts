import type { Context } from 'hono'
import type { Person } from '../accounts/people/person.ts'
import type { Site } from './queries.ts'

export type PagesEnv = {
  Variables: {
    person: Person
    /** The sites of the account, which are being read. */
    sites: Promise<readonly Site[]>
    /** The id of their session. */
    session: string
    provedAt: number | undefined
    requestId: string
  }
}
export type PagesContext = Context<PagesEnv>

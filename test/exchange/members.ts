import { randomBytes } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { expect } from 'vitest'
import type { AccountChanges } from '../../src/accounts/admin.ts'
import { type Api, newAccount, newProject, rowsIn, type Target } from '../support/client.ts'
import { manyKeys, rowsOf, walk } from '../support/keys.ts'

/** A project that takes part in the exchange, with an account of its own. */
export type Member = { api: Api; project: number; site: string; host: string }

export const newHost = (): string => `${randomBytes(6).toString('hex')}.example`

/** No other tests write in it, so that nobody else links to a member. */
const LANGUAGE = 'English (AU)'

/** Joins the exchange with a new project; of a new account unless one is given. */
export const join = async (
  stack: Target,
  settings: Record<string, unknown> = {},
  account: AccountChanges | Api = {},
): Promise<Member> => {
  const api = 'call' in account ? account : manyKeys(stack, await newAccount(stack, account))
  const host = newHost()
  const site = (settings.website_url as string | undefined) ?? `https://${host}`
  const project = await newProject(api, {
    website_url: site,
    business_name: `Business of ${host}`,
    language: LANGUAGE,
    ...settings,
  })
  return { api, project, site, host }
}

export const linkTo = (url: string, rel?: string): string =>
  `<p>Read <a href="${url}"${rel === undefined ? '' : ` rel="${rel}"`}>about it</a> there.</p>`

/** Saves an article of a member; the answer's body. */
export const save = async (member: Member, content: string, fields: Record<string, unknown> = {}) => {
  const { status, body, text } = await member.api.post('/articles', {
    project_id: member.project,
    keyword: `keyword ${randomBytes(4).toString('hex')}`,
    content,
    ...fields,
  })
  expect(status, text).toBe(201)
  return body as { article_id: number; backlinks_processed: number; backlinks_warning?: string }
}

export const edit = async (member: Member, id: number, fields: Record<string, unknown>) => {
  const { status, body, text } = await member.api.put(`/articles/${id}`, fields)
  expect(status, text).toBe(200)
  return body as { backlinks_processed: number; backlinks_warning?: string }
}

export const statusOf = async ({ api, project }: Member): Promise<Record<string, unknown>> =>
  (await api.get(`/backlinks/status?project_id=${project}`)).body

const creditsOf = async (member: Member): Promise<unknown> => (await statusOf(member)).credits

/** Credits of members, each proved by its ledger: the entries add up to the balance, and the balance is what every answer says. */
export const provedCredits = async (...members: Member[]): Promise<number[]> => {
  const proved: number[] = []
  for (const member of members) {
    const path = `/backlinks/ledger?project_id=${member.project}&limit=200`
    const { body } = await member.api.get(path)
    const entries = body.next_offset === null ? rowsOf(body, 'entries') : await walk(member.api, path, 'entries')
    const sum = entries.reduce((total, entry) => total + (entry.delta as number), 0)
    expect(body.balance).toBe(sum)
    expect(await creditsOf(member)).toBe(sum)
    proved.push(sum)
  }
  return proved
}

/** Projects of these members whose credits are not the sum of their ledger, or whose links do not account for it. */
export const unbalanced = (stack: Target, members: readonly Member[]) =>
  rowsIn(
    stack,
    sql`select p.id, p.backlink_credits, l.sum, k.sum as links from projects p
      cross join lateral (select coalesce(sum(delta), 0)::int as sum from exchange_ledger where project_id = p.id) l
      cross join lateral (select coalesce(sum(case when from_project_id = p.id then 1 else -1 end), 0)::int as sum from exchange_links
        where p.id in (from_project_id, to_project_id) and status in ('Scheduled', 'Verified')) k
      where p.id = any(${sql.param(members.map(({ project }) => project))}::int[]) and (p.backlink_credits <> l.sum or l.sum <> k.sum)`,
  )

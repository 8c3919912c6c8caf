import { randomBytes } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { expect } from 'vitest'
import type { AccountChanges } from '../../../src/platform/accounts/admin.ts'
import { type Api, newAccount, newProject, rowsIn, type Target } from '../../support/client.ts'
import { manyKeys, rowsOf, walk } from '../../support/keys.ts'

/** A project that takes part in the exchange, with an account of its own. */
export type Member = { api: Api; project: number; site: string; host: string }

export const newHost = (): string => `${randomBytes(6).toString('hex')}.example`

/** No other test uses this language, so that no other project links to a member. */
const LANGUAGE = 'English (AU)'

/** Makes a project one that is offered: its site was scanned, and shown to be its owner's. */
const show = (stack: Target, project: number) =>
  rowsIn(
    stack,
    sql`update projects set site_scan_state = 'completed', site_read_at = now(), owner_shown_at = now() where id = ${project}::int`,
  )

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
    business_description: 'Garden sheds, for every keyword.',
    language: LANGUAGE,
    backlinks_network: true,
    ...settings,
  })
  await show(stack, project)
  return { api, project, site, host }
}

export const linkTo = (url: string, rel?: string): string =>
  `<p>Read <a href="${url}"${rel === undefined ? '' : ` rel="${rel}"`}>about it</a> there.</p>`

type Saved = {
  backlinks_processed: number
  backlinks_warning?: string
  backlinks_not_counted?: { url: string; reason: string; message: string }[]
}

/** Saves an article of a member; the answer's body. */
export const save = async (member: Member, content: string, fields: Record<string, unknown> = {}) => {
  const { status, body, text } = await member.api.post('/articles', {
    project_id: member.project,
    keyword: `keyword ${randomBytes(4).toString('hex')}`,
    content,
    ...fields,
  })
  expect(status, text).toBe(201)
  return body as Saved & { article_id: number }
}

export const edit = async (member: Member, id: number, fields: Record<string, unknown>) => {
  const { status, body, text } = await member.api.put(`/articles/${id}`, fields)
  expect(status, text).toBe(200)
  return body as Saved
}

export const statusOf = async ({ api, project }: Member): Promise<Record<string, unknown>> =>
  (await api.get(`/backlinks/status?project_id=${project}`)).body

/** Gives a member credits for as many links as a test needs. */
export const fund = (stack: Target, { project }: Member, credits: number) =>
  rowsIn(
    stack,
    sql`with paid as (insert into exchange_ledger (account_id, project_id, delta, reason)
        select account_id, id, ${credits}::int, 'welcome' from projects where id = ${project}::int returning project_id)
      update projects set backlink_credits = backlink_credits + ${credits}::int where id in (select project_id from paid)`,
  )

/** Uses up a member's credits by links of other accounts. */
export const spend = async (stack: Target, member: Member): Promise<void> => {
  const giver = await join(stack)
  for (let left = Number((await statusOf(member)).credits); left > 0; left -= 1)
    expect((await save(giver, linkTo(member.site))).backlinks_processed).toBe(1)
  expect(await statusOf(member)).toMatchObject({ credits: 0 })
}

/**
 * Returns the change of members' credits by links, each proved by its ledger.
 *
 * The entries sum up to the balance less the debt. Every answer reports this balance, and it is never below zero.
 */
export const provedCredits = async (...members: Member[]): Promise<number[]> => {
  const proved: number[] = []
  for (const member of members) {
    const path = `/backlinks/ledger?project_id=${member.project}&limit=200`
    const { body } = await member.api.get(path)
    const entries = body.next_offset === null ? rowsOf(body, 'entries') : await walk(member.api, path, 'entries')
    const sum = entries.reduce((total, entry) => total + (entry.delta as number), 0)
    expect(Number(body.balance) - Number(body.debt)).toBe(sum)
    expect(body.balance).toBeGreaterThanOrEqual(0)
    expect(await statusOf(member)).toMatchObject({ credits: body.balance, debt: body.debt })
    const given = entries.filter(({ reason }) => reason === 'welcome')
    proved.push(given.reduce((rest, entry) => rest - (entry.delta as number), sum))
  }
  return proved
}

/**
 * Returns projects of these members whose credits differ from the sum of their ledger, or whose links do not explain
 * it.
 */
export const unbalanced = (stack: Target, members: readonly Member[]) =>
  rowsIn(
    stack,
    sql`select p.id, p.backlink_credits, p.backlink_debt, l.sum, l.linked, k.sum as links from projects p
      cross join lateral (select coalesce(sum(delta), 0)::int as sum, coalesce(sum(delta) filter (where link_id is not null), 0)::int as linked
        from exchange_ledger where project_id = p.id) l
      cross join lateral (select coalesce(sum(case when from_project_id = p.id then 1 else -1 end), 0)::int as sum from exchange_links
        where p.id in (from_project_id, to_project_id) and status in ('Scheduled', 'Verified')) k
      where p.id = any(${sql.param(members.map(({ project }) => project))}::int[]) and (p.backlink_credits - p.backlink_debt <> l.sum or l.linked <> k.sum)`,
  )

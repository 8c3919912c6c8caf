import { gunzipSync } from 'node:zlib'
import { sql } from 'drizzle-orm'
import { getTableConfig } from 'drizzle-orm/pg-core'
import { describe, expect, inject, it } from 'vitest'
import { runExport } from '../../../src/accounts/people/leaving/export.ts'
import { OWN_TABLES } from '../../../src/accounts/people/leaving/tables.ts'
import { type Bucket, NO_BUCKET } from '../../../src/platform/runtime/bucket.ts'
import { systemFor } from '../../publishing/system.ts'
import { newAccount, newArticle, newProject, rowsIn } from '../../support/client.ts'
import { connectedProject, publishedArticle } from '../../support/story.ts'
import { TABLES } from '../../support/tables.ts'
import { letInBy, register, statusOf, tokensOf } from '../oauth/flow.ts'
import { formOn, linkIn, mailTo, newEmail, newOwner, signInByMail, type Visitor } from './browser.ts'

const stack = inject('stack')
const LEAVING = '/settings/leaving'

const owner = async () => {
  const { api, person, email } = await newOwner(stack)
  return { api, person, email, account: String(api.accountId) }
}

const memberIn = async (of: Visitor) => {
  const email = newEmail()
  await of.post('/settings/people', { email, role: 'member' })
  const link = linkIn(await mailTo(stack.mailUrl, email, /^Invitation/))
  const { visitor: person } = await signInByMail(stack, email, new URL(link).pathname + new URL(link).search)
  await person.post('/invitation', formOn(await person.get(link), '/invitation'))
  return { person, email }
}

/** Deletes an account, and lets its grace period end. Returns once it is erased. */
const erase = async ({ person, email, account }: Awaited<ReturnType<typeof owner>>): Promise<void> => {
  await person.post(`${LEAVING}/delete`, { account: email })
  await rowsIn(
    stack,
    sql`with due as (update account_deletions set erase_at = now() where account_id = ${account}::int returning 1)
      update outbox set run_at = now(), offered_at = null where key = ${`erase_account:${account}`} and exists (select 1 from due) returning id`,
  )
  await fetch(stack.cronUrl)
  await expect.poll(() => rowsIn(stack, sql`select id from accounts where id = ${account}::int`)).toEqual([])
}

/** Tables whose rows belong to no account, or are deleted with another row. */
const NOT_OWNED: Record<string, string> = {
  accounts: 'the account itself, last',
  subscriptions: 'goes with the account',
  account_deletions: 'goes with the account, last',
  account_exports: 'deleted with its parts in the bucket',
  memberships: 'goes with the account',
  people: 'people may work elsewhere',
  notice_choices: 'goes with the person',
  notice_settings: 'goes with the person',
  notice_cursor: 'belongs to nobody',
  retention_walks: 'belongs to nobody',
  person_credentials: 'goes with the person',
  person_passkeys: 'goes with the person',
  person_sessions: 'goes with the person',
  person_verifications: 'expires by itself',
  oauth_grants: 'ended first, with its records',
  oauth_records: 'ended first, with its grant',
  billing_events: 'names no account',
  video_searches: 'belongs to nobody',
  video_quota: 'belongs to nobody',
  receipt_keys: 'public keys of the service',
  visibility_models: 'belongs to nobody',
  visibility_slots: 'belongs to nobody; a place is free again by itself',
}

it('every table is erased, or has a reason why not', () => {
  const names = TABLES.map((table) => getTableConfig(table).name)
  const known = [...OWN_TABLES.map(({ table }) => getTableConfig(table).name), ...Object.keys(NOT_OWNED)]
  expect(names.sort()).toEqual([...new Set(known)].sort())
})

it('every table that refers to a project or its articles is erased with the project', () => {
  const parents = new Map(
    OWN_TABLES.map(({ table }) => [
      getTableConfig(table).name,
      getTableConfig(table).foreignKeys.map((key) => getTableConfig(key.reference().foreignTable).name),
    ]),
  )
  const isBelow = (name: string): boolean =>
    (parents.get(name) ?? []).some((parent) => parent === 'projects' || isBelow(parent))
  const kept = OWN_TABLES.filter(({ isOfProjects }) => !isOfProjects).map(({ table }) => getTableConfig(table).name)
  expect(kept.filter(isBelow)).toEqual([])
})

it('no secret is copied', () => {
  const copied = OWN_TABLES.filter(({ order }) => order !== undefined).flatMap(({ table, name, without = [] }) =>
    getTableConfig(table)
      .columns.map((column) => column.name)
      .filter((column) => /secret|hash$|session|password|token/.test(column) && !without.includes(column))
      .map((column) => `${name}.${column}`),
  )
  // Hashes of texts, images and addresses are no secrets.
  expect(copied).toEqual([
    'deliveries.content_hash',
    'hosted_images.hash',
    'hosted_videos.hash',
    'screenshots.url_hash',
    'screenshots.image_hash',
  ])
})

describe('a copy of the account', () => {
  it('that is made while the account is erased leaves nothing in the bucket', async () => {
    const { accountId } = await newAccount(stack)
    const [copy = { id: 0 }] = await rowsIn<{ id: number }>(
      stack,
      sql`insert into account_exports (account_id, name, requested_by, state, expires_at)
        values (${accountId}::int, 'erased-meanwhile', 'owner@people.example', 'making', now() + interval '7 days') returning id`,
    )
    const bucket = new Set<string>()
    const media: Bucket = {
      ...NO_BUCKET,
      put: async (name) => {
        bucket.add(name)
        await rowsIn(stack, sql`delete from account_exports where id = ${copy.id}::int`)
      },
      delete: async (names) => {
        for (const name of [names].flat()) bucket.delete(name)
      },
    }
    expect(await runExport(systemFor(stack, accountId, { media }), copy.id)).toEqual({ kind: 'done' })
    expect([...bucket]).toEqual([])
  })

  it('has its rows without secrets, is mailed, and is its owners’ alone', async () => {
    const { api, person, email } = await owner()
    const project = await connectedProject(api, stack)
    const articles = await Promise.all([1, 2, 3].map(() => newArticle(api, project)))
    expect((await person.post(`${LEAVING}/export`, {})).text).toContain('is being made')
    expect((await person.post(`${LEAVING}/export`, {})).status).toBe(409)
    const page = await person.get(linkIn(await mailTo(stack.mailUrl, email, /^The copy/)))
    const path = /href="(\/settings\/leaving\/\d+)"/.exec(page.text)?.[1] ?? ''

    const cookie = [...person.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const answer = await fetch(stack.url + path, { headers: { cookie } })
    expect(answer.headers.get('content-disposition')).toContain(`account-${api.accountId}.ndjson.gz`)
    const text = gunzipSync(Buffer.from(await answer.arrayBuffer())).toString()
    const lines = text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { table: string; row: { id: number } })
    const of = (table: string) => lines.filter((line) => line.table === table).map(({ row }) => row)
    expect(of('articles').map(({ id }) => id)).toEqual(articles.sort((a, b) => a - b))
    expect(of('projects')).toMatchObject([{ id: project, account_id: api.accountId }])
    expect(of('integrations')).toMatchObject([{ platform: 'webhook' }])
    expect(text).not.toMatch(/sealed_secrets|key_hash/)

    const [other, member] = [await owner(), await memberIn(person)]
    expect((await other.person.get(path)).status).toBe(404)
    expect((await member.person.get(path)).status).toBe(403)
    expect((await member.person.post(`${LEAVING}/export`, {})).status).toBe(403)
  })
})

describe('deleting the account', () => {
  it('closes it at once, and an owner can undo that', async () => {
    const { api, person, email, account } = await owner()
    const member = await memberIn(person)
    expect((await member.person.post(`${LEAVING}/delete`, { account: member.email })).status).toBe(403)
    expect((await person.post(`${LEAVING}/delete`, { account: `x${email}` })).status).toBe(400)
    expect((await api.get('/projects')).status).toBe(200)

    expect((await person.post(`${LEAVING}/delete`, { account: email })).text).toContain('The account is erased on')
    expect((await api.get('/projects')).status).toBe(401)
    expect((await mailTo(stack.mailUrl, email, /will be deleted/)).text).toContain(`the account ${email}`)
    expect((await member.person.post(`${LEAVING}/keep`, {})).status).toBe(403)
    expect((await person.post(`${LEAVING}/keep`, {})).text).toContain('The account stays')
    expect((await api.get('/projects')).status).toBe(200)
    const open = await rowsIn(
      stack,
      sql`select 1 from outbox where key = ${`erase_account:${account}`} and done_at is null`,
    )
    expect(open).toEqual([])
  })

  it('does not lift a suspension by operators', async () => {
    const { api, person, email, account } = await owner()
    await person.post(`${LEAVING}/delete`, { account: email })
    await rowsIn(stack, sql`update accounts set suspended_at = now() + interval '1 second' where id = ${account}::int`)
    await person.post(`${LEAVING}/keep`, {})
    expect((await api.get('/projects')).status).toBe(401)
  })

  it('erases everything after the grace period, and nothing of others', async () => {
    const [one, other] = [await owner(), await owner()]
    const project = await connectedProject(one.api, stack)
    await newArticle(one.api, project)
    const theirs = await newArticle(other.api, await newProject(other.api))
    const member = await memberIn(one.person)
    const guest = await signInByMail(stack)
    await one.person.post('/settings/people', { email: guest.email, role: 'owner' })
    const link = linkIn(await mailTo(stack.mailUrl, guest.email, /^Invitation/))
    await guest.visitor.post('/invitation', formOn(await guest.visitor.get(link), '/invitation'))

    await erase(one)
    const left = await rowsIn<{ count: number }>(
      stack,
      sql`select (select count(*) from projects where account_id = ${one.account}::int)
        + (select count(*) from articles where account_id = ${one.account}::int)
        + (select count(*) from audit_log where account_id = ${one.account}::int)
        + (select count(*) from outbox where account_id = ${one.account}::int)
        + (select count(*) from people where email in (${one.email}, ${member.email})) as count`,
    )
    expect(left.map(({ count }) => Number(count))).toEqual([0])
    expect(new URL((await one.person.get('/settings')).url).pathname).toBe('/sign-in')
    expect((await guest.visitor.get('/settings')).status).toBe(200)
    expect((await other.api.get(`/articles/${theirs}`)).status).toBe(200)
  })

  it('ends its applications at once, and erases their tokens; the person’s other application goes on', async () => {
    const one = await owner()
    const { visitor: guest, email } = await signInByMail(stack)
    const clientId = (await register(stack)).body.client_id as string
    const kept = await tokensOf(stack, await letInBy(stack, guest, clientId))
    await one.person.post('/settings/people', { email, role: 'owner' })
    const link = linkIn(await mailTo(stack.mailUrl, email, /^Invitation/))
    await guest.post('/invitation', formOn(await guest.get(link), '/invitation'))
    const gone = await tokensOf(stack, await letInBy(stack, guest, clientId))
    const next = await gone.refresh(gone.refreshToken)
    const tokens = [gone.accessToken, next.body.access_token as string]
    for (const one of [...tokens, kept.accessToken]) expect(await statusOf(stack, one)).toBe(200)

    await one.person.post(`${LEAVING}/delete`, { account: one.email })
    for (const one of tokens) expect(await statusOf(stack, one)).toBe(401)
    await erase(one)
    for (const one of tokens) expect(await statusOf(stack, one)).toBe(401)
    for (const one of [gone.refreshToken, next.body.refresh_token as string])
      expect(await gone.refresh(one)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
    const grant = gone.refreshToken.split(':')[1] ?? ''
    expect(await rowsIn(stack, sql`select key from oauth_records where key like ${`%:${grant}%`}`)).toEqual([])
    expect(await statusOf(stack, kept.accessToken)).toBe(200)
    expect((await kept.refresh(kept.refreshToken)).status).toBe(200)
  })
})

describe('deleting one site', () => {
  const SITES = '/settings/projects'
  const deletion = (project: number) => `${SITES}/${project}/delete`
  const siteOf = async (api: Awaited<ReturnType<typeof owner>>['api'], project: number) => {
    const { body } = await api.get(`/projects/${project}`)
    return (body.project as { WebsiteUrl: string }).WebsiteUrl.replace('https://', '')
  }

  it('archives it at once, and an owner can keep it', async () => {
    const { api, person, email } = await owner()
    const project = await connectedProject(api, stack)
    const article = await newArticle(api, project)
    const site = await siteOf(api, project)
    const [other, member] = [await owner(), await memberIn(person)]
    expect((await other.person.post(deletion(project), { site })).status).toBe(403)
    expect((await member.person.get(deletion(project))).status).toBe(403)
    expect((await member.person.post(deletion(project), { site })).status).toBe(403)
    expect((await person.post(deletion(project), { site: 'another.example' })).status).toBe(400)
    expect((await api.get('/projects')).body.projects).toMatchObject([{ ID: project }])

    expect((await person.get(deletion(project))).text).toContain('1 article with all versions')
    expect((await person.post(deletion(project), { site })).text).toContain('erased after 14 days')
    expect((await mailTo(stack.mailUrl, email, /will be deleted/)).text).toContain('asked to delete the site')
    expect(await api.post(`/articles/${article}/publish`)).toMatchObject({
      status: 409,
      body: { code: 'project_archived' },
    })
    expect(await api.post(`/projects/${project}/unarchive`)).toMatchObject({
      status: 409,
      body: { code: 'edit_conflict', retryable: false },
    })
    expect((await member.person.post(`${SITES}/keep`, { id: String(project) })).status).toBe(403)
    expect((await other.person.post(`${SITES}/keep`, { id: String(project) })).status).toBe(409)
    expect((await person.post(`${SITES}/keep`, { id: String(project) })).text).toContain('The site stays')
    expect((await api.post(`/projects/${project}/unarchive`)).status).toBe(200)
    expect((await api.get(`/articles/${article}`)).status).toBe(200)
    const open = sql`select 1 from outbox where key = ${`erase_project:${project}`} and done_at is null`
    expect(await rowsIn(stack, open)).toEqual([])
  })

  it('erases every row of it after the days, and nothing of other sites', async () => {
    const { api, person } = await owner()
    const project = await connectedProject(api, stack)
    await publishedArticle(api, project)
    const partner = await newProject(api)
    const kept = await newArticle(api, partner)
    await rowsIn(
      stack,
      sql`with given as (insert into exchange_links (from_project_id, to_project_id, status, target_url, anchor)
          values (${project}::int, ${partner}::int, 'Verified', 'https://partner.example/', 'a') returning id)
        insert into exchange_ledger (account_id, project_id, link_id, delta, reason)
        select ${api.accountId}::int, ${partner}::int, id, -1, 'link_received' from given returning id`,
    )
    await rowsIn(
      stack,
      sql`insert into exchange_commitments (article_id, to_project_id, url, anchor, reserved)
        select id, ${partner}::int, 'https://partner.example/', 'a', true from articles where project_id = ${project}::int returning id`,
    )
    await person.post(deletion(project), { site: await siteOf(api, project) })
    await rowsIn(
      stack,
      sql`with due as (update projects set erase_at = now() where id = ${project}::int returning 1)
        update outbox set run_at = now(), offered_at = null where key = ${`erase_project:${project}`} and exists (select 1 from due) returning id`,
    )
    await fetch(stack.cronUrl)
    await expect.poll(() => rowsIn(stack, sql`select id from projects where id = ${project}::int`)).toEqual([])
    const named = TABLES.map(getTableConfig).filter(({ columns }) => columns.some(({ name }) => name === 'project_id'))
    const left = named.map(
      ({ name }) => sql`select ${name}::text as name from ${sql.identifier(name)} where project_id = ${project}::int`,
    )
    expect(await rowsIn(stack, sql.join(left, sql` union all `))).toEqual([])
    expect((await api.get(`/articles/${kept}`)).status).toBe(200)
    const ledger = sql`select delta, reason, link_id from exchange_ledger where project_id = ${partner}::int and reason <> 'welcome' order by id`
    expect(await rowsIn(stack, ledger)).toEqual([
      { delta: -1, reason: 'link_received', link_id: null },
      { delta: 1, reason: 'reservation_ended', link_id: null },
    ])
  })
})

import { type SQL, sql } from 'drizzle-orm'
import { describe, expect, inject, it } from 'vitest'
import { startReceiver } from '../../../local/receiver/server.ts'
import { digestMail, endingOf, nextMorning, noticeMail } from '../../../src/accounts/notices/rules.ts'
import { queueMail, sealMail } from '../../../src/accounts/people/send-mail.ts'
import { callExecutor, cron, flush } from '../../publishing/scene.ts'
import { systemDeps } from '../../publishing/system.ts'
import { connectReceiver, newArticle, newProject, rowsIn } from '../../support/client.ts'
import { ownFaults } from '../../support/faults.ts'
import { manyKeys } from '../../support/keys.ts'
import { inviteTo, mailsTo, mailTo, newOwner, visitor } from '../people/browser.ts'

const stack = inject('stack')
const rows = <Row>(statement: SQL) => rowsIn<Row>(stack, statement)

/** Has the minute's work and all that follows from it done. */
const minute = async () => {
  await cron(stack)
  await flush(stack)
}

/** Returns a person whose article the site refused with 401. */
const refusedAtSite = async (choices: Record<string, string> = {}) => {
  const { api: first, person, email } = await newOwner(stack)
  const api = manyKeys(stack, first)
  const project = await newProject(api)
  const receiver = await startReceiver({ port: 0, token: 'notices' })
  await connectReceiver(api, project, receiver.url, 'notices')
  if (Object.keys(choices).length > 0) {
    await person.post('/settings/profile', { timezone: 'Europe/Paris' })
    expect((await person.post('/settings/notices', choices)).text).toContain('Saved.')
  }
  const faults = ownFaults(receiver.url)
  const before = await mailsTo(stack.mailUrl, email)
  const fail = async (title: string) => {
    await faults.set({ path: '/webhook', status: 401 })
    const id = await newArticle(api, project, { title })
    expect((await api.post(`/articles/${id}/publish`)).body).toMatchObject({ status: 'failed' })
    await faults.clear()
    return id
  }
  return { api, person, email, project, receiver, before, fail }
}

const sentSince = async (email: string, before: readonly unknown[]) =>
  (await mailsTo(stack.mailUrl, email)).slice(0, (await mailsTo(stack.mailUrl, email)).length - before.length)

describe('notices', () => {
  it('tell an editor of failures at their site only; the weekly digest has one site for them', async () => {
    const { api, person, project, receiver, fail } = await refusedAtSite()
    const other = await newProject(api, { business_name: 'Elsewhere' })
    const here = await inviteTo(stack, person, 'editor', project)
    const others = [await inviteTo(stack, person, 'editor', other), await inviteTo(stack, person, 'client', project)]
    await here.person.post('/settings/notices', { digest: 'weekly' })
    await fail('Sheds of oak')
    await minute()
    const mail = await mailTo(stack.mailUrl, here.email, /could not be published/)
    expect(mail.text).not.toContain('no longer accepts')
    for (const { email } of others)
      expect((await mailsTo(stack.mailUrl, email)).filter(({ text }) => text.includes('Sheds of oak'))).toEqual([])
    await rows(sql`update notice_settings set digest_at = now() - interval '1 minute'
      where person_id = (select id from people where email = ${here.email})`)
    await minute()
    const week = await mailTo(stack.mailUrl, here.email, /^Your week/)
    expect([week.text.includes('1 failed'), week.text.includes('Elsewhere')]).toEqual([true, false])
    await receiver.close()
  })

  it('report a failed publication immediately and once, and stop with the link in them', async () => {
    const { email, project, receiver, before, fail } = await refusedAtSite()
    const id = await fail('Sheds of larch')
    await minute()
    const mail = await mailTo(stack.mailUrl, email, /notices/, before)
    expect(mail.text).toContain('“Sheds of larch” could not be published.')
    expect(mail.text).toContain(`${stack.url}/p/${project}/articles/${id}`)
    expect(mail.text).toContain('no longer accepts the service’s access')
    const link = /<(.+)>/.exec(mail.headers?.['List-Unsubscribe'] ?? '')?.[1] ?? ''
    expect(mail.headers?.['List-Unsubscribe-Post']).toBe('List-Unsubscribe=One-Click')
    await minute()
    expect(await sentSince(email, before)).toHaveLength(1)
    // Looking at the page ends nothing; the one-click request of a mail program does, without cookies and `Origin`.
    const outsider = visitor(stack.url)
    const asked = await outsider.get(link)
    expect([asked.status, asked.text]).toEqual([200, expect.stringContaining('Stop these mails')])
    const ended = await fetch(link, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: 'List-Unsubscribe=One-Click',
    })
    expect([ended.status, await ended.text()]).toEqual([
      200,
      expect.stringContaining('You are not mailed any more about'),
    ])
    await fail('Sheds of oak')
    await minute()
    expect(await sentSince(email, before)).toHaveLength(1)
    expect((await fetch(`${stack.url}/unsubscribe?key=nonsense`)).status).toBe(400)
    await rows(sql`delete from people where email = ${email}`)
    expect((await fetch(link, { method: 'POST' })).status, 'the link of a deleted person').toBe(200)
    await receiver.close()
  })

  it('are collected into one mail a day, without resolved ones', async () => {
    const { api, email, receiver, before, fail } = await refusedAtSite({
      publication_failed: 'daily',
      connection_lapsed: 'never',
    })
    await fail('First failure')
    await fail('Second failure')
    const third = await fail('Third, well again')
    await minute()
    const waiting = await rows<{ due_at: string; kind: string }>(
      sql`select kind, due_at from notices where account_id = ${api.accountId}::int and ended_at is null`,
    )
    expect(waiting.map(({ kind }) => kind)).toEqual(['publication_failed', 'publication_failed', 'publication_failed'])
    const local = new Intl.DateTimeFormat('en-GB', { timeZone: 'Europe/Paris', hour: '2-digit', minute: '2-digit' })
    for (const { due_at } of waiting) expect(local.format(new Date(due_at))).toBe('08:00')
    expect(await sentSince(email, before)).toEqual([])
    expect((await api.post(`/articles/${third}/publish`)).body).toMatchObject({ status: 'published' })
    await rows(sql`update notices set due_at = now() where account_id = ${api.accountId}::int`)
    await minute()
    const mail = await mailTo(stack.mailUrl, email, /notices/, before)
    expect(mail.subject).toMatch(/^2 notices/)
    expect(mail.text).toContain('First failure')
    expect(mail.text).toContain('Second failure')
    expect(mail.text).not.toContain('Third')
    expect(await sentSince(email, before)).toHaveLength(1)
    await receiver.close()
  })

  it.each([
    [
      'a change of a live article that was not sent',
      { action: 'article.sync_failed', detail: {} },
      'A change of “Live sheds” could not be sent',
    ],
    [
      'Search Console',
      { action: 'integration.lapsed', detail: { platform: 'search_console' } },
      'Search Console (Sheds)',
    ],
    [
      'a social account',
      { action: 'social.disconnect', detail: { reason: 'revoked' } },
      'bluesky account sheds[.]example',
    ],
    ['a social account of the provider', { action: 'social.failed', detail: { lapsed: true } }, 'bluesky account acc'],
  ])('tell of %s', async (_, { action, detail }, words) => {
    const { api: first, email } = await newOwner(stack)
    const api = manyKeys(stack, first)
    const project = await newProject(api)
    const before = await mailsTo(stack.mailUrl, email)
    const of = sql`${api.accountId}::int, ${project}::int`
    const made: Record<string, () => Promise<{ id: number }[]>> = {
      article: async () => {
        const id = await newArticle(api, project, { title: 'Live sheds' })
        await rows(
          sql`update articles set status = 'Published', publish_state = 'failed', published_at = now() where id = ${id}::int`,
        )
        return [{ id }]
      },
      integration: () =>
        rows(sql`insert into connections (account_id, project_id, platform, name, url, sealed_secrets, last_error)
          values (${of}, 'Google Search Console', 'Sheds', 'https://sheds.example', '', 'revoked') returning id`),
      social_account: () =>
        rows(sql`insert into social_accounts (account_id, project_id, platform, status, remote_id, name, username, url, sealed_secrets)
          values (${of}, 'bluesky', 'Disconnected', 'did', 'Sheds', 'sheds.example', '', '') returning id`),
      social_post: () =>
        rows(sql`insert into social_posts (account_id, project_id, platform, route, social_account_id, content, status, send_key)
          values (${of}, 'bluesky', 'provider', 'acc', 'x', 'failed', 'k') returning id`),
    }
    const kind =
      { 'article.sync_failed': 'article', 'integration.lapsed': 'integration', 'social.disconnect': 'social_account' }[
        action
      ] ?? 'social_post'
    const [thing] = (await made[kind]?.()) ?? []
    await rows(sql`insert into audit_log (account_id, actor, action, subject, detail, at)
      values (${api.accountId}::int, 'job:test', ${action}, ${`${kind}:${thing?.id}`}, ${JSON.stringify(detail)}::jsonb, now())`)
    await minute()
    const mail = await mailTo(stack.mailUrl, email, /./, before)
    expect(mail.subject).toContain(words)
    await minute()
    expect(await sentSince(email, before)).toHaveLength(1)
  })

  it('send a weekly digest to people who want it', async () => {
    const { api, person, email } = await newOwner(stack)
    await newProject(api, { business_name: 'Shed makers' })
    const before = await mailsTo(stack.mailUrl, email)
    expect((await person.post('/settings/notices', { digest: 'weekly' })).text).toContain('Mornings are those of UTC')
    const owner = sql`(select person_id from memberships where account_id = ${api.accountId}::int)`
    const dueAt = async () =>
      (await rows<{ at: string }>(sql`select digest_at::text as at from notice_settings where person_id = ${owner}`))[0]
        ?.at
    const due = await dueAt()
    await person.post('/settings/profile', { timezone: 'Asia/Tokyo' })
    expect(
      Date.parse(due ?? '') - Date.parse((await dueAt()) ?? ''),
      'eight in Tokyo is earlier, or on another day',
    ).not.toBe(0)
    const moved = await dueAt()
    await person.post('/settings/profile', { timezone: 'Asia/Tokyo', name: 'Kim' })
    expect(await dueAt()).toBe(moved)
    await rows(sql`update notice_settings set digest_at = now() where person_id = ${owner}`)
    await minute()
    const mail = await mailTo(stack.mailUrl, email, /^Your week/, before)
    expect(mail.text).toContain('Shed makers: 0 published in the last seven days')
    const [next] = await rows<{ days: number }>(
      sql`select extract(epoch from digest_at - now()) / 86400 as days from notice_settings where person_id = ${owner}`,
    )
    expect(Math.round(Number(next?.days))).toBeGreaterThanOrEqual(6)
    expect(Math.round(Number(next?.days))).toBeLessThanOrEqual(8)
  })
})

it('nothing of a closed account is mailed: no digest names its sites, and a mail about it that waits is not sent', async () => {
  const { api, person, email } = await newOwner(stack)
  await newProject(api, { business_name: 'Closed sheds' })
  await person.post('/settings/notices', { digest: 'weekly' })
  const before = await mailsTo(stack.mailUrl, email)
  const deps = systemDeps(stack)
  const mail = await sealMail(deps, { to: email, subject: 'Late', text: 'Late.' }, new Date(Date.now() + 60_000))
  const queued = queueMail(mail, { now: new Date(Date.now() + 30_000), if: 'always', account: api.accountId })
  await rows(sql`update accounts set suspended_at = now() where id = ${api.accountId}::int`)
  await rows(sql`update notice_settings set digest_at = now()
    where person_id = (select person_id from memberships where account_id = ${api.accountId}::int)`)
  const [waiting] = await rows<{ id: string }>(queued)
  await minute()
  await mailTo(stack.mailUrl, email, /^Your week/, before)
  await callExecutor(stack, JSON.stringify({ outbox_id: Number(waiting?.id) }))
  const sent = await sentSince(email, before)
  expect(sent.map(({ subject }) => subject)).toEqual([expect.stringMatching(/^Your week/)])
  expect(sent[0]?.text).not.toContain('Closed sheds')
})

describe('rules of notices', () => {
  it.each([
    ['2026-01-10T05:00:00Z', 'Europe/Paris', 0, '2026-01-10T07:00:00.000Z'],
    ['2026-01-10T07:00:00Z', 'Europe/Paris', 0, '2026-01-11T07:00:00.000Z'],
    ['2026-03-28T20:00:00Z', 'Europe/Paris', 0, '2026-03-29T06:00:00.000Z'],
    ['2026-01-10T23:30:00Z', 'Asia/Tokyo', 0, '2026-01-11T23:00:00.000Z'],
    ['2026-01-10T09:00:00Z', 'UTC', 6, '2026-01-16T08:00:00.000Z'],
  ])('the morning after %s in %s', (now, zone, days, morning) => {
    expect(nextMorning(new Date(now), zone, days).toISOString()).toBe(morning)
  })

  it('line breaks in a title add no line and no header field', () => {
    const ending = endingOf('https://api.example', 'key')
    const letter = { service: 'Galley', to: 'kim@people.example', publicUrl: 'https://api.example', ending }
    const told = { kind: 'publication_failed', title: 'Sheds\r\nBcc: all@people.example', path: '/p/1' } as const
    expect(noticeMail(letter, [told]).subject).toBe('“Sheds Bcc: all@people[.]example” could not be published.')
    expect(digestMail(letter, []).text).toContain('There is no active site')
  })
})

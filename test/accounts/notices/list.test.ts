import { type SQL, sql } from 'drizzle-orm'
import { describe, expect, inject, it, vi } from 'vitest'
import { NOTICES } from '../../../src/accounts/notices/kinds.ts'
import { markRead } from '../../../src/accounts/notices/read.ts'
import { cron, flush, openScene, type Scene, write } from '../../publishing/scene.ts'
import { systemDeps } from '../../publishing/system.ts'
import { newArticle, newProject, rowsIn } from '../../support/client.ts'
import { manyKeys } from '../../support/keys.ts'
import { PATIENCE_MS } from '../../support/patience.ts'
import { formOn, inviteTo, mailsTo, mailTo, newOwner, signInAsOwner, type Visitor, visitor } from '../people/browser.ts'

const stack = inject('stack')
const rows = <Row>(statement: SQL) => rowsIn<Row>(stack, statement)

/** Has the minute's work and all that follows from it done. */
const minute = async () => {
  await cron(stack)
  await flush(stack)
}

/** Returns the sentences of a person's unread notices, newest first, and the number in the menu. */
const unreadOf = async (person: Visitor) => {
  const { text } = await person.get('/notices')
  const list = text.split('</li>').filter((row) => row.includes('Unread'))
  return {
    sentences: list.map((row) => /<span dir="auto">([^<]*)</.exec(row)?.[1] ?? ''),
    count: Number(/Notices<span class="count">(\d+)/.exec(text)?.[1] ?? 0),
  }
}

/** Does minutes of work until a person has exactly these unread notices. An open transaction of another test holds them back. */
const told = (person: Visitor, sentences: readonly string[]) =>
  vi.waitFor(
    async () => {
      await minute()
      expect((await unreadOf(person)).sentences).toEqual(sentences)
    },
    { timeout: PATIENCE_MS, interval: 50 },
  )

const entry = (account: number, action: string, subject: string, detail = {}, actor = 'job:test') =>
  rows(sql`insert into audit_log (account_id, actor, action, subject, detail, at)
    values (${account}::int, ${actor}, ${action}, ${subject}, ${JSON.stringify(detail)}::jsonb, now())`)

it('no action that reports a failure, a refusal or an end is silent, but a reply whose caller is told and a copy of a live article', () => {
  const silent = Object.entries(NOTICES).filter(([, notice]) => 'silent' in notice)
  const bad = /fail|refused|returned|expired|lapsed|waits|requested|stage$/
  expect(silent.map(([action]) => action).filter((action) => bad.test(action))).toEqual([
    'copy.attempt_failed',
    'profile.reply_refused',
    'sign_in.refused',
  ])
})

describe('the page of notices', () => {
  it('has a sentence for each action that leaves something to do, of which only the chosen are mailed', async () => {
    const { api: first, person, email } = await newOwner(stack)
    const api = manyKeys(stack, first)
    await person.post('/settings/notices', { will_not_go_out: 'never', work_failed: 'never', draft_waits: 'never' })
    const before = await mailsTo(stack.mailUrl, email)
    const project = await newProject(api, { business_name: 'Shed makers' })
    const article = await newArticle(api, project, { title: 'Oak sheds' })
    const [suggestion] = await rows<{ id: number }>(sql`insert into suggestions
      (account_id, project_id, article_id, article_title, opportunity_type, priority, reason, trigger, status)
      values (${api.accountId}::int, ${project}::int, ${article}::int, 'Oak sheds', 'thin_content', 1, 'x', '{}'::jsonb, 'failed') returning id`)
    const [post] = await rows<{ id: number }>(sql`insert into social_posts
      (account_id, project_id, platform, route, social_account_id, content, status, send_key)
      values (${api.accountId}::int, ${project}::int, 'bluesky', 'provider', 'acc', 'Sheds are nice', 'failed', 'k') returning id`)
    const cases: [string, string, object, string][] = [
      ['article.writing_failed', `article:${article}`, {}, '“Oak sheds” could not be written.'],
      ['article.written', `article:${article}`, { unfit: 'x' }, '“Oak sheds” was written with an error'],
      ['article.waits_for_policy', `article:${article}`, { rule: 'frozen' }, '“Oak sheds” does not go out on its date'],
      ['article.saved_as_draft_on_its_date', `article:${article}`, {}, '“Oak sheds” became a draft on its date.'],
      ['article.unpublish_failed', `article:${article}`, {}, '“Oak sheds” could not be taken down from the site.'],
      ['article.rollback_failed', `article:${article}`, {}, 'The earlier version of “Oak sheds” could not'],
      ['suggestion.fail', `suggestion:${suggestion?.id}`, {}, 'The rewrite of “Oak sheds” could not be made.'],
      ['project.scan_failed', `project:${project}`, {}, 'The pages of Shed makers could not be read.'],
      [
        'project.onboarding_failed',
        `project:${project}`,
        {},
        'A month of articles could not be planned for Shed makers.',
      ],
      ['social.failed', `social_post:${post?.id}`, {}, 'The post “Sheds are nice” could not be published.'],
    ]
    for (const [action, subject, detail] of cases) await entry(api.accountId, action, subject, detail)
    // These leave nothing to do.
    await entry(api.accountId, 'article.written', `article:${article}`)
    await entry(api.accountId, 'article.waits_for_policy', `article:${article}`, { rule: 'quiet_hours' })
    await entry(api.accountId, 'article.send_as_draft', `article:${article}`, {}, 'key:1')
    await told(person, cases.map(([, , , sentence]) => expect.stringContaining(sentence)).reverse())
    expect((await unreadOf(person)).count).toBe(cases.length)
    // Only failed publications are mailed: the post; the article has not failed by now.
    const mail = await mailTo(stack.mailUrl, email, /The post “Sheds are nice” could not be published/, before)
    expect(mail.text).not.toContain('Oak sheds')
  })

  it('opens a thing and marks its notice; marks all but those that came after the page', async () => {
    const { api: first, person } = await newOwner(stack)
    const api = manyKeys(stack, first)
    const project = await newProject(api)
    const articles: number[] = []
    for (const title of ['First', 'Second', 'Third']) articles.push(await newArticle(api, project, { title }))
    const fail = (n: number) => entry(api.accountId, 'article.writing_failed', `article:${articles[n]}`)
    await fail(0)
    await fail(1)
    await told(person, ['“Second” could not be written.', '“First” could not be written.'])
    const page = await person.get('/notices')
    const ids = [...page.text.matchAll(/name="id" value="(\d+)"/g)].map(([, id]) => id)
    const path = `/p/${project}/articles/${articles[1]}`
    const opened = await person.post('/notices/open', { id: ids[0] ?? '', path })
    expect(opened.text).toContain('Second')
    expect((await unreadOf(person)).sentences).toEqual(['“First” could not be written.'])
    // Another address than a page of the service is not opened.
    expect((await person.post('/notices/open', { id: ids[0] ?? '', path: 'https://elsewhere.example/' })).status).toBe(
      200,
    )
    const upTo = /name="up_to" value="(\d+)"/.exec(page.text)?.[1] ?? ''
    await fail(2)
    await told(person, ['“Third” could not be written.', '“First” could not be written.'])
    await person.post('/notices', { up_to: upTo })
    expect(await unreadOf(person)).toEqual({ sentences: ['“Third” could not be written.'], count: 1 })
    await api.del(`/articles/${articles[2]}`)
    expect((await unreadOf(person)).sentences).toEqual(['“something that is deleted now” could not be written.'])
  })

  it('shows nobody the notices of another person, or of a site that is not theirs any more', async () => {
    const { api: first, person } = await newOwner(stack)
    const api = manyKeys(stack, first)
    const [here, other] = [await newProject(api), await newProject(api)]
    const editor = await inviteTo(stack, person, 'editor', here)
    const client = await inviteTo(stack, person, 'client', here)
    const article = await newArticle(api, here, { title: 'Here' })
    const elsewhere = await newArticle(api, other, { title: 'Elsewhere' })
    for (const id of [article, elsewhere]) await entry(api.accountId, 'article.writing_failed', `article:${id}`)
    await entry(api.accountId, 'project.scan_failed', `project:${here}`)
    await vi.waitFor(
      async () => {
        await minute()
        expect((await unreadOf(person)).count).toBe(3)
      },
      { timeout: PATIENCE_MS },
    )
    expect(await unreadOf(editor.person)).toEqual({ sentences: ['“Here” could not be written.'], count: 1 })
    expect(await unreadOf(client.person)).toEqual({ sentences: [], count: 0 })
    const [own] = await rows<{ id: number; person_id: string }>(sql`select n.id, n.person_id from notices n
      join people p on p.id = n.person_id where p.email = ${editor.email}`)
    await markRead(systemDeps(stack), { personId: 'somebody', accountId: api.accountId }, { id: own?.id ?? 0 })
    await person.post('/notices', { id: String(own?.id) })
    await person.post('/notices', { up_to: '999999999' })
    expect((await unreadOf(editor.person)).count).toBe(1)
    await rows(sql`update memberships set project_id = ${other}::int
      where person_id = ${own?.person_id} and account_id = ${api.accountId}::int`)
    expect(await unreadOf(editor.person)).toEqual({ sentences: [], count: 0 })
  })
})

describe('a decision', () => {
  /** Opens a scene whose policy requires approvals, with its owner, and an editor who asked for a publication. */
  const asked = async () => {
    const scene = await openScene(stack, { publishing_status: 'Publish Immediately' })
    const owner = await signInAsOwner(stack, scene.api)
    await scene.rows(sql`insert into policies (project_id, account_id, version, needs_approval, changed_by, changed_at)
      values (${scene.projectId}::int, ${scene.api.accountId}::int, 1, 'first', 'test', now())`)
    const editor = await inviteTo(stack, owner.person, 'editor', scene.projectId)
    const article = await write(scene, { title: 'Chains wear out' })
    return { scene, owner, editor, article }
  }
  const questionOf = async (scene: Scene, article: number) =>
    ((await scene.api.get(`/approvals?article_id=${article}`)).body.approvals as { id: number }[])[0]?.id ?? 0

  /** Asks for a publication, as it is. */
  const publish = async (person: Visitor, scene: Scene, article: number) => {
    const path = `/p/${scene.projectId}/articles/${article}/publish`
    await person.post(path, formOn(await person.post(path, {}), path))
  }

  it('by a review link reaches the person who asked, and is mailed', async () => {
    const { scene, owner, editor, article } = await asked()
    const path = `/p/${scene.projectId}/approvals`
    await publish(editor.person, scene, article)
    const id = await questionOf(scene, article)
    const before = await mailsTo(stack.mailUrl, editor.email)
    const page = await owner.person.post(`${path}/${id}/link`, {})
    const link = new URL(/https?:\/\/[^\s<"]+\/review\/[\w-]+/.exec(page.text)?.[0] ?? '').pathname
    await told(owner.person, ['“Chains wear out” waits for your approval.'])
    await owner.person.post('/notices', { up_to: '999999999' })
    await visitor(stack.url).post(`${link}/decide`, { decision: 'return', name: 'Bea', comment: 'Too short.' })
    await told(editor.person, ['“Chains wear out” was sent back with a comment.'])
    expect((await unreadOf(owner.person)).sentences).toEqual([])
    await mailTo(stack.mailUrl, editor.email, /“Chains wear out” was sent back/, before)
    await scene.receiver.close()
  })

  it('on what the clock asked reaches the person who planned it, not the one who decided', async () => {
    const { scene, owner, editor, article } = await asked()
    const other = await inviteTo(stack, owner.person, 'member')
    await editor.person.post(`/p/${scene.projectId}/articles/${article}/date`, { at: '2099-01-05T09:00' })
    await scene.rows(
      sql`update articles set scheduled_at = now() - interval '1 minute', status = 'Planned' where id = ${article}::int`,
    )
    await told(owner.person, ['“Chains wear out” waits for your approval.'])
    const id = await questionOf(scene, article)
    for (const { person } of [owner, other]) await person.post('/notices', { up_to: '999999999' })
    await owner.person.post(`/p/${scene.projectId}/approvals/${id}/decide`, { decision: 'approve' })
    await told(editor.person, ['“Chains wear out” was approved.'])
    for (const { person } of [owner, other]) expect((await unreadOf(person)).sentences).toEqual([])
    await scene.receiver.close()
  })

  it('that nobody made in time reaches those who work on the site', async () => {
    const { scene, owner, editor, article } = await asked()
    await publish(editor.person, scene, article)
    const id = await questionOf(scene, article)
    await scene.rows(sql`update approvals set expires_at = now() - interval '1 minute' where id = ${id}::int`)
    await scene.rows(
      // Without its offer a run that has begun meanwhile does not put the old time back.
      sql`update outbox set run_at = now(), offered_at = null where job = 'approvals.follow' and account_id = ${scene.api.accountId}::int`,
    )
    await flush(stack, true)
    const sentence = 'Nobody approved “Chains wear out” in time, so it was not sent.'
    await told(owner.person, [sentence, '“Chains wear out” waits for your approval.'])
    await told(editor.person, [sentence])
    await scene.receiver.close()
  })
})

it('an article for which no credit is left tells the owner before its date, once', async () => {
  const { api: first, person, email } = await newOwner(stack)
  const api = manyKeys(stack, first)
  const project = await newProject(api)
  await rows(sql`update accounts set article_credits = 0 where id = ${api.accountId}::int`)
  const before = await mailsTo(stack.mailUrl, email)
  const date = new Date(Date.now() + 86_400_000).toISOString()
  const { body } = await api.post('/articles', {
    project_id: project,
    keyword: 'Sheds',
    status: 'Planned',
    scheduled_date: date,
  })
  const retry = () => rows(sql`update articles set write_after = null where id = ${Number(body.article_id)}::int`)
  for (const _ of [1, 2]) {
    await minute()
    await retry()
  }
  await told(person, ['“Sheds” could not be written.'])
  await mailTo(stack.mailUrl, email, /“Sheds” could not be written/, before)
})

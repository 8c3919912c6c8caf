import { type SQL, sql } from 'drizzle-orm'
import { afterEach, describe, expect, inject, test, vi } from 'vitest'
import { approve as decideBy } from '../../../src/accounts/approvals/decide.ts'
import { isApproved } from '../../../src/accounts/approvals/writes.ts'
import { cron, flush, openScene, passTime, type Scene, write } from '../../publishing/scene.ts'
import { systemFor } from '../../publishing/system.ts'
import { newProject } from '../../support/client.ts'
import { inviteTo, mailsTo, mailTo, newOwner, signInAsOwner, type Visitor, visitor } from '../people/browser.ts'
import { setPolicy } from '../policy/set.ts'

const stack = inject('stack')

let scene: Scene
let person: Visitor
let email: string

afterEach(() => scene.receiver.close())

/** Opens a scene whose policy requires approvals, with its owner signed in. */
const open = async (needs: 'first' | 'every'): Promise<void> => {
  scene = await openScene(stack, { publishing_status: 'Publish Immediately' })
  ;({ person, email } = await signInAsOwner(stack, scene.api))
  await scene.rows(sql`insert into policies (project_id, account_id, version, needs_approval, changed_by, changed_at)
    values (${scene.projectId}::int, ${scene.api.accountId}::int, 1, ${needs}, 'test', now())`)
}

const tick = async (): Promise<void> => {
  await cron(stack)
  await flush(stack, true)
}

const pathOf = (id: number): string => `/p/${scene.projectId}/approvals/${id}`

const decide = async (id: number, fields: Record<string, string>) => {
  const page = await person.post(`${pathOf(id)}/decide`, fields)
  await flush(stack, true)
  return page
}
const approve = (id: number) => decide(id, { decision: 'approve' })

type Approval = Record<string, unknown> & { id: number; status: string }
const approvalsOf = async (article: number): Promise<Approval[]> =>
  (await scene.api.get(`/approvals?article_id=${article}`)).body.approvals as Approval[]
const approvalOf = async (id: number): Promise<Approval> =>
  (await scene.api.get(`/approvals/${id}`)).body.approval as Approval

/** Asks by a call whether an article may go out; the id of the question. */
const asked = async (article: number): Promise<number> => {
  const { status, body } = await scene.publish(article)
  expect([status, body.status]).toEqual([202, 'awaiting_approval'])
  return Number(body.approval_id)
}

const eventsOf = async (article: number) =>
  ((await scene.api.get('/events?limit=200')).body.events as { type: string; article_id: number; detail: unknown }[])
    .filter(({ type, article_id }) => type.startsWith('approval.') && article_id === article)
    .map(({ type, detail }) => [type, detail])

/** Longest wait for the effects of an answer. */
const WAIT = { timeout: 10_000, interval: 50 }

const PAST = '2026-01-05T09:00:00Z'
const FUTURE = '2099-01-05T09:00:00Z'

describe('an article that a person has to approve', () => {
  test('waits when a call publishes it, and goes out once when it is approved', async () => {
    await open('first')
    const article = await write(scene, { title: 'Chains wear out' })
    const { status, body } = await scene.publish(article)
    expect(status).toBe(202)
    const id = Number(body.approval_id)
    expect(body).toMatchObject({
      status: 'awaiting_approval',
      article_id: article,
      approve_url: `${stack.url}${pathOf(id)}`,
      error: expect.stringContaining('waits for a person'),
    })
    expect(Date.parse(String(body.expires_at))).toBeGreaterThan(Date.now())
    expect(await scene.article(article)).toMatchObject({ Status: 'Draft', PublishState: 'awaiting_approval' })
    // The same content is one question, however often it is sent.
    expect(await asked(article)).toBe(id)
    expect(await scene.deliveries(article)).toEqual([])
    expect(await approvalOf(id)).toMatchObject({
      status: 'awaiting',
      kind: 'publish',
      article_id: article,
      live: null,
      proposed: { title: 'Chains wear out', format: 'html' },
    })
    const mail = await mailTo(stack.mailUrl, email, /^Approval wanted: Chains wear out/)
    expect(mail.text).toContain(String(body.approve_url))
    expect((await person.get(`/p/${scene.projectId}`)).text).toContain('1 thing waits for your approval')
    expect((await person.get(`/p/${scene.projectId}/approvals`)).text).toContain('Chains wear out')
    expect((await person.get(pathOf(id))).text).toContain('As it would go out')
    expect((await approve(id)).text).toContain('Approved.')
    expect(await scene.article(article)).toMatchObject({ Status: 'Published', PublishState: 'idle' })
    expect(await scene.deliveries(article)).toHaveLength(1)
    expect(await approvalOf(id)).toMatchObject({ status: 'used', decided_by: email })
    await person.post('/settings/profile', { name: 'Robin Moss' })
    expect((await person.get(pathOf(id))).text, 'people see the name').toMatch(/Decided by<\/dt><dd[^>]*>Robin Moss/)
    expect((await approve(id)).text).toContain('already decided')
    expect(await scene.deliveries(article)).toHaveLength(1)
    expect((await eventsOf(article)).map(([type]) => type)).toEqual([
      'approval.requested',
      'approval.approved',
      'approval.used',
    ])
    // The policy asks about the first publication alone.
    const synced = await scene.api.post(`/articles/${article}/sync`, { title: 'Chains wear' })
    expect(synced.status).toBe(200)
  })

  test('waits on its date, and one that is approved before its date goes out then', async () => {
    await open('every')
    const late = await write(scene, { status: 'Planned', scheduled_date: PAST })
    const next = await write(scene, { status: 'Planned', scheduled_date: PAST })
    await tick()
    await tick()
    for (const article of [late, next]) {
      expect(await scene.article(article)).toMatchObject({ Status: 'Planned', PublishState: 'awaiting_approval' })
      const [question, ...others] = await approvalsOf(article)
      expect(others).toEqual([])
      await approve(Number(question?.id))
      expect(await scene.article(article)).toMatchObject({ Status: 'Published' })
      expect(await scene.deliveries(article)).toHaveLength(1)
    }
    const future = await write(scene, { status: 'Planned', scheduled_date: FUTURE })
    const question = await asked(future)
    const revoke = (at: SQL) =>
      scene.rows(sql`update api_keys set revoked_at = ${at} where account_id = ${scene.api.accountId}::int`)
    // A person approved it, so it goes out even if the key that asked is revoked.
    await revoke(sql`now()`)
    await approve(question)
    await tick()
    await revoke(sql`null`)
    expect(await scene.article(future)).toMatchObject({ Status: 'Planned', PublishState: 'idle' })
    await scene.rows(sql`update articles set scheduled_at = ${PAST}::timestamptz where id = ${future}::int`)
    await revoke(sql`now()`)
    await tick()
    await revoke(sql`null`)
    expect(await scene.article(future)).toMatchObject({ Status: 'Published' })
    expect(await scene.deliveries(future)).toHaveLength(1)
  })

  test('is returned with a comment; a change requests approval again', async () => {
    await open('every')
    const article = await write(scene, { status: 'Planned', scheduled_date: PAST })
    await tick()
    const [first] = await approvalsOf(article)
    expect((await decide(Number(first?.id), { decision: 'return', comment: ' ' })).text).toContain(
      'Say in the comment what to change. Nothing was decided.',
    )
    await decide(Number(first?.id), { decision: 'return', comment: 'Name the tool.' })
    expect(await scene.article(article)).toMatchObject({
      PublishState: 'failed',
      PublishError: `Returned by ${email}: Name the tool.`,
    })
    expect(await approvalOf(Number(first?.id))).toMatchObject({ status: 'returned', comment: 'Name the tool.' })
    const site = `/p/${scene.projectId}`
    for (const path of [`/articles/${article}`, '/articles', '']) {
      const { text } = await person.get(site + path)
      expect([path, text.includes('Sent back'), text.includes('Failed<')]).toEqual([path, true, false])
    }
    const { text: back } = await person.get(`${site}/articles/${article}`)
    expect(back).toMatch(/Name the tool\..*Change the text/s)
    expect(back).not.toMatch(/failed or unknown|did not go out/)
    expect(await eventsOf(article)).toContainEqual([
      'approval.returned',
      { kind: 'publish', article_id: article, comment: 'Name the tool.' },
    ])
    await tick()
    expect(await approvalsOf(article)).toHaveLength(1)
    await scene.api.put(`/articles/${article}`, { title: 'With the tool' })
    await tick()
    const [second] = await approvalsOf(article)
    expect(second).toMatchObject({ status: 'awaiting', title: 'With the tool' })
    expect(await scene.deliveries(article)).toEqual([])
  })

  test('needs a new approval when its text or its target changes', async () => {
    await open('every')
    const article = await write(scene)
    const first = await asked(article)
    await scene.api.put(`/articles/${article}`, { title: 'Changed' })
    await flush(stack, true)
    const [second] = await approvalsOf(article)
    expect([second?.status, second?.title, (await approvalOf(first)).status]).toEqual([
      'awaiting',
      'Changed',
      'superseded',
    ])
    expect((await approve(first)).text).toContain('its text has changed')
    // A byline is sent with the article, and no save of the article changes it.
    await scene.api.put(`/projects/${scene.projectId}`, { custom_author_name: 'Ann' })
    await approve(Number(second?.id))
    expect(await scene.deliveries(article)).toEqual([])
    const [third] = await approvalsOf(article)
    expect(third).toMatchObject({ status: 'awaiting' })
    await approve(Number(third?.id))
    expect(await scene.posts()).toMatchObject([{ article_id: String(article), title: 'Changed' }])
    expect(await scene.deliveries(article)).toHaveLength(1)
  })

  test('is reported to a second owner after a day, once', async () => {
    await open('every')
    const { email: second } = await newOwner(stack)
    await scene.rows(sql`insert into memberships (person_id, account_id, role)
      select id, ${scene.api.accountId}::int, 'owner' from people where email = ${second}`)
    const id = await asked(await write(scene, { title: 'Left alone' }))
    await mailTo(stack.mailUrl, second, /^Approval wanted: Left alone/)
    // The stack's days are shorter: this is more than one of them, and fewer than five.
    await scene.rows(sql`update approvals set created_at = created_at - interval '5 hours' where id = ${id}::int`)
    for (let run = 0; run < 2; run += 1) {
      await passTime(scene)
      await tick()
    }
    expect((await mailTo(stack.mailUrl, second, /^Still waiting: approval wanted/)).text).toContain(pathOf(id))
    const subjects = async (to: string) => (await mailsTo(stack.mailUrl, to)).map(({ subject }) => subject)
    const told = 'Approval wanted: Left alone'
    expect((await subjects(second)).filter((subject) => subject.includes('Left alone'))).toHaveLength(2)
    expect((await subjects(email)).filter((subject) => subject.includes('Left alone'))).toEqual([told])
  })

  test('is warned of by mail to everybody after five days, once; editors are told that nobody decided', async () => {
    await open('every')
    const editor = await inviteTo(stack, person, 'editor', scene.projectId)
    const article = await write(scene, { title: 'Almost over' })
    const id = await asked(article)
    await mailTo(stack.mailUrl, email, /^Approval wanted: Almost over/)
    await scene.rows(sql`update approvals set created_at = created_at - interval '5 days 1 hour' where id = ${id}::int`)
    for (let run = 0; run < 2; run += 1) {
      await passTime(scene)
      await tick()
    }
    const warning = await mailTo(stack.mailUrl, email, /^Two days left: approval wanted: Almost over/)
    expect(warning.text).toContain('an article becomes a draft that keeps its date')
    expect(warning.text).toContain('Nobody has decided for five days.')
    const subjects = (await mailsTo(stack.mailUrl, email)).map(({ subject }) => subject)
    expect(subjects.filter((subject) => subject.startsWith('Two days left'))).toHaveLength(1)
    expect((await eventsOf(article)).map(([type]) => type)).toEqual(['approval.requested', 'approval.undecided'])
    const told = 'Nobody has decided about “Almost over” for five days.'
    expect((await mailTo(stack.mailUrl, editor.email, /Almost over/)).text).toContain(told)
    expect((await mailsTo(stack.mailUrl, email)).filter(({ text }) => text.includes(told))).toEqual([])
    expect((await editor.person.get('/notices')).text).toContain(told)
  })

  test.each([
    ['without a date', null],
    ['whose date is ahead', '2 days'],
    ['whose date has passed', '-2 days'],
  ])('that runs out leaves an article %s a draft, which the clock does not send', async (_, ahead) => {
    await open('every')
    const article = await write(scene)
    const id = await asked(article)
    await flush(stack, true)
    if (ahead !== null)
      await scene.rows(sql`update articles set status = 'Planned', scheduled_at = date_trunc('minute', now()) + ${ahead}::interval,
        due_taken_at = now() where id = ${article}::int`)
    const before = await scene.article(article)
    await scene.rows(sql`update approvals set expires_at = now() - interval '1 second' where id = ${id}::int`)
    expect((await approve(id)).text).toContain('has expired')
    for (let run = 0; run < 2; run += 1) {
      await passTime(scene)
      await tick()
    }
    expect((await approvalOf(id)).status).toBe('expired')
    expect(await scene.article(article)).toMatchObject({
      Status: 'Draft',
      PublishState: 'idle',
      PublishError: null,
      ScheduledDate: before.ScheduledDate,
      Approval: { id, status: 'expired' },
    })
    expect(await scene.deliveries(article)).toEqual([])
  })
})

test('a change of a live article is saved, waits, and is sent once it is approved', async () => {
  await open('every')
  const article = await write(scene, { title: 'Before' })
  await approve(await asked(article))
  const { status, body } = await scene.api.post(`/articles/${article}/sync`, { title: 'After' })
  expect([status, body.status, body.article_id]).toEqual([202, 'awaiting_approval', article])
  const id = Number(body.approval_id)
  expect(await scene.article(article)).toMatchObject({ Title: 'After', PublishState: 'awaiting_approval' })
  expect(await approvalOf(id)).toMatchObject({ kind: 'sync', live: { title: 'Before' }, proposed: { title: 'After' } })
  expect((await scene.article(article)).Approval).toEqual({
    id,
    status: 'awaiting',
    approve_url: `${stack.url}${pathOf(id)}`,
    expires_at: body.expires_at,
    comment: null,
  })
  expect((await mailTo(stack.mailUrl, email, /^Approval wanted: After/)).text).toContain('> - Before\n> + After\n')
  const page = await person.get(pathOf(id))
  expect([page.text.includes('What changes'), page.text.includes('<ins>')]).toEqual([true, true])
  expect(await scene.deliveries(article)).toHaveLength(1)
  await approve(id)
  expect(await scene.article(article)).toMatchObject({
    Title: 'After',
    Status: 'Published',
    PublishState: 'idle',
    Approval: null,
  })
  expect(await scene.posts()).toMatchObject([{ title: 'After' }])
  expect(await scene.deliveries(article)).toHaveLength(2)
  // A person who sends it needs no other approval.
  await person.post(`/p/${scene.projectId}/articles/${article}/sync`, {})
  expect(await scene.deliveries(article)).toHaveLength(3)
})

test.each([
  ['a freeze', { frozen: true }],
  ['no publication a day', { max_publications_per_day: 0 }],
])('an article approved during %s is published when that ends', async (_, clause) => {
  await open('every')
  const [live, fresh] = [await write(scene, { title: 'Before' }), await write(scene, { title: 'Fresh' })]
  await approve(await asked(live))
  const { body } = await scene.api.post(`/articles/${live}/sync`, { title: 'After' })
  const question = await asked(fresh)
  await setPolicy(stack, scene.projectId, { needs_approval: 'every', ...clause })
  await approve(Number(body.approval_id))
  await approve(question)
  const isShut = 'frozen' in clause
  expect((await scene.posts()).map(({ title }) => title)).toEqual([isShut ? 'Before' : 'After'])
  await setPolicy(stack, scene.projectId, { needs_approval: 'every' })
  await passTime(scene)
  await tick()
  expect((await scene.posts()).map(({ title }) => title).sort()).toEqual(['After', 'Fresh'])
  expect(await scene.article(live)).toMatchObject({ Title: 'After', PublishState: 'idle', PublishError: null })
})

test('a review link shows one approval to a person without an account, until it ends', async () => {
  await open('every')
  const ids = [await write(scene, { title: 'The one' }), await write(scene, { title: 'The other' })] as const
  const [first, second] = [await asked(ids[0]), await asked(ids[1])]
  const linkOf = (text: string): string => new URL(/https?:\/\/[^\s<"]+\/review\/[\w-]+/.exec(text)?.[0] ?? '').pathname
  const guest = visitor(stack.url)
  const ended = linkOf((await person.post(`${pathOf(first)}/link`, {})).text)
  const link = linkOf((await person.post(`${pathOf(first)}/link`, {})).text)
  expect((await guest.get(ended)).status).toBe(404)
  const page = await guest.get(link)
  expect([page.status, page.text.includes('The one'), page.text.includes('The other')]).toEqual([200, true, false])
  expect(page.headers.get('x-robots-tag')).toContain('noindex')
  expect((await guest.get(`${link}/preview`)).text).toContain('The one')
  const unsigned = await guest.post(`${link}/decide`, { decision: 'approve', name: ' ' })
  expect(unsigned.text).toContain('Say your name')
  // A name that is cut in the middle of a character.
  const name = `Bea${'.'.repeat(96)}🙂`
  await guest.post(`${link}/decide`, { decision: 'approve', name, comment: `${'!'.repeat(1_999)}🙂` })
  await flush(stack, true)
  expect(await approvalOf(first)).toMatchObject({
    status: 'used',
    decided_by: `Bea${'.'.repeat(96)} (by review link)`,
    comment: '!'.repeat(1_999),
  })
  expect((await guest.get(link)).text).toContain('Nothing is left to decide')
  const revoked = linkOf((await person.post(`${pathOf(second)}/link`, {})).text)
  await person.post(`${pathOf(second)}/unlink`, {})
  for (const path of [revoked, `${revoked}/preview`, '/review/nothing-like-this-was-ever-made'])
    expect([(await guest.get(path)).status, (await guest.get(path)).text.includes('The other')]).toEqual([404, false])
  await guest.post(`${revoked}/decide`, { decision: 'approve', name: 'Bea' })
  // A link that ends after its page was read decides nothing, nor does that of another approval.
  const [tokenHash, other] = ['a'.repeat(64), 'b'.repeat(64)]
  await scene.rows(sql`update approvals set review_token_hash = ${tokenHash}, review_expires_at = now() - interval '1 second'
    where id = ${second} returning id`)
  const ctx = systemFor(stack, scene.api.accountId)
  for (const hash of [tokenHash, other])
    await expect(decideBy(ctx, () => [], second, { name: 'Bea', tokenHash: hash })).rejects.toMatchObject({
      code: 'invalid_transition',
    })
  expect((await approvalOf(second)).status).toBe('awaiting')
})

test('an approval counts for its content, and until it ends', async () => {
  await open('every')
  const article = await write(scene)
  const subject = `article:${article}`
  await scene.rows(sql`insert into approvals (account_id, project_id, kind, subject, article_id, content_hash, proposed, target, requested_by, expires_at, status)
    values (${scene.api.accountId}::int, ${scene.projectId}::int, 'publish', ${subject}, ${article}::int, 'seen', '{}', 'Webhook', 'key:1', now() + interval '1 hour', 'approved')
    returning id`)
  const counts = async (hash: string, minutesOn: number) => {
    const now = () => new Date(Date.now() + minutesOn * 60_000)
    const [row] = await scene.rows<{ holds: boolean }>(
      sql`select ${isApproved({ actor: () => 'key:1', now }, { subject, hash })} as holds`,
    )
    return row?.holds
  }
  expect([await counts('seen', 0), await counts('another', 0), await counts('seen', 61)]).toEqual([true, false, false])
})

test('no key decides, and no other account sees or decides', async () => {
  await open('every')
  const article = await write(scene, { title: 'A secret plan' })
  const id = await asked(article)
  for (const path of [`/approvals/${id}/approve`, `/approvals/${id}/decide`, `/approvals/${id}/return`])
    expect((await scene.api.post(path, { comment: 'x' })).status).toBe(404)
  expect((await scene.api.put(`/approvals/${id}`, { status: 'approved' })).status).toBe(405)
  const { api, person: outsider } = await newOwner(stack)
  const site = await newProject(api)
  expect((await api.get(`/approvals/${id}`)).status).toBe(403)
  expect((await api.get(`/approvals?project_id=${scene.projectId}`)).status).toBe(403)
  expect((await api.get('/approvals')).body.approvals).toEqual([])
  for (const at of [pathOf(id), `/p/${site}/approvals/${id}`, `/p/${site}/approvals/${id}/preview`]) {
    const { status, text } = await outsider.get(at)
    expect([[403, 404].includes(status), text.includes('A secret plan')], at).toEqual([true, false])
  }
  for (const at of [pathOf(id), `/p/${site}/approvals/${id}`]) {
    await outsider.post(`${at}/decide`, { decision: 'approve' })
    await outsider.post(`${at}/link`, {})
  }
  expect((await approvalOf(id)).status).toBe('awaiting')
  const refused = await visitor(stack.url).post(`${pathOf(id)}/decide`, { decision: 'approve' })
  expect(refused.url).toContain('/sign-in')
  expect((await approvalOf(id)).status).toBe('awaiting')
})

describe('at the same moment', { tags: ['services'] }, () => {
  test('two simultaneous approvals publish once, and an edit at the same time never publishes the old text', async () => {
    await open('every')
    const article = await write(scene)
    const id = await asked(article)
    await Promise.all([approve(id), approve(id), approve(id)])
    expect(await scene.deliveries(article)).toHaveLength(1)
    for (let round = 0; round < 4; round += 1) {
      const other = await write(scene, { title: `Old ${round}` })
      const question = await asked(other)
      const [, edit] = await Promise.all([
        person.post(`${pathOf(question)}/decide`, { decision: 'approve' }),
        scene.api.put(`/articles/${other}`, { title: `New ${round}` }),
      ])
      // Either the old text was out before the edit, which is then refused, or the new one waits for a person. Both answers come
      // before the queue has heard of the work.
      await vi.waitFor(async () => {
        await flush(stack, true)
        const sent = (await scene.posts()).filter(({ article_id }) => article_id === String(other))
        const [newest] = await approvalsOf(other)
        if (edit.status === 200) expect([sent, newest?.status, newest?.title]).toEqual([[], 'awaiting', `New ${round}`])
        else expect(sent).toMatchObject([{ title: `Old ${round}` }])
      }, WAIT)
    }
  })
})

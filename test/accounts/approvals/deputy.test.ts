import { sql } from 'drizzle-orm'
import { afterEach, expect, inject, it } from 'vitest'
import { approve } from '../../../src/accounts/approvals/decide.ts'
import { flush, openScene, type Scene, write } from '../../publishing/scene.ts'
import { systemFor } from '../../publishing/system.ts'
import { inviteTo, mailsTo, mailTo, signInAsOwner, textOf } from '../people/browser.ts'
import { setPolicy } from '../policy/set.ts'

const stack = inject('stack')

let scene: Scene

afterEach(() => scene.receiver.close())

const dayIn = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)

/** A site whose publications all need an approval, with its owner and an editor of it. */
const open = async () => {
  scene = await openScene(stack, { publishing_status: 'Publish Immediately' })
  const { person: owner, email } = await signInAsOwner(stack, scene.api)
  const editor = await inviteTo(stack, owner, 'editor', scene.projectId)
  await setPolicy(stack, scene.projectId, { needs_approval: 'every' })
  const [row] = await scene.rows<{ id: string }>(sql`select id from people where email = ${editor.email}`)
  const policy = `/p/${scene.projectId}/policy`
  const name = (fields: Record<string, string> = {}) =>
    owner.post(`${policy}/deputy`, { deputy: row?.id ?? '', away_until: dayIn(3), ...fields })
  const asked = async () => {
    const article = await write(scene)
    const { body } = await scene.publish(article)
    const id = Number(body.approval_id)
    return { article, id, at: `/p/${scene.projectId}/approvals/${id}` }
  }
  const deputy = async () => (await scene.api.get(`/projects/${scene.projectId}/policy`)).body.deputy
  return { owner, email, editor, editorId: row?.id ?? '', policy, name, asked, deputy }
}

it('an editor decides approvals while the owner is away, as the deputy, and not before or after', async () => {
  const { email, editor, editorId, name, asked, deputy } = await open()
  const first = await asked()
  expect((await editor.person.get(first.at)).text).not.toContain('name="decision"')
  expect((await editor.person.post(`${first.at}/decide`, { decision: 'approve' })).status).toBe(403)
  expect(await deputy()).toBeNull()

  expect(textOf(await name())).toContain('The deputy decides approvals from now')
  expect(await deputy()).toMatchObject({
    email: editor.email,
    away_until: expect.stringContaining(dayIn(3).slice(0, 7)),
  })
  const page = textOf(await editor.person.get(first.at))
  expect(page).toContain(`You decide as deputy of ${email}`)
  expect(textOf(await editor.person.post(`${first.at}/decide`, { decision: 'approve' }))).toContain('Approved.')
  await flush(stack, true)
  expect(await scene.article(first.article)).toMatchObject({ Status: 'Published' })
  expect((await scene.api.get(`/approvals/${first.id}`)).body.approval).toMatchObject({
    decided_by: `${editor.email}, as deputy of ${email}`,
  })
  const { entries } = (await scene.api.get('/audit-log?action=approval.approved')).body
  expect(entries).toMatchObject([{ actor: `editor:${editorId}`, detail: { as_deputy_of: email } }])

  const second = await asked()
  await scene.rows(sql`update deputies set away_until = now() where project_id = ${scene.projectId}::int`)
  expect(await deputy()).toBeNull()
  expect((await editor.person.post(`${second.at}/decide`, { decision: 'approve' })).status).toBe(403)
  // A decision that began while the owner was still away.
  const ctx = systemFor(stack, scene.api.accountId)
  const late = approve(ctx, () => [], second.id, { name: editor.email, deputy: { id: editorId, of: email } })
  await expect(late).rejects.toMatchObject({ code: 'invalid_transition' })
  expect((await scene.api.get(`/approvals/${second.id}`)).body.approval).toMatchObject({ status: 'awaiting' })
})

it('a deputy gets the mail about an approval, an editor does not', async () => {
  const { editor, name, asked } = await open()
  await asked()
  await flush(stack, true)
  expect(
    (await mailsTo(stack.mailUrl, editor.email)).filter(({ subject }) => /^Approval wanted/.test(subject)),
  ).toEqual([])
  await name()
  await asked()
  await flush(stack, true)
  expect((await mailTo(stack.mailUrl, editor.email, /^Approval wanted/)).text).toContain(
    'Nothing goes out before a person approves it.',
  )
})

it('only an owner names a deputy, for a day ahead, among the people of the site, and ends it', async () => {
  const { owner, editor, name, policy, deputy } = await open()
  const member = await inviteTo(stack, owner, 'member')
  const form = { deputy: 'somebody', away_until: dayIn(3) }
  expect((await member.person.post(`${policy}/deputy`, form)).status).toBe(403)
  expect((await member.person.get(policy)).text).not.toContain('Name the deputy')
  expect((await editor.person.post(`${policy}/deputy`, form)).status).toBe(403)
  for (const day of [dayIn(-2), dayIn(100), 'soon', ''])
    expect(textOf(await name({ away_until: day })), day).toContain('must be a day such as 2026-12-24')
  expect(textOf(await name({ deputy: 'somebody' }))).toContain('does not work on the site any more')
  expect(await deputy()).toBeNull()
  await name()
  expect((await owner.get(policy)).text).toContain('as deputy of')
  expect(textOf(await name({ end: 'yes' }))).toContain('You decide again.')
  expect(await deputy()).toBeNull()
  expect((await scene.api.get('/audit-log?action=project.deputy')).body.entries).toHaveLength(2)
})

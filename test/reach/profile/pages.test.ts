import { afterEach, beforeAll, expect, inject, it } from 'vitest'
import { inviteTo, signInAsOwner, sure, textOf, type Visitor } from '../../accounts/people/browser.ts'
import { setPolicy } from '../../accounts/policy/set.ts'
import { newProject } from '../../support/client.ts'
import { ownFaults } from '../../support/faults.ts'
import { openSocial, type SocialScene } from '../social/scene.ts'

const stack = inject('stack')
const faults = ownFaults(stack.zernioUrl)

type Review = { review_id: string; reviewer: string; rating: number; reply: { message: string } | null }

let scene: SocialScene
let person: Visitor
let google: string
let at: string

beforeAll(async () => {
  scene = await openSocial(stack)
  ;({ person } = await signInAsOwner(stack, scene.api))
  google = await scene.connect('googlebusiness')
  at = `/p/${scene.projectId}/reviews`
})
afterEach(() => faults.clear())

const reviews = async (query: string): Promise<Review[]> =>
  (await scene.api.get(`/profile/reviews?project_id=${scene.projectId}&limit=50${query}`)).body.reviews as Review[]
const byId = async (id: string) => (await reviews('')).find(({ review_id }) => review_id === id)
/** Returns the newest review without a reply. */
const open = async () => (await reviews('&has_reply=false'))[0] ?? expect.fail('no review to answer')

it('without a profile, the page links to connecting one', async () => {
  const empty = await newProject(scene.api)
  const page = await person.get(`/p/${empty}/reviews`)
  expect(page.text).toContain(`<a class="button" href="/settings/social?project_id=${empty}">`)
  expect(page.text).not.toContain('name="message"')
})

it('unanswered reviews are first, with their stars in words, page by page', async () => {
  const page = await person.get(at)
  expect(textOf(page)).toContain('3.0 of 5 stars on average, 120 reviews in all.')
  const { reviewer, rating } = await open()
  expect(textOf(page)).toMatch(
    new RegExp(`To answer ${'★'.repeat(rating)}${'☆'.repeat(5 - rating)} ${rating} of 5 stars , ${reviewer}`),
  )
  expect(page.text.match(/class="review"/g)).toHaveLength(20)
  expect(page.text).not.toContain('Your reply')
  const older = /href="([^"]+cursor=[^"]+)"/.exec(page.text)?.[1]?.replaceAll('&amp;', '&') ?? ''
  const ids = (text: string) => [...text.matchAll(/name="review" value="([^"]+)"/g)].map(([, id]) => id)
  const next = ids((await person.get(older)).text)
  expect(next).toHaveLength(20)
  expect(next.filter((id) => ids(page.text).includes(id))).toEqual([])
  expect(textOf(await person.get(`${at}?view=answered`))).toContain('Your reply')
})

it('a person answers, changes the answer and takes it back', async () => {
  const { review_id: review } = await open()
  const said = await person.post(`${at}/reply`, { review, message: 'Thank you!\r\nCome again.' })
  expect([said.url.endsWith(at), textOf(said)]).toEqual([true, expect.stringContaining('The reply was posted.')])
  expect((await byId(review))?.reply?.message).toBe('Thank you!\nCome again.')
  expect(said.text).not.toContain(`value="${review}"`)
  const changed = await person.post(`${at}/reply`, { review, view: 'answered', message: 'Thank you.' })
  expect(textOf(changed)).toContain('The reply was changed.')
  expect((await byId(review))?.reply?.message).toBe('Thank you.')
  const asked = await person.post(`${at}/remove`, { review })
  expect(textOf(asked)).toContain('Take the reply back?')
  expect((await byId(review))?.reply?.message).toBe('Thank you.')
  await sure(person, `${at}/remove`, { review })
  expect((await byId(review))?.reply).toBeNull()
})

it('a reply that is refused stays in its form, with the reason', async () => {
  const { review_id: review } = await open()
  const refused = await person.post(`${at}/reply`, { review, message: 'See http://sheds.example' })
  expect([refused.status, textOf(refused)]).toEqual([422, expect.stringContaining('Replies must not contain links.')])
  expect(refused.text).toMatch(/<details open[\s\S]*?<textarea[^>]*>\nSee http:\/\/sheds\.example<\/textarea>/)
  const empty = await person.post(`${at}/reply`, { review, message: ' ' })
  expect([empty.status, textOf(empty)]).toEqual([400, expect.stringContaining('needs 1 to 4,096 characters')])
  expect((await byId(review))?.reply).toBeNull()
})

it('a site that is frozen sends no reply, and says so', async () => {
  await setPolicy(stack, scene.projectId, { frozen: true })
  const { review_id: review } = await open()
  const refused = await person.post(`${at}/reply`, { review, message: 'Thank you!' })
  expect([refused.status, textOf(refused)]).toEqual([
    403,
    expect.stringContaining('against the policy of the site. The site is frozen: nothing goes out.'),
  ])
  expect((await byId(review))?.reply).toBeNull()
  await setPolicy(stack, scene.projectId)
})

it('a reply that an agent wrote and that waits for a person is named beside its review', async () => {
  await setPolicy(stack, scene.projectId, { needs_approval: 'every' })
  const { review_id: review } = await open()
  const { body } = await scene.api.post('/profile/reviews/reply', {
    project_id: scene.projectId,
    review_id: review,
    message: 'We are glad.',
  })
  const page = await person.get(at)
  expect(textOf(page)).toContain('A reply was written and waits for approval.')
  expect(page.text).toContain(`href="/p/${scene.projectId}/approvals/${body.approval_id}"`)
  await setPolicy(stack, scene.projectId)
})

it('if Google does not answer, the page says so and links to another try', async () => {
  await faults.set({ path: `${google}/gmb-reviews`, status: 500 })
  const page = await person.get(`${at}?view=all`)
  expect([page.status, textOf(page)]).toEqual([200, expect.stringContaining('Google cannot be asked now.')])
  expect(page.text).toContain(`href="${at}?view=all">Try again`)
})

it('a person chooses one of several profiles, and its reviews are answered', async () => {
  const own = await openSocial(stack)
  const { person: owner } = await signInAsOwner(stack, own.api)
  await own.connect('googlebusiness')
  const second = await own.connect('googlebusiness')
  const path = `/p/${own.projectId}/reviews`
  const page = await owner.get(path)
  expect(page.text).toContain(`href="${path}?profile=${second}"`)
  const chosen = await owner.get(`${path}?profile=${second}`)
  const review = /name="review" value="([^"]+)"/.exec(chosen.text)?.[1] ?? ''
  await owner.post(`${path}/reply`, { review, profile: second, message: 'Thanks.' })
  const answered = await own.api.get(
    `/profile/reviews?project_id=${own.projectId}&account_id=${second}&has_reply=true&limit=50`,
  )
  expect((answered.body.reviews as Review[]).find((one) => one.review_id === review)?.reply?.message).toBe('Thanks.')
})

it('an editor and a client read reviews and answer none', async () => {
  const { review_id: review } = await open()
  for (const role of ['editor', 'client'] as const) {
    const { person: other } = await inviteTo(stack, person, role, scene.projectId)
    const page = await other.get(at)
    expect([page.text.includes('To answer'), page.text.includes('name="message"')]).toEqual([true, false])
    expect((await other.post(`${at}/reply`, { review, message: 'Hello.' })).status).toBe(403)
  }
  expect((await byId(review))?.reply).toBeNull()
  const outsider = await signInAsOwner(stack, (await openSocial(stack)).api)
  expect((await outsider.person.get(at)).status).toBe(404)
  expect((await outsider.person.post(`${at}/reply`, { review, message: 'Mine.' })).status).toBe(404)
})

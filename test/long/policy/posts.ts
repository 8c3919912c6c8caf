import { sql } from 'drizzle-orm'
import { expect } from 'vitest'
import { flush } from '../../publishing/scene.ts'
import { rowsIn } from '../../support/client.ts'
import { expectRefusal, expectScope, said } from './answers.ts'
import {
  becomes,
  decided,
  isSameQuestion,
  type ModelPost,
  NETWORK,
  newPost,
  newQuestion,
  ruleOfPost,
  sent,
} from './posts-model.ts'
import type { PostStep } from './sequences.ts'
import type { Site, Tenant } from './tenant.ts'
import { HOUR_MS, newWords, now, scopeOf, type World } from './world.ts'

/** Connects an account of the network to each site, as a person who agrees at the provider does. */
export const connectNetwork = async ({ apis, sites }: Tenant): Promise<void> => {
  for (const site of sites) {
    const { body, text } = await apis.write.post('/social/accounts', { project_id: site.projectId, platform: NETWORK })
    if (typeof body.connect_url !== 'string') throw new Error(text)
    const { connected } = (await (await fetch(body.connect_url)).json()) as { connected: { _id: string } }
    site.account = connected._id
  }
  // Articles of the first site get posts at once.
  const [first] = sites
  await apis.write.put(`/projects/${first?.projectId}`, { social_media_publishing_status: 'Publish Immediately' })
}

/** Returns the words of each post that followers of a site's account see. */
export const postsAt = (world: World, { account }: Site): string[] =>
  account === undefined ? [] : world.postsOf(account).map(({ content }) => content)

type Row = {
  id: number
  state: ModelPost['state']
  text: string
  link: string | null
  due_ms: string | null
  article_id: number | null
  approved: boolean
  error: string | null
}
type Asked = { id: number; post: number | null; status: string; made: number | null }

/** The posts of a site and the questions about them, as they are in the database. */
type Look = { rows: Map<number, Row>; questions: Asked[]; out: string[] }

const lookAt = async (world: World, site: Site): Promise<Look> => {
  const ours = sql`project_id = ${site.projectId}::int`
  const rows = await rowsIn<Row>(
    world.access,
    sql`select id, status as state, content as text, link, extract(epoch from scheduled_for) * 1000 as due_ms, article_id, error,
        coalesce((select approvals.status = 'used' from approvals where approvals.id = approval_id), false) as approved
      from social_posts where ${ours} order by id`,
  )
  const questions = await rowsIn<Asked>(
    world.access,
    sql`select id, substring(subject from '^social_post:([0-9]{1,9})$')::int as post, status,
        (result #>> '{body,posts,0,post_id}')::int as made
      from approvals where ${ours} and kind = 'social_post'`,
  )
  return { rows: new Map(rows.map((row) => [Number(row.id), row])), questions, out: postsAt(world, site) }
}

/** Returns the words that followers read: a link follows the text. */
const outText = ({ text, link }: Pick<Row, 'text' | 'link'>): string => (link === null ? text : `${text}\n\n${link}`)

const isOpen = ({ status }: Asked): boolean => status === 'awaiting' || status === 'approved'

/** Returns the state of a post in the database, in the model's words. */
const seenOf = (world: World, post: ModelPost, { rows, questions, out }: Look) => {
  const kept = post.id === undefined ? questions.find(({ id }) => id === post.question?.id) : undefined
  const id = post.id ?? kept?.made ?? undefined
  const row = id === undefined ? undefined : rows.get(Number(id))
  const question = questions.find((one) => isOpen(one) && (one === kept || (id !== undefined && one.post === id)))
  const state = row?.state ?? ('none' as const)
  return {
    id: row ? Number(row.id) : undefined,
    questionId: question?.id,
    shown: {
      state,
      text: row?.text ?? post.text,
      due: state === 'scheduled' ? Number(row?.due_ms) + world.passed * HOUR_MS : null,
      isApproved: row !== undefined && state === 'scheduled' ? row.approved : null,
      asked: question?.status ?? null,
      isOut: row !== undefined && out.filter((words) => words === outText(row)).length,
      waits: state === 'draft' && row?.error?.includes('waits for the approval') === true,
    },
  }
}

/** Returns how the database would show a post of the model. */
const shownOf = ({ state, text, due, isApproved, isHeld, question }: ModelPost) => ({
  state,
  text,
  due: state === 'scheduled' ? due : null,
  isApproved: state === 'scheduled' ? isApproved : null,
  asked: question === null ? null : question.isApproved ? 'approved' : 'awaiting',
  isOut: state === 'none' ? false : state === 'published' ? 1 : 0,
  waits: state === 'draft' && isHeld,
})

/** Adds the posts that publishing an article of the site made. */
const addDrafted = (site: Site, { rows }: Look): void => {
  for (const { id, text, link, article_id: article } of rows.values())
    if (article !== null && !site.posts.some((post) => post.id === Number(id)))
      site.posts.push({ ...newPost(site.target === 'ghost' ? 'draft' : 'publishing', text), id: Number(id), link })
}

/** Adopts the new states of a site's posts. Returns the ones that the model cannot explain. */
const follow = (world: World, site: Site, look: Look): unknown[] => {
  addDrafted(site, look)
  const wrong: unknown[] = []
  site.posts = site.posts.flatMap((post) => {
    const { id, questionId, shown } = seenOf(world, post, look)
    const [wanted, given] = [becomes(site, now(world), post), JSON.stringify(shown)]
    const next = wanted.find((one) => JSON.stringify(shownOf(one)) === given)
    if (!next) {
      wrong.push({ post, shown, wanted: wanted.map(shownOf) })
      return [post]
    }
    // A kept call that ended without an approval leaves nothing.
    if (next.state === 'none' && next.question === null) return []
    return [{ ...next, id, question: next.question && { ...next.question, id: questionId ?? next.question.id } }]
  })
  const unknown = [...look.rows.keys()].filter((id) => !site.posts.some((one) => one.id === id))
  if (unknown.length > 0) wrong.push({ unknown })
  const told = site.posts.filter(({ state }) => state === 'published').map(outText)
  if (JSON.stringify([...look.out].sort()) !== JSON.stringify(told.sort())) wrong.push({ out: look.out, told })
  return wrong
}

/** Compares the posts of a site with their possible states. */
export const explainPosts = async (world: World, site: Site, what: unknown): Promise<void> => {
  if (site.account === undefined) return
  const before = site.posts
  let wrong = follow(world, site, await lookAt(world, site))
  if (wrong.length > 0) {
    // The queue may have been in the midst of one.
    await flush(world.access)
    site.posts = before
    wrong = follow(world, site, await lookAt(world, site))
  }
  if (wrong.length > 0)
    throw new Error(
      `nothing explains these posts: ${JSON.stringify({ what, wrong, policy: site.policy, at: new Date(now(world)) })}`,
    )
}

/** Expects that the clock left only posts that the policy forbids. */
export const settlePosts = async (world: World, site: Site): Promise<void> => {
  for (const post of site.posts) {
    const [, next] = becomes(site, now(world), post)
    if (next) throw new Error(`the clock left a post behind: ${JSON.stringify({ post, next, policy: site.policy })}`)
  }
  if (site.target === 'ghost') return
  const ids = site.articles.flatMap((article) => (article?.status === 'Published' ? article.id : []))
  const told = [...(await lookAt(world, site)).rows.values()].map(({ article_id: id }) => Number(id))
  expect(
    ids.filter((id) => !told.includes(id)),
    'articles without a post',
  ).toEqual([])
}

/** Returns the date of a call, for its body and for the model. */
const dateOf = (world: World, hours: number | null) => {
  if (hours === null) return { body: {}, due: null }
  const at = Date.now() + hours * HOUR_MS
  return { body: { scheduled_for: new Date(at).toISOString() }, due: at + world.passed * HOUR_MS }
}

const post = async (
  world: World,
  { apis }: Tenant,
  site: Site,
  { by, hours, isDraft }: Extract<PostStep, { kind: 'post' }>,
): Promise<void> => {
  const text = newWords('Post')
  const { body: date, due } = dateOf(world, isDraft ? null : hours)
  const answer = await apis[scopeOf(by)].post('/social/publish', {
    project_id: site.projectId,
    content: text,
    platforms: [NETWORK],
    ...date,
    ...(isDraft ? { draft: true } : {}),
  })
  if (by === 'read' || (by === 'draft' && !isDraft)) return expectScope(answer)
  const rule = isDraft ? null : ruleOfPost(site, now(world), due)
  if (rule === 'needs_approval') {
    expect(said(answer), answer.text).toBe('202 awaiting_approval')
    const question = newQuestion(Number(answer.body.approval_id), { text, due }, now(world))
    site.posts.push({ ...newPost('none', text), question })
    return
  }
  if (rule !== null) return expectRefusal(answer, rule, site)
  const made = isDraft
    ? newPost('draft', text)
    : sent(newPost('none', text), now(world), { text, due, isApproved: false })
  expect(said(answer), answer.text).toBe(`201 ${made.state}`)
  const [first] = answer.body.posts as { post_id: number }[]
  site.posts.push({ ...made, id: Number(first?.post_id) })
}

const SENDABLE: readonly ModelPost['state'][] = ['draft', 'scheduled', 'failed']

const send = async (
  world: World,
  { apis }: Tenant,
  site: Site,
  old: ModelPost,
  { by, hours, isChanged }: Extract<PostStep, { kind: 'send_post' }>,
): Promise<ModelPost> => {
  const text = isChanged ? newWords('Post') : old.text
  const { body: date, due } = dateOf(world, hours)
  const answer = await apis[scopeOf(by)].post(`/social/posts/${old.id}/publish`, {
    ...(isChanged ? { content: text } : {}),
    ...date,
  })
  if (by === 'read' || by === 'draft') expectScope(answer)
  else if (!SENDABLE.includes(old.state)) expect(said(answer), answer.text).toBe('409 invalid_transition')
  else {
    const rule = ruleOfPost(site, now(world), due)
    if (rule === null) {
      expect(answer.status, answer.text).toBe(200)
      return sent(old, now(world), { text, due, isApproved: false })
    }
    if (rule === 'needs_approval') {
      expect(said(answer), answer.text).toBe('202 awaiting_approval')
      const isAsked = due === null && isSameQuestion(old.question, text, now(world))
      const id = Number(answer.body.approval_id)
      return { ...old, question: isAsked ? old.question : newQuestion(id, { text, due }, now(world)) }
    }
    expectRefusal(answer, rule, site)
  }
  return old
}

/** Has a tenant take a step on a post: a call by one of its keys, or by a key of the other tenant. */
export const onPost = async (
  world: World,
  tenant: Tenant,
  other: Tenant,
  site: Site,
  step: PostStep,
): Promise<void> => {
  if (step.kind === 'post') return await post(world, tenant, site, step)
  const made = site.posts.filter(({ id }) => id !== undefined)
  const old = made[made.length - 1 - step.place]
  if (!old) return
  const becomesNow = (next: ModelPost[]) => {
    site.posts = site.posts.flatMap((one) => (one === old ? next : one))
  }
  if (step.kind === 'send_post') return becomesNow([await send(world, tenant, site, old, step)])
  if (step.kind === 'outside_post')
    return expect(said(await other.apis.write.post(`/social/posts/${old.id}/publish`))).toBe('403 forbidden')
  const answer = await tenant.apis[scopeOf(step.by)].del(`/social/posts/${old.id}`)
  if (step.by === 'read' || step.by === 'draft') return expectScope(answer)
  if (!SENDABLE.includes(old.state)) return expect(said(answer), answer.text).toBe('409 invalid_transition')
  expect(answer.status, answer.text).toBe(200)
  becomesNow([])
}

/** Notes that a person decided a question about a post. */
export const decidePost = (world: World, site: Site, question: number, approves: boolean): void => {
  site.posts = site.posts.map((one) => (one.question?.id === question ? decided(one, approves, now(world)) : one))
}

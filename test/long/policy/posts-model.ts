import type { PolicyRule } from '../../../schema/values/policy.ts'
import { type ModelSite, ruleOf } from './model.ts'
import { HOUR_MS } from './world.ts'

export const NETWORK = 'bluesky'

/** Request for a person's approval of a post, which is sent after it. */
export type Question = {
  id: number
  text: string
  due: number | null
  isApproved: boolean
  expiresAt: number
}

export type ModelPost = {
  /** Undefined while only its call is stored. */
  id: number | undefined
  state: 'none' | 'draft' | 'scheduled' | 'publishing' | 'published' | 'failed'
  text: string
  /** Link that follows the text. */
  link: string | null
  due: number | null
  /** True if a person approved its present content. */
  isApproved: boolean
  /** Its date passed before an approval: as a draft it waits for one, and fails without it. */
  isHeld: boolean
  question: Question | null
}

/** Time that a question, and an approval, hold. */
const HOLDS_MS = 7 * 24 * HOUR_MS

export const newQuestion = (
  id: number,
  { text, due }: { text: string; due: number | null },
  now: number,
): Question => ({
  id,
  text,
  due,
  isApproved: false,
  expiresAt: now + HOLDS_MS,
})

export const newPost = (state: ModelPost['state'], text: string, due: number | null = null): ModelPost => ({
  id: undefined,
  state,
  text,
  link: null,
  due,
  isApproved: false,
  isHeld: false,
  question: null,
})

/** Returns the clause that forbids a post now, or its date if that is still to come; null if none does. */
export const ruleOfPost = (site: ModelSite, now: number, due: number | null, isApproved = false): PolicyRule | null => {
  if (due === null || due <= now) return ruleOf(site, now, { way: 'post', target: NETWORK, isApproved })
  return site.policy.needs_approval !== 'off' && !isApproved ? 'needs_approval' : null
}

/** True if a call without a date would ask for an approval that is already requested. */
export const isSameQuestion = (question: Question | null, text: string, now: number): question is Question =>
  question !== null && question.due === null && question.text === text && question.expiresAt > now

/** Returns a post after its request ended without an approval. */
const withoutQuestion = (post: ModelPost): ModelPost => ({
  ...post,
  state: post.isHeld && post.state === 'draft' ? 'failed' : post.state,
  question: null,
})

/** Returns a post after a person decided on its request. */
export const decided = (post: ModelPost, approves: boolean, now: number): ModelPost =>
  approves && post.question
    ? { ...post, question: { ...post.question, isApproved: true, expiresAt: now + HOLDS_MS } }
    : withoutQuestion(post)

/** Returns a post that is sent, now or on its date, with the words of the call. */
export const sent = (
  post: ModelPost,
  now: number,
  to: { text: string; due: number | null; isApproved: boolean },
): ModelPost => {
  const isLater = to.due !== null && to.due > now
  const { text, isApproved } = to
  const state = isLater ? 'scheduled' : 'publishing'
  return { ...post, state, text, due: isLater ? to.due : null, isApproved, isHeld: false, question: null }
}

/**
 * Returns the post after its own work has run: sent, waiting for an approval, or failed. Undefined if nothing changes.
 */
const byItsDate = (site: ModelSite, now: number, post: ModelPost): ModelPost | undefined => {
  const { state, due, text, isApproved, question } = post
  const isDue = state === 'publishing' || (state === 'scheduled' && due !== null && due <= now)
  if (!isDue) return undefined
  const rule = ruleOfPost(site, now, null, isApproved)
  if (rule === null) return { ...post, state: 'published' }
  if (rule === 'allowed_targets') return { ...post, state: 'failed' }
  if (rule !== 'needs_approval') return undefined
  const asked = isSameQuestion(question, text, now) ? question : newQuestion(0, { text, due: null }, now)
  return { ...post, state: 'draft', isHeld: true, question: asked }
}

/** Returns the post after the work of its question has run: it is sent as approved, or the question ended. */
const byItsQuestion = (site: ModelSite, now: number, post: ModelPost): ModelPost | undefined => {
  const { question, state } = post
  if (question === null) return undefined
  if (question.expiresAt <= now) return withoutQuestion(post)
  if (!question.isApproved) return undefined
  if (state === 'publishing' || state === 'published') return withoutQuestion(post)
  const rule = ruleOfPost(site, now, question.due, true)
  if (rule === null) return sent(post, now, question)
  return rule === 'allowed_targets' ? withoutQuestion(post) : undefined
}

/** Returns all states that a post may reach by itself, at once or in steps. The first is the present one. */
export const becomes = (site: ModelSite, now: number, post: ModelPost): ModelPost[] => {
  const all = [post]
  for (const one of all)
    for (const run of [byItsDate, byItsQuestion]) {
      const next = run(site, now, one)
      if (next) all.push(next)
    }
  return all
}

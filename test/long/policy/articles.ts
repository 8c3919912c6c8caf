import { sql } from 'drizzle-orm'
import { expect } from 'vitest'
import { formOn } from '../../accounts/people/browser.ts'
import { type Answer, rowsIn } from '../../support/client.ts'
import { BY_STATE, expectByState, expectNotDone, expectRefusal, expectScope, said } from './answers.ts'
import { goesOut, isGone, type ModelArticle, ruleOf } from './model.ts'
import type { ArticleStep, Caller } from './sequences.ts'
import type { Site, Tenant } from './tenant.ts'
import { HOUR_MS, newWords, now, scopeOf, type World } from './world.ts'

const changed = (article: ModelArticle): void => {
  article.isSpent = false
}

/** Notes an answer in the trace. */
const noted = ({ trace }: World, answer: Answer): Answer => {
  trace.push(`  ${said(answer)} ${String(answer.body.rule ?? '')}`)
  return answer
}

/** Saves an article in its place, or other words of the one that is there. */
export const writeArticle = async ({ apis }: Tenant, site: Site, place: number, by: Caller): Promise<void> => {
  const article = site.articles[place]
  const [api, title] = [apis[scopeOf(by)], newWords('Shed')]
  if (!article) {
    const answer = await api.post('/articles', {
      project_id: site.projectId,
      keyword: title,
      title,
      content: '<h2>A heading</h2><p>Some words that are worth reading.</p>',
    })
    if (by === 'read') return expectScope(answer)
    expect(answer.status, answer.text).toBe(201)
    site.articles[place] = {
      id: Number(answer.body.article_id),
      status: 'Draft',
      title,
      shown: null,
      earlier: new Set(),
      taken: 0,
      due: null,
      isSpent: false,
      asked: null,
      approved: null,
      queued: null,
    }
    return
  }
  const answer = await api.put(`/articles/${article.id}`, { title })
  const isGoing = article.status === 'Planned' || article.queued !== null || article.asked !== null
  if (by === 'read' || (by === 'draft' && isGoing)) return expectScope(answer)
  if (article.status === 'Published')
    return expect([said(answer), by]).toEqual([
      by === 'draft' ? expect.stringMatching(/^4/) : '400 published_article',
      by,
    ])
  expect(answer.status, answer.text).toBe(200)
  article.title = title
  changed(article)
  if (article.queued === 'retry') article.queued = 'go'
  if (article.asked === 'publish' || (article.approved !== null && article.queued === 'go')) article.queued = 'go'
  article.asked = null
}

const plan = async (
  world: World,
  { apis }: Tenant,
  article: ModelArticle,
  by: Caller,
  hours: number | null,
): Promise<void> => {
  const at = hours === null ? null : Date.now() + hours * HOUR_MS
  const body =
    at === null ? { scheduled_date: null } : { status: 'Planned', scheduled_date: new Date(at).toISOString() }
  const answer = await apis[scopeOf(by)].put(`/articles/${article.id}`, body)
  if (by === 'read' || by === 'draft') return expectScope(answer)
  if (article.status === 'Published') return expect(said(answer)).toBe('400 published_article')
  expect(answer.status, answer.text).toBe(200)
  article.status = at === null ? 'Draft' : 'Planned'
  article.due = at === null ? null : at + world.passed * HOUR_MS
  // It waits for its new place or date. An approval is requested then.
  article.asked = null
  changed(article)
}

/** Publishes by a call, and expects the answer that the policy in force requires. */
const publish = async (
  world: World,
  site: Site,
  article: ModelArticle,
  answer: Answer,
  isPerson = false,
): Promise<void> => {
  if (article.status === 'Published') return expect(said(answer)).toMatch(/^200/)
  const isSettled = article.queued === 'retry'
  const isApproved = isPerson || article.approved === article.title
  const rule = ruleOf(site, now(world), { article, way: 'publish', target: site.target, isSettled, isApproved })
  if (rule === 'needs_approval') {
    expect(said(answer), answer.text).toMatch(/^20[12] awaiting_approval$/)
    article.asked = 'publish'
    article.approved = null
    return
  }
  if (rule !== null) return expectRefusal(answer, rule, site)
  if (site.mode === 'unavailable') {
    expect([201, 202], answer.text).toContain(answer.status)
    if (!isSettled) site.places.push({ day: Math.floor(now(world) / 86_400_000), articleId: article.id })
    article.queued = 'retry'
    article.asked = null
    article.approved = null
    return
  }
  expect(said(answer), answer.text).toMatch(/^20[01] published$/)
  goesOut(site, now(world), article, 'publish', isSettled)
}

/** Changes a published article, and expects the answer that the policy in force requires. */
const sync = async (world: World, site: Site, article: ModelArticle, title: string, answer: Answer): Promise<void> => {
  if (article.status !== 'Published') return expectByState(answer)
  const rule = ruleOf(site, now(world), { article, way: 'change', target: site.target })
  if (rule === 'needs_approval') {
    expect(said(answer), answer.text).toBe('202 awaiting_approval')
    article.title = title
    article.asked = 'sync'
    article.queued = null
    article.approved = null
    return
  }
  if (rule !== null) return expectRefusal(answer, rule, site)
  article.title = title
  article.queued = null
  if (site.mode === 'unavailable') {
    expect(said(answer), answer.text).toBe('502 sync_failed')
    article.asked = null
    article.approved = null
    return
  }
  expect(answer.status, answer.text).toBe(200)
  goesOut(site, now(world), article, 'change')
}

/** Adopts the title that readers see after a version was put back: it is one they saw before. */
const adoptShown = async (site: Site, article: ModelArticle): Promise<void> => {
  const shows = new Set(await site.shows())
  const seen = [...new Set([...article.earlier, article.title])].filter((title) => shows.has(title))
  expect(seen).toHaveLength(1)
  article.shown = seen[0] ?? null
  article.earlier.add(article.shown ?? '')
}

const newestDelivery = async ({ access }: World, { id }: ModelArticle): Promise<number> => {
  const [row] = await rowsIn<{ id: number }>(
    access,
    sql`select max(id) as id from deliveries where article_id = ${id}::int and replay_of is null`,
  )
  return Number(row?.id ?? 0)
}

/** A call by which a published article is changed, taken down or sent again. */
const onLive = async (
  world: World,
  tenant: Tenant,
  site: Site,
  article: ModelArticle,
  { kind, by }: ArticleStep,
): Promise<void> => {
  const api = tenant.apis[scopeOf(by)]
  if (kind === 'replay') {
    const delivery = await newestDelivery(world, article)
    if (delivery === 0) return
    const answer = await api.post(`/webhook-deliveries/${delivery}/replay`)
    if (by === 'read' || by === 'draft') return expectScope(answer)
    if (BY_STATE.has(String(answer.body.code))) return
    if (article.status !== 'Published') return await publish(world, site, article, answer)
    const rule = ruleOf(site, now(world), { article, way: 'change', target: site.target })
    if (rule !== null) return expectNotDone(answer, rule, site)
    expect([200, 201, 202], answer.text).toContain(answer.status)
    if (site.mode === 'ok') article.taken += 1
    return await adoptShown(site, article)
  }
  const answer = await api.post(`/articles/${article.id}/${kind}`)
  if (by === 'read' || by === 'draft') return expectScope(answer)
  if (article.status !== 'Published' || site.target === 'webhook') return expectByState(answer)
  if (answer.body.code === 'nothing_to_roll_back') return
  const rule = ruleOf(site, now(world), { article, way: kind === 'rollback' ? 'change' : 'down', target: site.target })
  if (rule !== null) return expectNotDone(answer, rule, site)
  expect(answer.status, answer.text).toBe(200)
  if (kind === 'rollback') return await adoptShown(site, article)
  Object.assign(article, { status: 'Draft', shown: null, asked: null, approved: null, queued: null })
}

const remove = async ({ apis }: Tenant, site: Site, place: number, by: Caller): Promise<void> => {
  const article = site.articles[place]
  if (!article) return
  const answer = await apis[scopeOf(by)].del(`/articles/${article.id}`)
  if (by === 'read' || by === 'draft') return expectScope(answer)
  if (article.status === 'Published') return expect(said(answer)).toBe('400 published_article')
  expect(answer.status, answer.text).toBe(200)
  isGone(site, article)
  site.articles[place] = null
}

/** Has a tenant take a step on an article: a call by one of its keys, by its person, or by a key of the other tenant. */
export const onArticle = async (
  world: World,
  tenant: Tenant,
  other: Tenant,
  site: Site,
  step: ArticleStep,
): Promise<void> => {
  const { apis, person } = tenant
  const { kind, place, by } = step
  if (kind === 'write') return await writeArticle(tenant, site, place, by)
  const article = site.articles[place]
  if (!article) return
  if (kind === 'plan' || kind === 'unplan')
    return await plan(world, tenant, article, by, kind === 'plan' ? step.hours : null)
  if (kind === 'remove') return await remove(tenant, site, place, by)
  if (kind === 'outsider') {
    const answer = await other.apis.write.post(`/articles/${article.id}/publish`)
    expect(said(answer)).toBe('403 forbidden')
    return
  }
  if (kind === 'publish' && by === 'person') {
    tenant.acts += 2
    if (tenant.acts > 28) return
    const path = `/p/${site.projectId}/articles/${article.id}/publish`
    const asked = await person.post(path, {}, { follow: false })
    // The page asks once more if the check found something.
    if (asked.status === 200) await person.post(path, formOn(asked, path), { follow: false })
    const rule = ruleOf(site, now(world), {
      article,
      way: 'publish',
      target: site.target,
      isApproved: true,
      isSettled: article.queued === 'retry',
    })
    if (article.status === 'Published' || rule !== null) return
    const status = site.mode === 'ok' ? { status: 200, body: { status: 'published' } } : { status: 202, body: {} }
    return await publish(world, site, article, { ...status, headers: new Headers(), text: '' }, true)
  }
  const api = apis[scopeOf(by)]
  if (kind === 'publish') {
    const answer = await api.post(`/articles/${article.id}/publish`)
    if (by === 'read' || by === 'draft') return expectScope(answer)
    return await publish(world, site, article, noted(world, answer))
  }
  if (kind === 'sync' || kind === 'put_sync') {
    const title = newWords('Shed')
    const answer =
      kind === 'sync'
        ? await api.post(`/articles/${article.id}/sync`, { title })
        : await api.put(`/articles/${article.id}`, { title, sync: true })
    if (by === 'read' || by === 'draft') return expectScope(answer)
    if (kind === 'put_sync' && article.status !== 'Published') {
      if (answer.status === 200) Object.assign(article, { title, isSpent: false })
      return
    }
    return await sync(world, site, article, title, noted(world, answer))
  }
  return await onLive(world, tenant, site, article, step)
}

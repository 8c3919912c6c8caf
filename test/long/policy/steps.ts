import { sql } from 'drizzle-orm'
import type { PolicyClauses } from '../../../schema/values/policy.ts'
import { flush } from '../../publishing/scene.ts'
import { rowsIn } from '../../support/client.ts'
import { onArticle } from './articles.ts'
import { explain, rest } from './clock.ts'
import { decidePost, onPost } from './posts.ts'
import { articlesOf } from './readers.ts'
import type { PostStep, Step, WantedPolicy } from './sequences.ts'
import { type Site, savePolicy, type Tenant } from './tenant.ts'
import { now, type World } from './world.ts'

/** Minutes of the hour at which quiet hours begin and end: far from the present one. */
const QUIET_MINUTE = String((new Date().getUTCMinutes() + 30) % 60).padStart(2, '0')

const clausesOf = (world: World, { quiet, ...rest }: WantedPolicy): PolicyClauses => {
  const hour = new Date(now(world)).getUTCHours()
  const time = (ahead: number) => `${String((hour + ahead + 24) % 24).padStart(2, '0')}:${QUIET_MINUTE}`
  const spans = { none: null, now: { from: time(-2), to: time(2) }, later: { from: time(3), to: time(7) } }
  return { ...rest, quiet_hours: spans[quiet] }
}

type Question = { id: number; article_id: number | null; kind: string }

/** A person decides the oldest question of a site. */
const decide = async (world: World, tenant: Tenant, site: Site, approves: boolean): Promise<void> => {
  tenant.acts += 1
  if (tenant.acts > 28) return
  const [question] = await rowsIn<Question>(
    world.access,
    sql`select id, article_id, kind from approvals where project_id = ${site.projectId}::int and status = 'awaiting'
      and kind in ('publish', 'sync', 'social_post') order by id limit 1`,
  )
  const article = articlesOf(site).find(({ id }) => id === Number(question?.article_id))
  if (!question || (!article && question.kind !== 'social_post')) return
  const decision: Record<string, string> = approves
    ? { decision: 'approve' }
    : { decision: 'return', comment: 'Say more.' }
  await tenant.person.post(`/p/${site.projectId}/approvals/${question.id}/decide`, decision, { follow: false })
  if (!article) return decidePost(world, site, Number(question.id), approves)
  const { asked } = article
  article.asked = null
  if (!approves) {
    // A question that it waits for no more fails nothing.
    if (asked !== null) article.isSpent = true
    return
  }
  article.approved = article.title
  const isLater = article.status === 'Planned' && article.due !== null && article.due > now(world)
  if (asked === 'publish' && !isLater) article.queued = 'go'
  if (asked === 'sync') article.queued = 'change'
}

const POST_STEPS: ReadonlySet<Step['kind']> = new Set<PostStep['kind']>([
  'post',
  'send_post',
  'remove_post',
  'outside_post',
])
const isOfPost = (step: Step): step is PostStep => POST_STEPS.has(step.kind)

const take = async (world: World, tenant: Tenant, other: Tenant, step: Step): Promise<void> => {
  const site = tenant.sites[step.site]
  if (!site) return
  if (isOfPost(step)) {
    await onPost(world, tenant, other, site, step)
    return await flush(world.access)
  }
  switch (step.kind) {
    case 'policy':
      await savePolicy(world.access, tenant, site, clausesOf(world, step.policy))
      return
    case 'receiver':
      await site.setMode(step.mode)
      site.mode = step.mode
      return
    case 'decide':
      await decide(world, tenant, site, step.approves)
      await flush(world.access)
      return
    default:
      await onArticle(world, tenant, other, site, step)
  }
}

/** Takes the steps of one tenant, one after the other, and looks at its sites after each. */
export const takeAll = async (world: World, tenant: Tenant, other: Tenant, given: readonly Step[]): Promise<void> => {
  for (const step of given) {
    world.trace.push(`${tenant.accountId} ${JSON.stringify(step)}`)
    // Approved work may be on its way: a call that meets it there is answered otherwise.
    if (step.kind === 'policy' || isOfPost(step)) await rest(world, tenant)
    await take(world, tenant, other, step)
    const site = tenant.sites[step.site]
    // Work that follows a step is in the queue.
    if (step.kind === 'write' || step.kind === 'publish') await flush(world.access)
    if (site) await explain(world, site, step)
  }
}

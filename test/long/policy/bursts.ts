import fc from 'fast-check'
import { expect } from 'vitest'
import { setPolicy } from '../../accounts/policy/set.ts'
import { cron, flush } from '../../publishing/scene.ts'
import { newArticle } from '../../support/client.ts'
import { expectRefusal } from './answers.ts'
import { endWaits, unplan } from './clock.ts'
import type { Tenant } from './tenant.ts'
import type { World } from './world.ts'

/** Number of articles that callers publish at once. */
const AT_ONCE = 6
/** Time after which a freeze applies everywhere, ms. */
const FREEZE_MS = 10_000

/** Calls at once: the number of articles left for the day, or a freeze among the calls. */
export type Burst = { left: number; freezesAfterMs: number | undefined }

export const burst: fc.Arbitrary<Burst> = fc.record({
  left: fc.nat(AT_ONCE),
  freezesAfterMs: fc.option(fc.nat(150), { nil: undefined }),
})

/** Publishes at once. Expects no more articles to go out than are left for the day, and none after a freeze. */
export const runBurst = async (world: World, tenant: Tenant, { left, freezesAfterMs }: Burst): Promise<void> => {
  const [site] = tenant.sites
  if (!site) return
  const { write } = tenant.apis
  await setPolicy(world.access, site.projectId)
  const ids: number[] = []
  for (let n = 0; n < AT_ONCE; n += 1) ids.push(await newArticle(write, site.projectId))
  const { body } = await tenant.apis.read.get(`/projects/${site.projectId}/policy`)
  const used = (body.used as { publications_today: number }).publications_today
  const most = { max_publications_per_day: used + left }
  await setPolicy(world.access, site.projectId, most)
  const freeze = async (): Promise<number> => {
    await new Promise((resolve) => setTimeout(resolve, freezesAfterMs))
    await setPolicy(world.access, site.projectId, { ...most, frozen: true })
    return Date.now()
  }
  const [frozenAt, ...answers] = await Promise.all([
    freezesAfterMs === undefined ? undefined : freeze(),
    ...ids.map((id) => write.post(`/articles/${id}/publish`)),
  ])
  await setPolicy(world.access, site.projectId, { ...most, frozen: true })
  const shutAt = Date.now()
  // Articles that did not go out are due now, and stay.
  await Promise.all(ids.map((id) => write.put(`/articles/${id}`, { status: 'Planned', scheduled_date: '2026-01-05' })))
  await endWaits(world, tenant)
  await cron(world.access)
  await flush(world.access, true)
  await unplan(world, tenant)
  const arrivals = (await site.arrivals()).filter(({ articleIds }) => articleIds.some((id) => ids.includes(id)))
  const said = answers.map(({ status, body: { rule, code } }) => `${status} ${rule ?? code ?? ''}`)
  const about = JSON.stringify({ left, frozenAt, said, arrivals })
  const allowed = said.filter((one) => one === '200 ').length
  expect(arrivals.length, about).toBe(allowed)
  if (frozenAt === undefined) expect(allowed, about).toBe(Math.min(left, AT_ONCE))
  else expect(allowed, about).toBeLessThanOrEqual(left)
  const rules = frozenAt === undefined ? ['max_publications_per_day'] : ['max_publications_per_day', 'frozen']
  for (const one of said) expect(['200 ', ...rules.map((rule) => `403 ${rule}`)], about).toContain(one)
  for (const { at } of arrivals) expect(at, about).toBeLessThanOrEqual((frozenAt ?? shutAt) + FREEZE_MS)
  expectRefusal(await write.post(`/articles/${await newArticle(write, site.projectId)}/publish`), 'frozen', site)
}

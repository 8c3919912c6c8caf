import { describe, expect, inject, it } from 'vitest'
import { newAccount, newArticle, newProject } from '../../support/client.ts'
import { manyKeys } from '../../support/keys.ts'
import { type ClockChange, clockChanges, oddWall, wallAt } from '../../support/zones.ts'

const stack = inject('stack')
/** A week ahead: nothing of the service's own happens yet to what is planned from here on. */
const FROM = Math.floor(Date.now() / 3_600_000 + 7 * 24) * 3_600_000
const ZONES = ['Europe/Berlin', 'America/New_York', 'America/Santiago', 'Australia/Lord_Howe', 'Atlantic/Azores']
const change = (zone: string, forward: boolean): ClockChange => {
  const found = clockChanges(zone, FROM, 366).find(({ before, after }) => after > before === forward)
  if (!found) throw new Error(`${zone} does not change its clocks so`)
  return found
}

describe.each(ZONES)('dates of a project in %s', (zone) => {
  it('move forward where the clock skips them, are the first where it shows them twice, and stay when sent back', async () => {
    const api = manyKeys(stack, await newAccount(stack))
    const project = await newProject(api, { timezone: zone })
    const [gap, overlap] = [change(zone, true), change(zone, false)]
    const show = async (id: number) =>
      (await api.get(`/articles/${id}`)).body as { ScheduledDate: string; ScheduledAt: string }
    const plan = (scheduled_date: string) => newArticle(api, project, { status: 'Planned', scheduled_date })

    const skipped = await plan(oddWall(gap))
    const half = (gap.after - gap.before) / 2
    expect(await show(skipped)).toMatchObject({
      ScheduledAt: new Date(gap.at + half).toISOString(),
      ScheduledDate: wallAt(gap.at + half, gap.after),
    })
    const first = await plan(oddWall(overlap))
    const back = (overlap.before - overlap.after) / 2
    expect(await show(first)).toMatchObject({
      ScheduledAt: new Date(overlap.at - back).toISOString(),
      ScheduledDate: oddWall(overlap),
    })
    const second = await plan(new Date(overlap.at + back).toISOString())
    expect(await show(second)).toMatchObject({ ScheduledDate: oddWall(overlap) })
    for (const id of [skipped, first, second]) {
      const before = await show(id)
      await api.put(`/articles/${id}`, { scheduled_date: before.ScheduledDate })
      expect((await show(id)).ScheduledAt).toBe(before.ScheduledAt)
    }
  })
})

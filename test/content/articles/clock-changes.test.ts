import { describe, expect, inject, it } from 'vitest'
import { newAccount, newArticle, newProject } from '../../support/client.ts'
import { manyKeys } from '../../support/keys.ts'
import { type ClockChange, clockChanges, oddWall, wallAt } from '../../support/zones.ts'

const stack = inject('stack')
/** A week ahead: the service does not yet act on articles that are planned from here on. */
const FROM = Math.floor(Date.now() / 3_600_000 + 7 * 24) * 3_600_000
const ZONES = ['Europe/Berlin', 'America/New_York', 'America/Santiago', 'Australia/Lord_Howe', 'Atlantic/Azores']
const change = (zone: string, forward: boolean): ClockChange => {
  const found = clockChanges(zone, FROM, 366).find(({ before, after }) => after > before === forward)
  if (!found) throw new Error(`${zone} does not change its clocks so`)
  return found
}

describe.each(ZONES)('dates of a project in %s', (zone) => {
  it('move forward if the clock skips them, are the first if it shows them twice, and stay when sent back', async () => {
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

// opf/openproject#25057, bryntum/support#13336
describe('another clock of the project', () => {
  it('keeps days and instants, and says what moved', async () => {
    const api = manyKeys(stack, await newAccount(stack))
    const project = await newProject(api, { timezone: 'Europe/Berlin', publish_time: '09:00' })
    const plan = (scheduled_date: string, status = 'Planned') => newArticle(api, project, { status, scheduled_date })
    const day = new Date(FROM + 40 * 86_400_000).toISOString().slice(0, 10)
    const next = new Date(FROM + 41 * 86_400_000).toISOString().slice(0, 10)
    const overlap = change('America/New_York', false)
    const twice = oddWall(overlap)
    const [asDay, draft, moved, instant, wall, odd] = [
      await plan(day),
      await plan(day, 'Draft'),
      await plan(day),
      await plan(`${day}T12:00:00Z`),
      await plan(`${day}T15:00`),
      await plan(twice.slice(0, 10)),
    ]
    // As the calendar moves an article of a day: with the time of day that it shows.
    await api.put(`/articles/${moved}`, { scheduled_date: `${next}T09:00` })
    const show = async (id: number) =>
      (await api.get(`/articles/${id}`)).body as { ScheduledDate: string; ScheduledAt: string }
    const before = await show(instant)
    const beforeWall = await show(wall)

    const changed = await api.put(`/projects/${project}`, { timezone: 'America/New_York' })
    expect(changed.body).toMatchObject({ planned_articles: { moved: 4, read_otherwise: 2 } })
    expect((changed.body as { message: string }).message).toMatch(
      /4 planned articles with a day but no time moved with it\. 2 planned articles with an exact time stayed at it and now show another local time\./,
    )
    for (const id of [asDay, draft]) expect((await show(id)).ScheduledDate).toBe(`${day}T09:00:00`)
    expect((await show(moved)).ScheduledDate).toBe(`${next}T09:00:00`)
    expect((await show(instant)).ScheduledAt).toBe(before.ScheduledAt)
    expect((await show(wall)).ScheduledAt).toBe(beforeWall.ScheduledAt)

    const later = await api.put(`/projects/${project}`, { publish_time: twice.slice(11, 16) })
    expect(later.body).toMatchObject({ planned_articles: { moved: 4, read_otherwise: 0 } })
    expect((await show(asDay)).ScheduledDate).toBe(`${day}T${twice.slice(11, 16)}:00`)
    // The first of the two that the clock shows.
    const half = (overlap.before - overlap.after) / 2
    expect((await show(odd)).ScheduledAt).toBe(new Date(overlap.at - half).toISOString())

    // A day that is sent back as it was read stays a day. An exact time makes it an exact time.
    await api.put(`/articles/${asDay}`, { scheduled_date: (await show(asDay)).ScheduledDate })
    const fixed = await show(draft)
    await api.put(`/articles/${draft}`, { scheduled_date: fixed.ScheduledAt })
    const last = await api.put(`/projects/${project}`, { timezone: 'Asia/Tokyo', publish_time: '08:30' })
    expect(last.body).toMatchObject({ planned_articles: { moved: 3, read_otherwise: 3 } })
    expect((await show(asDay)).ScheduledDate).toBe(`${day}T08:30:00`)
    expect((await show(draft)).ScheduledAt).toBe(fixed.ScheduledAt)
    const none = await api.put(`/projects/${project}`, { business_name: 'Oak' })
    expect(none.body).not.toHaveProperty('planned_articles')
  })
})

import { describe, expect, inject, it } from 'vitest'
import { usualPublishTime } from '../../../src/accounts/projects/rules.ts'
import { newAccount } from '../../support/client.ts'

const stack = inject('stack')

/** Every minute from 08:30 to 10:00. */
const MINUTES = Array.from({ length: 91 }, (_, n) => {
  const minute = 510 + n
  return `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`
})

describe('the time of publication of a new project', () => {
  it.each([1, 1_000_000, 2_147_000_000])(
    'is spread over 08:30 to 10:00 from id %i on, and is always the same',
    (first) => {
      const ids = Array.from({ length: 9_100 }, (_, n) => first + n)
      const counts = new Map<string, number>()
      for (const time of ids.map(usualPublishTime)) counts.set(time, (counts.get(time) ?? 0) + 1)
      expect([...counts.keys()].sort()).toEqual(MINUTES)
      expect(Math.max(...counts.values())).toBeLessThan(200)
      expect(ids.map(usualPublishTime)).toEqual(ids.map(usualPublishTime))
    },
  )

  it('is that minute unless one is sent, and null brings it back', async () => {
    const api = await newAccount(stack)
    const made = await api.post('/projects', { website_url: 'https://minute.example' })
    const id = made.body.project_id as number
    const timeOf = async () => ((await api.get(`/projects/${id}`)).body.project as { PublishTime: string }).PublishTime
    expect(await timeOf()).toBe(usualPublishTime(id))
    await api.put(`/projects/${id}`, { publish_time: '06:15' })
    expect(await timeOf()).toBe('06:15')
    await api.put(`/projects/${id}`, { publish_time: null })
    expect(await timeOf()).toBe(usualPublishTime(id))
    const sent = await api.post('/projects', { website_url: 'https://sent.example', publish_time: '09:00' })
    const chosen = (await api.get(`/projects/${sent.body.project_id}`)).body.project
    expect(chosen).toMatchObject({ PublishTime: '09:00' })
  })
})

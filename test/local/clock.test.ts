import { afterEach, expect, it, vi } from 'vitest'
import { cronWorker } from '../../local/workerd.ts'

afterEach(() => vi.useRealTimers())

type Scheduled = { scheduledTime: Date }

/** Returns the minute of the hour that the jobs Worker gets if the cron is fired at an instant. */
const minuteToldAt = async (at: string, cleansUp: boolean): Promise<number | undefined> => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date(at) })
  const source = `data:text/javascript,${encodeURIComponent(cronWorker(cleansUp))}`
  const { default: worker } = await import(/* @vite-ignore */ source)
  let told: Date | undefined
  const scheduled = async ({ scheduledTime }: Scheduled) => {
    told = scheduledTime
    return { outcome: 'ok' }
  }
  expect((await worker.fetch(new Request('http://cron/'), { JOBS: { scheduled } })).status).toBe(200)
  return told?.getUTCMinutes()
}

it('returns the real minute of the hour', async () => {
  expect(await minuteToldAt('2026-11-22T10:17:30Z', true)).toBe(17)
})

it('gives tests the first minute at any time, so none runs in the minute that deletes old rows', async () => {
  for (const minute of ['00', '16', '17', '59'])
    expect(await minuteToldAt(`2026-11-22T10:${minute}:30Z`, false)).toBe(0)
})

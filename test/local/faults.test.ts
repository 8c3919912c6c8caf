import { afterEach, beforeEach, expect, it } from 'vitest'
import { json } from '../../local/receiver/answers.ts'
import { type StandIn, startStandIn } from '../../local/stand-in.ts'
import { tell } from '../support/client.ts'
import { ownFaults } from '../support/faults.ts'

let server: StandIn
beforeEach(async () => {
  server = await startStandIn({ answer: () => json(200, {}) })
})
afterEach(() => server.close())

const statusOf = async (path: string): Promise<number> => (await fetch(server.url + path)).status
const statuses = () => Promise.all(['/mine', '/theirs'].map(statusOf))

it('rules of one name do not affect those of another, when set and when removed', async () => {
  const [mine, theirs] = [ownFaults(server.url), ownFaults(server.url)]
  await mine.set({ path: '/mine', status: 500 })
  await theirs.set({ path: '/theirs', status: 501 })
  expect(await statuses()).toEqual([500, 501])
  await theirs.set({ path: '/theirs', status: 503 })
  expect(await statuses()).toEqual([500, 503])
  await theirs.clear()
  expect(await statuses()).toEqual([500, 200])
})

it('without a name all are replaced, and all are removed', async () => {
  const mine = ownFaults(server.url)
  await mine.set({ path: '/mine', status: 500 })
  await tell(server.url, '/_faults', { path: '/theirs', status: 501 })
  expect(await statuses()).toEqual([200, 501])
  await mine.set({ path: '/mine', status: 500 })
  await tell(server.url, '/_faults')
  expect(await statuses()).toEqual([200, 200])
})

it('a rule for one request in so many draws the same ones for the same seed', async () => {
  const drawn = async (seed: number): Promise<number[]> => {
    server.faults.set([{ status: 500, one_in: 4, seed }])
    const seen: number[] = []
    for (let n = 0; n < 40; n += 1) seen.push(await statusOf('/mine'))
    return seen
  }
  const first = await drawn(1)
  expect(await drawn(1)).toEqual(first)
  expect(await drawn(2)).not.toEqual(first)
  const failed = first.filter((status) => status === 500).length
  expect(failed).toBeGreaterThan(2)
  expect(failed).toBeLessThan(20)
})

it('a held answer is sent when its rule is removed, and others do not wait for it', async () => {
  const mine = ownFaults(server.url)
  await mine.set({ path: '/mine', hold: true })
  let answered = false
  const held = statusOf('/mine').finally(() => {
    answered = true
  })
  await expect.poll(() => server.calls).toContain('GET /mine')
  expect(await statusOf('/theirs')).toBe(200)
  expect(answered).toBe(false)
  await mine.clear()
  expect(await held).toBe(200)
})

it('a closed server does not wait for held answers', async () => {
  await ownFaults(server.url).set({ path: '/mine', hold: true })
  const refused = expect(statusOf('/mine')).rejects.toThrow('fetch failed')
  await expect.poll(() => server.calls).toContain('GET /mine')
  await server.close()
  await refused
})

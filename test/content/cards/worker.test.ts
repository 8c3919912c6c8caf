import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cardsClient } from '../../../src/content/cards/client.ts'
import { type InnerWorker, startInnerWorker } from '../../support/inner-worker.ts'
import { TITLES } from './titles.ts'

/** The bundle that is deployed, on workerd. */
describe('the cards Worker', () => {
  let worker: InnerWorker
  beforeAll(async () => {
    worker = await startInnerWorker('cards')
  }, 180_000)
  afterAll(() => worker.close())

  const client = (base: string) =>
    cardsClient({
      fetch: ((input: string, init: RequestInit) => fetch(input.replace('http://cards', base), init)) as never,
    })

  it.each(Object.entries(TITLES))('draws %s', async (_, input) => {
    const card = await client(worker.url).render(input)
    if (card.kind !== 'drawn') return expect.fail(JSON.stringify(card))
    expect(card).toMatchObject({ width: 1200, height: 630 })
    expect(Buffer.from(card.png.subarray(1, 4)).toString()).toBe('PNG')
    expect(card.png.byteLength).toBeLessThan(150_000)
  })

  it('says why it draws none', async () => {
    const base = { brandColor: '#204060', siteName: '' }
    expect(await client(worker.url).render({ ...base, title: 'ᚠᚢᚦᚨᚱᚲᚷᚹ' })).toEqual({
      kind: 'refused',
      reason: 'There is no font for the script of this title.',
    })
    expect(await client(worker.url).render({ ...base, title: 'A', brandColor: 'red' })).toMatchObject({ kind: 'away' })
    expect(await client('http://127.0.0.1:1').render({ ...base, title: 'A' })).toMatchObject({ kind: 'away' })
  })
})

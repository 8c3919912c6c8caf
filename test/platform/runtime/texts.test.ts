import { describe, expect, it } from 'vitest'
import { answerText, textsInProcess } from '../../../functions/texts/app.ts'
import { readSentWork } from '../../../src/content/articles/content.ts'
import { judgeWork } from '../../../src/content/seo/work.ts'
import { textWork } from '../../../src/platform/lib/text-work.ts'
import { textsThrough } from '../../../src/platform/runtime/deps.ts'

const overBinding = textsThrough({ fetch: async (to, init) => await answerText(new Request(to as string, init)) })

const article = { keyword: 'oak', title: 'Oak', slug: 'oak', metaDescription: '', articleStyle: 'Informative' }
const row = {
  project_id: 7,
  website_key: 'acme.example',
  language: 'en',
  internal_links: 2,
  table_of_contents: false,
  duplicate_protection: true,
  banned_phrases: [],
  competitors: [],
  exchange_sites: [],
  known_pages: null,
  similar: null,
}

describe('work on texts', () => {
  it('has the same result over the binding as in this process', async () => {
    const sent = {
      slugsOf: [['Öl & Žízeň'], ['???']],
      content: '<h2 id="a">Oak</h2><p onclick="x()">Grows <a href="https://acme.example/x">slowly</a>.</p>',
      publicUrl: 'https://api.example',
    }
    const here = await textsInProcess(readSentWork, sent)
    expect(here).toMatchObject({
      slugs: [
        { usual: 'oel-zizen', byLanguage: { Finnish: 'ol-zizen' } },
        { usual: '', byLanguage: {} },
      ],
      content: { kind: 'clean', removed: [expect.any(String)] },
    })
    expect(await overBinding(readSentWork, sent)).toEqual(here)
    const found = { rows: [row] }
    for (const before of [undefined, null]) {
      const asked = { found, article, content: { html: sent.content }, before }
      const judged = await textsInProcess(judgeWork, asked)
      expect(judged.judgement?.report.score).toEqual(expect.any(Number))
      expect(await overBinding(judgeWork, asked)).toEqual(judged)
    }
    const gone = { found: { rows: [] }, article, content: { html: '' } }
    expect(await overBinding(judgeWork, gone)).toEqual({ hasText: false, images: [] })
  })

  it.each([
    ['nobody is bound', textsThrough(undefined)],
    ['the Worker cannot be reached', textsThrough({ fetch: () => Promise.reject(new Error('away')) })],
    ['it fails', textsThrough({ fetch: async () => new Response(null, { status: 500 }) })],
    ['it does not know the work', (_: unknown, given: object) => overBinding(textWork('nothing'), given)],
  ])('is unavailable if %s, so nothing is saved', async (_, texts) => {
    const asked = texts(readSentWork, { slugsOf: [['a']], publicUrl: '' })
    await expect(asked).rejects.toMatchObject({ code: 'unavailable', extras: { retry_after: 5 } })
  })
})

import { setTimeout as sleep } from 'node:timers/promises'
import { Article, Brief, Generating } from './shapes.ts'
import { type Stage, same } from './stage.ts'
import { Mismatch } from './tour.ts'

const NOTES = `
## Why a chain wears
Dirt between the pins and rollers grinds the metal away, so the chain grows longer.
A chain that has grown by 0.75 % wears the cassette as well.

## How to measure
- Hold a ruler over 12 links: a new chain measures 304.8 mm.
- At 307 mm it is time for a new one.

## What helps
Wipe the chain after every ride in the rain. Oil it every 200 km.
`

const POLL_MS = 2_500
const LIMIT_S = 240

/** Reads the brief of a planned article. */
export const readBrief = async ({ api, tour }: Stage, articleId: number): Promise<void> => {
  tour.step(
    'Read the brief',
    'What a writer, yours or the service’s, has to know: length, links, tone, what to leave out.',
  )
  const { body } = await api('GET', `/articles/${articleId}/brief`, { 200: Brief })
  tour.fields({
    word_count: body.targets.word_count,
    claim_by: body.claim.claim_by,
    call_to_action_url: body.required_links.call_to_action_url,
    html_rules: `${body.html_rules.length} rules`,
  })
}

/** Has the writer turn notes into an article and shows its progress. The article stays a draft. */
export const writeFromNotes = async (stage: Stage, projectId: number): Promise<void> => {
  const { api, tour, run } = stage
  tour.step(
    'Have notes written out',
    'Costs one article credit. The built-in writer arranges the notes and invents nothing.',
  )
  const body = { project_id: projectId, keyword: `chain wear ${run}`, title: 'Chain Wear', source_content: NOTES }
  const request = { body, idempotencyKey: `demo-${run}-generate` }
  const begun = (await api('POST', '/articles/generate', { 202: Generating }, request)).body
  tour.fields({ article_id: begun.article_id, status: begun.status, credits_left: begun.article_credits_remaining })
  const began = performance.now()
  for (;;) {
    const { body: article } = await api('GET', `/articles/${begun.article_id}`, { 200: Article }, { quiet: true })
    const waitedS = Math.round((performance.now() - began) / 1000)
    if (article.Status !== 'Generating') {
      tour.endProgress()
      tour.fields({
        Status: article.Status,
        Content: `${article.Content.length} characters`,
        seo_score: article.Seo?.score,
      })
      same(
        tour,
        'it is a draft now, with the text of the notes',
        [article.Status, /304\.8 mm/.test(article.Content)],
        ['Draft', true],
      )
      return
    }
    if (waitedS > LIMIT_S)
      throw new Mismatch(`Article ${begun.article_id} within ${LIMIT_S} s`, 'Draft', article.Status)
    const { Progress: progress } = article
    tour.progress(
      progress ? `${progress.label} · ${progress.percent} % · step ${progress.step} of ${progress.of}` : 'waiting',
    )
    await sleep(POLL_MS)
  }
}

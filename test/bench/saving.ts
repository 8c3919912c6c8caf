import { createCaller } from './caller.ts'
import { cpuOf } from './machine.ts'
import type { Findings } from './report.ts'
import { seedAccount, seedArticles, seedKeys, seedProjects } from './seed.ts'
import { sized } from './sizes.ts'
import { openStage } from './stage.ts'

const WORDS = 900
const BLOCKS = sized(10, 1)
const CALLS_PER_BLOCK = sized(40, 2)
const WARM_UP_BLOCKS = sized(3, 0)
/** Under the 10 requests a minute of a save. */
const CALLS_PER_KEY = 8
const GOAL_MS = 3

const SENTENCES = [
  'The chain wears first, and a worn chain takes the sprockets with it.',
  'Brake pads last about two winters when the rims are kept clean.',
  'A mechanic listens to the bearings before touching them.',
  'Tyres lose pressure faster in the cold, so check them every week.',
  'Cables stretch in the first months and then hardly ever again.',
]

/** Returns an article of 900 words in paragraphs and headings; `n` makes it another one. */
const articleOf = (n: number): string => {
  let html = `<h2>What to check in season ${n}</h2>`
  let words = 6
  for (let at = 0; words < WORDS; at += 1) {
    const sentences = [0, 1, 2, 3].map((step) => SENTENCES[(at + step * 3) % SENTENCES.length] ?? '')
    const text = sentences.join(' ')
    html += at % 3 === 2 ? `<h3>Part ${at}</h3><p>${text}</p>` : `<p>${text}</p>`
    words += text.split(' ').length + (at % 3 === 2 ? 2 : 0)
  }
  return html
}

/** Measures the cost of a saved article's text: workerd's CPU for the same save with 900 words and without. */
export const saving = async (): Promise<Findings> => {
  const stage = await openStage()
  const caller = createCaller(stage.url)
  try {
    const accountId = await seedAccount(stage.sql, 'saving@bench.example')
    const [projectId = 0] = await seedProjects(stage.sql, accountId, 1)
    await seedArticles(stage.sql, { accountId, projectIds: [projectId], count: 60, weeks: 8, content: articleOf(0) })
    const [draft] = await stage.sql<{ id: number }>(`select id from articles where status = 'Draft' limit 1`)
    const calls = (BLOCKS + WARM_UP_BLOCKS) * CALLS_PER_BLOCK * 2
    const keys = await seedKeys(stage.sql, accountId, Math.ceil(calls / CALLS_PER_KEY))
    let sent = 0
    const block = async (withText: boolean): Promise<number> => {
      const before = cpuOf(stage.workers().pid)
      for (let call = 0; call < CALLS_PER_BLOCK; call += 1) {
        sent += 1
        const text = withText ? { content: articleOf(sent) } : {}
        const body = { title: `A title of its own, number ${sent}`, ...text }
        await caller.call('PUT', `/articles/${draft?.id}`, keys[sent % keys.length] ?? '', body)
      }
      return cpuOf(stage.workers().pid) - before
    }
    const used = { without: 0, with: 0 }
    for (let n = 0; n < BLOCKS + WARM_UP_BLOCKS; n += 1) {
      const [without, withText] = [await block(false), await block(true)]
      if (n < WARM_UP_BLOCKS) continue
      used.without += without
      used.with += withText
    }
    const each = (ms: number): number => ms / (BLOCKS * CALLS_PER_BLOCK)
    return {
      lines: [
        {
          part: 'saving',
          name: `PUT /articles/:id, ${WORDS} words: workerd CPU over the same call without text`,
          kind: 'time',
          value: each(used.with - used.without),
          unit: 'ms',
          goal: { max: GOAL_MS },
          note: `${each(used.with).toFixed(2)} and ${each(used.without).toFixed(2)} ms a call`,
        },
      ],
      notes: [],
      details: { calls: BLOCKS * CALLS_PER_BLOCK, cpu_ms: used },
    }
  } finally {
    caller.close()
    await stage.close()
  }
}

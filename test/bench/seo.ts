import { runAlone } from './alone.ts'
import { cpuOf } from './machine.ts'
import { bundled } from './program.ts'
import type { Findings } from './report.ts'
import { sized } from './sizes.ts'

const WORDS = 3_000
const GOAL_MS = 20
const WARM_UP = sized(60, 1)
const CHECKS = sized(300, 2)

const sentence = (n: number): string =>
  `The garden shed number ${n} keeps ${n * 7} tools dry, because its roof of oiled larch lets no rain in. `

/** Returns an article of about 3,000 words with all that articles have: headings, lists, links, pictures. */
const article = (): string => {
  const sections: string[] = []
  for (let words = 0, n = 0; words < WORDS; n += 1, words += 100) {
    const text = Array.from({ length: 4 }, (_, line) => sentence(n * 4 + line)).join('')
    const link = `<a href="/page-${n}">a page</a> and <a href="https://source.example/${n}" rel="noopener">a source</a>`
    sections.push(
      `<h2 id="s-${n}">Section ${n}</h2><p>${text}See ${link}.</p><ul><li>${sentence(n)}</li></ul><img src="/${n}.png" alt="Shed ${n}">`,
    )
  }
  return sections.join('\n')
}

const callTimes = async (url: string, times: number): Promise<void> => {
  for (let n = 0; n < times; n += 1) {
    const response = await fetch(url)
    if (response.status !== 200) throw new Error(`the check answered ${response.status}: ${await response.text()}`)
    await response.text()
  }
}

/** Measures the cost of reading and checking one article of 3,000 words inside the Worker runtime, parsing and sketch included. */
export const seo = async (): Promise<Findings> => {
  const alone = await runAlone({ code: await bundled('seo'), vars: { HTML: article() } })
  try {
    const cpuMsOf = async (path: string): Promise<number> => {
      await callTimes(`${alone.url}${path}`, WARM_UP)
      const before = cpuOf(alone.pid)
      await callTimes(`${alone.url}${path}`, CHECKS)
      return (cpuOf(alone.pid) - before) / CHECKS
    }
    const empty = await cpuMsOf('/')
    const checked = await cpuMsOf('/check')
    const line = {
      part: 'seo',
      name: `check of an article of ${WORDS.toLocaleString('en-US')} words: CPU`,
      kind: 'time' as const,
      value: checked - empty,
      unit: 'ms',
      goal: { max: GOAL_MS },
      note: `mean of ${CHECKS}, workerd alone; an empty request's ${empty.toFixed(2)} ms taken off`,
    }
    return { lines: [line], notes: [], details: {} }
  } finally {
    await alone.close()
  }
}

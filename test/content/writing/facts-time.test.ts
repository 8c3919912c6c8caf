import { expect, it } from 'vitest'
import { renderFragment } from '../../../src/content/html/tree.ts'
import { evidenceOf, keepToFacts } from '../../../src/content/writing/facts.ts'
import { plainBlocks } from '../../../src/content/writing/notes.ts'
import { prune } from '../../../src/content/writing/prose.ts'
import { cpuMs } from '../../support/cpu-time.ts'
import { briefWith } from './briefs.ts'

const checked = (html: string, notes: string): string => {
  const nodes = plainBlocks(html)
  keepToFacts(nodes, evidenceOf(notes, briefWith()))
  return renderFragment(prune(nodes))
}

it('reads 200,000 characters of anything in bounded time', () => {
  const nasty = [
    '<a '.repeat(60_000),
    '“'.repeat(200_000),
    '1,'.repeat(100_000),
    `${'"a '.repeat(60_000)}`,
    '[['.repeat(90_000),
    '<p>'.repeat(60_000),
    "'a' ".repeat(50_000),
  ]
  for (const text of nasty) {
    const startedAt = cpuMs()
    checked(text, text)
    expect(cpuMs() - startedAt, text.slice(0, 10)).toBeLessThan(4_000)
  }
})

import { readFileSync } from 'node:fs'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Early: files that start services of their own, which take longest. Last: those that share a stack. */
const rankOf = ({ moduleId }: TestSpecification): number => {
  const text = readFileSync(moduleId, 'utf8')
  if (/\b(?:startTestStack|openAccounts)\(|local\/start\.ts/.test(text)) return 0
  // Files that borrow the same stack run one after the other, so that it starts once in a process.
  if (/\b(?:borrowTestStack|eachInItsScene|eachRunByHand)\(/.test(text)) return 1
  return text.includes("inject('stack')") ? 3 : 2
}

/** Order in which test files begin: by rank, and within a rank in vitest's order, by duration or size. */
export class Sequencer extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const ranks = new Map(sorted.map((file) => [file, rankOf(file)]))
    return sorted.sort((a, b) => (ranks.get(a) ?? 0) - (ranks.get(b) ?? 0))
  }
}

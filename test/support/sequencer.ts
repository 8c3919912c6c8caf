import { readFileSync } from 'node:fs'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Early: files that start services of their own, which take longest. Late: those that start nothing, which fill what is left. */
const rankOf = ({ moduleId }: TestSpecification): number => {
  const text = readFileSync(moduleId, 'utf8')
  if (/\b(?:startTestStack|openAccounts)\(|local\/start\.ts/.test(text)) return 0
  const [, timeScale] = /\b(?:borrowTestStack|eachInItsScene)\(\{ timeScale: (\d+)/.exec(text) ?? []
  // Files that borrow the same stack follow each other, so that it is started once in a process.
  if (timeScale !== undefined) return 1 / Number(timeScale)
  return text.includes("inject('stack')") ? 2 : 3
}

/** The order in which test files begin: within a rank as vitest has it, by what they took last or by size. */
export class Sequencer extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const ranks = new Map(sorted.map((file) => [file, rankOf(file)]))
    return sorted.sort((a, b) => (ranks.get(a) ?? 0) - (ranks.get(b) ?? 0))
  }
}

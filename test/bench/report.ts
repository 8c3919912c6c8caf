import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

/**
 * One measured figure. `ratio`: of two measurements of this run, so that the machine cancels out; `size`: bytes, the same
 * everywhere; `rate` and `time`: true of this machine only.
 */
export type Line = {
  part: string
  name: string
  kind: 'ratio' | 'size' | 'rate' | 'time'
  value: number
  unit: string
  /** The most that it may be. */
  goal?: { max: number }
  note?: string
}

/** Findings of a part of the bench: lines for the table, sentences below it, and details for the JSON file alone. */
export type Findings = { lines: Line[]; notes: string[]; details: Record<string, unknown> }

export type Verdict = 'pass' | 'MISS' | ''

/** True if a line meets its goal; empty for a line without one. */
export const verdictOf = ({ value, goal }: Line): Verdict => {
  if (!goal) return ''
  return value <= goal.max ? 'pass' : 'MISS'
}

const figure = (value: number): string => {
  if (Number.isNaN(value)) return 'none'
  return value >= 100 ? Math.round(value).toLocaleString('en-US') : value.toFixed(value >= 10 ? 1 : 2)
}

const goalText = (goal: Line['goal']): string => (goal ? `≤ ${goal.max}` : '')

const cells = (line: Line): string[] => [
  line.part,
  line.name,
  `${figure(line.value)} ${line.unit}`.trim(),
  goalText(line.goal),
  verdictOf(line),
  line.note ?? '',
]

/** Returns the lines as a table of aligned columns. */
export const table = (lines: readonly Line[]): string => {
  const rows = [['part', 'what', 'value', 'goal', '', 'how'], ...lines.map(cells)]
  const widths = [0, 1, 2, 3, 4].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  const text = (row: readonly string[]): string =>
    row
      .map((cell, column) => (column === 2 ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0)))
      .join('  ')
      .trimEnd()
  const [head = [], ...body] = rows
  const rule = widths.map((width) => '─'.repeat(width)).join('  ')
  return [text(head), rule, ...body.map(text)].join('\n')
}

/** Writes everything that was measured as JSON. */
export const writeJson = (file: string, facts: Record<string, unknown>, parts: Record<string, Findings>): void => {
  const withVerdicts = Object.fromEntries(
    Object.entries(parts).map(([name, { lines, notes, details }]) => [
      name,
      { lines: lines.map((line) => ({ ...line, verdict: verdictOf(line) || 'none' })), notes, details },
    ]),
  )
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, `${JSON.stringify({ facts, parts: withVerdicts }, null, 2)}\n`)
}

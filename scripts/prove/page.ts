/** A measured promise, as a row of `docs/proof.md`. */
export type Row = {
  name: string
  claim: string
  figure: string
  command: string
  day: string
  machine: string
  commit: string
}

const TITLES = ['Part', 'What holds', 'Figure', 'Command', 'Day', 'Machine', 'Commit']

const HEAD = `# Proof

What the service promises, as measured. \`npm run prove\` writes this page: each row says what was run, when, on which machine, and at which
commit. Run the command again to repeat it. A part that fails writes nothing, and prints the seed that brings the failure back.

A part without a row has not been measured at length yet. \`.ci/run\` runs a short form of every part.
`

const cells = (line: string): string[] =>
  line
    .split(/(?<!\\)\|/)
    .slice(1, -1)
    .map((cell) => cell.trim())

/** Writes a cell's text so that it stays one cell. */
const cell = (text: string): string => text.replace(/\s+/g, ' ').replaceAll('|', '\\|')

const line = ({ name, claim, figure, command, day, machine, commit }: Row): string =>
  `| ${[name, claim, figure, `\`${command}\``, day, machine, commit].map(cell).join(' | ')} |`

/**
 * Returns the page with a row added, or replaced if its part has one. Rows of parts that are no longer known go.
 *
 * `names` are the parts in their order.
 */
export const withRow = (page: string, names: readonly string[], row: Row): string => {
  const rows = page.split('\n').filter((text) => text.startsWith('| '))
  const kept = new Map(rows.map((text) => [cells(text)[0] ?? '', text]))
  kept.set(row.name, line(row))
  const ordered = names.flatMap((name) => kept.get(name) ?? [])
  const table = [`| ${TITLES.join(' | ')} |`, `|${'---|'.repeat(TITLES.length)}`, ...ordered]
  return `${HEAD}\n${table.join('\n')}\n`
}

import { COMMANDS, type Command } from './commands.ts'
import { COMMON, describeOptions } from './options.ts'

const PROGRAM = 'npm run admin --'

const WHERE = `Uses the database in DATABASE_URL, or else that of the local service in --dir.
For scripts: npm run --silent admin -- … --json prints one JSON object, or {"error": "…"}.
`

const commandHelp = (words: string, { about, options }: Command): string =>
  `${PROGRAM} ${words}: ${about}\n\n${describeOptions([...options, ...COMMON])}\n${WHERE}`

/** Returns the help text for the words given: of one command, of a group, or of everything. */
export const helpFor = ([group = '', verb = '']: readonly string[]): string => {
  const command = COMMANDS[group]?.[verb]
  if (command) return commandHelp(`${group} ${verb}`, command)
  const groups = Object.entries(COMMANDS).filter(([name]) => COMMANDS[group] === undefined || name === group)
  const rows = groups.flatMap(([name, verbs]) =>
    Object.entries(verbs).map(([word, { about }]) => [`${name} ${word}`, about] as const),
  )
  const width = Math.max(...rows.map(([words]) => words.length))
  const lines = rows.map(([words, about]) => `  ${words.padEnd(width)}  ${about}\n`)
  return `Usage: ${PROGRAM} ${COMMANDS[group] ? group : `<${Object.keys(COMMANDS).join('|')}>`} COMMAND [OPTION …]\n\n${lines.join('')}\nEach command accepts --help.\n${WHERE}`
}

import { type Command, type Commands, type Kind, pathNames } from './operation.ts'

const KINDS: Readonly<Record<Kind, string>> = { s: 'text', n: 'number', b: 'true|false', l: 'a,b,…', j: 'JSON' }

const OPTIONS = `Options of every command:
  --json                  the answer as JSON
  --data JSON             the whole body; @file reads it from a file, @- from standard input
  --all                   all pages of a list
  --idempotency-key KEY   makes the call once, however often it is sent
  --if-match ETAG         changes only that version
  --service URL, --key K  instead of GALLEY_URL and GALLEY_API_KEY, or the last login
A value @file is read from that file. Lists are written a,b,c.`

/** Returns the help of the program: its own commands, and every operation. */
export const helpText = (commands: Commands): string => {
  const width = Math.max(...Object.keys(commands).map((id) => id.length))
  const operations = Object.entries(commands).map(([id, { summary }]) => `  ${id.padEnd(width)}  ${summary}`)
  return `Publishes articles with Galley.

Usage: galley COMMAND [ARGUMENT …] [--option value …]

  login                   saves the address and the key of an account
  publish FILE.md         saves a Markdown file as an article, with its images, and publishes it (--project-id, --keyword, --draft)
  watch ID                shows how an article is written or sent, until that has ended

Operations, written with dots or spaces (galley articles publish 43):

${operations.join('\n')}

${OPTIONS}
galley COMMAND --help shows the fields of a command.
Exit codes: 0 done, 2 wrong input, 3 no access, 4 not found, 5 conflict, 6 to be paid, 7 later, 8 an outside system, 1 anything else.
`
}

/** Returns the help of one operation. */
export const commandHelp = (id: string, { method, path, summary, query = {}, body = {} }: Command): string => {
  const names = pathNames(path)
  const fields = Object.entries({ ...query, ...body }).map(([name, kind]) => `  --${name.padEnd(28)} ${KINDS[kind]}`)
  return `${summary}

Usage: galley ${id}${names.map((name) => ` <${name}>`).join('')}${fields.length > 0 ? ' [--field value …]' : ''}
       ${method} ${path}
${fields.length > 0 ? `\nFields:\n${fields.join('\n')}\n` : ''}
${OPTIONS}
`
}

import { type Command, type Commands, type Kind, pathNames } from './operation.ts'

const KINDS: Readonly<Record<Kind, string>> = { s: 'text', n: 'number', b: 'true|false', l: 'a,b,…', j: 'JSON' }

const ANSWER = '  --json                  prints the response as JSON'
const ACCOUNT = '  --service URL, --key K  instead of GALLEY_URL and GALLEY_API_KEY, or the last login'

const OPTIONS = `Options of every command:
${ANSWER}
  --data JSON             the whole body; @file reads it from a file, @- from standard input
  --all                   reads all pages of a list
  --idempotency-key KEY   runs the call once, even if it is sent again
  --if-match ETAG         changes only that version
${ACCOUNT}
A value @file is read from that file. Lists are written a,b,c.`

type OwnCommand = { usage: string; does: string; options: readonly string[] }

/** Commands that are not operations. */
export const OWN_COMMANDS = {
  adopt: {
    usage: 'adopt [URL]',
    does: 'makes articles of all posts that a site has, or of one; nothing is written to the site',
    options: ['  --project-id NUMBER     the project whose site it is', ANSWER, ACCOUNT],
  },
  login: {
    usage: 'login',
    does: 'saves the address of the service and an API key',
    options: [
      '  --service URL           address of the service',
      '  --key KEY               API key; without it, the command asks for one',
    ],
  },
  publish: {
    usage: 'publish FILE.md',
    does: 'saves a Markdown file as an article, with its images, and publishes it',
    options: [
      '  --project-id NUMBER     or project_id in the front matter of the file',
      '  --keyword TEXT          or keyword or title in the front matter',
      '  --draft                 only saves it',
      '  --update                replaces the article of the file, even if its text is another one',
      '  --anyway                publishes it, even if another article has nearly the same text',
      ANSWER,
      ACCOUNT,
    ],
  },
  watch: {
    usage: 'watch ID',
    does: 'shows the progress while an article is written or published',
    options: [ANSWER, ACCOUNT],
  },
} as const satisfies Readonly<Record<string, OwnCommand>>

/** Returns the help of a command that is not an operation. */
export const ownHelp = ({ usage, does, options }: OwnCommand): string => `galley ${usage} ${does}.

Options:
${options.join('\n')}
`

/** Returns the operations of a group, such as `articles`. */
export const commandsIn = (commands: Commands, group: string): Commands =>
  Object.fromEntries(Object.entries(commands).filter(([id]) => id.startsWith(`${group}.`)))

/** Returns a line for each operation: its id and its summary. */
export const listText = (commands: Commands): string => {
  const width = Math.max(...Object.keys(commands).map((id) => id.length))
  return Object.entries(commands)
    .map(([id, { summary }]) => `  ${id.padEnd(width)}  ${summary}\n`)
    .join('')
}

/** Returns the help of the program: its own commands, and every operation. */
export const helpText = (commands: Commands): string => {
  const own = Object.values(OWN_COMMANDS).map(({ usage, does }) => `  ${usage.padEnd(22)}  ${does}`)
  return `Publishes articles with Galley.

Usage: galley COMMAND [ARGUMENT …] [--option value …]

${own.join('\n')}

Operations, written with dots or spaces (galley articles publish 43):

${listText(commands)}
${OPTIONS}
galley COMMAND --help shows the fields of a command, galley --version the version of this file.
Exit codes: 0 success, 2 wrong input, 3 no access, 4 not found, 5 conflict, 6 payment required, 7 try again later, 8 another system failed, 1 other errors.
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

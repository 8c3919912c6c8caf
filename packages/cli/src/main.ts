import { GalleyError } from '../../client/src/error.ts'
import type { Galley } from '../../client/src/index.ts'
import { pages } from '../../client/src/pages.ts'
import about from '../package.json' with { type: 'json' }
import { adoptAll } from './adopt.ts'
import { type CallArguments, type Common, commandOf, parseCommand, parseOptions } from './arguments.ts'
import { COMMANDS } from './commands.ts'
import { connect, login } from './config.ts'
import { commandHelp, commandsIn, helpText, listText, OWN_COMMANDS, ownHelp } from './help.ts'
import { methodName } from './operation.ts'
import { show } from './output.ts'
import { type PublishOptions, publishFile } from './publish.ts'
import { EXIT, exitCodeOf, refusalText } from './refusal.ts'
import { UsageError } from './usage-error.ts'
import { watch } from './watch.ts'

type Method = (args: unknown, options?: unknown) => Promise<unknown>

const optionsOf = ({ idempotency_key: key, if_match: version }: Common): Record<string, unknown> => ({
  ...(key ? { idempotencyKey: key } : {}),
  ...(version ? { headers: { 'If-Match': version } } : {}),
})

type Page = Record<string, unknown>

/** Returns the pages of a list as one: all rows, and the other fields of the last page. */
const joined = (all: readonly Page[]): Page => {
  const last = all.at(-1) ?? {}
  const join = (name: string, value: unknown): unknown => {
    if (Array.isArray(value)) return all.flatMap((page) => page[name] ?? [])
    return name === 'count' ? all.reduce((sum, page) => sum + Number(page.count), 0) : value
  }
  return Object.fromEntries(Object.entries(last).map(([name, value]) => [name, join(name, value)]))
}

const callOperation = async (id: string, common: Common, call: CallArguments): Promise<number> => {
  const galley = connect(common)
  const name = methodName(id)
  if (common.all && COMMANDS[id]?.query?.before_id) {
    // All lists have pages of one kind. For the types, any of them will do.
    const all: Page[] = []
    for await (const page of pages(galley as Record<'articlesList', Method>, name as 'articlesList', call)) {
      if (common.json) all.push(page as Page)
      else show(page, false)
    }
    if (common.json) show(joined(all), true)
    return 0
  }
  const method = (galley as unknown as Record<string, Method>)[name]
  show(await method?.(call, optionsOf(common)), common.json)
  return 0
}

type OwnName = keyof typeof OWN_COMMANDS

const OWN: Readonly<Record<OwnName, (args: string[]) => Promise<number>>> = {
  adopt: async (args) => {
    const { values, positionals } = parseOptions(args, { project_id: 'n' })
    const { json } = values
    const id = Number(values.project_id)
    if (!Number.isInteger(id) || positionals.length > 1)
      throw new UsageError('galley adopt takes a project and at most one post: galley adopt --project-id 7 [URL]')
    const galley = connect(values)
    const [url] = positionals
    if (url !== undefined) {
      show(await galley.articlesAdopt({ body: { project_id: id, url } }), json)
      return 0
    }
    const adoption = await adoptAll(galley, id)
    show(adoption, json)
    return adoption.status === 'done' ? 0 : 1
  },
  login: async (args) => {
    await login(parseOptions(args, {}).values)
    return 0
  },
  watch: async (args) => {
    const { values, positionals } = parseOptions(args, {})
    const id = Number(positionals[0])
    if (positionals.length !== 1 || !Number.isInteger(id))
      throw new UsageError('galley watch takes the id of an article.')
    const { article, isGood } = await watch(connect(values), id)
    show(
      values.json ? article : { Status: article.Status, Url: article.Url, PublishError: article.PublishError },
      values.json,
    )
    return isGood ? 0 : 1
  },
  publish: async (args) => {
    const { values, positionals } = parseOptions(args, {
      project_id: 'n',
      keyword: 's',
      draft: 'b',
      update: 'b',
      anyway: 'b',
    })
    const [file] = positionals
    if (file === undefined || positionals.length !== 1)
      throw new UsageError('galley publish takes one file: galley publish ./article.md')
    const galley: Galley = connect(values)
    show(await publishFile(galley, file, values as PublishOptions), values.json)
    return 0
  },
}

const isOwn = (word: string): word is OwnName => Object.hasOwn(OWN, word)

/** Shows the help of the program or of a group. Throws UsageError for words that name neither help nor a command. */
const showHelp = (args: string[], asksForHelp: boolean): number => {
  const [word = ''] = args
  if (word === '' || word === 'help' || (asksForHelp && word.startsWith('-'))) {
    process.stdout.write(helpText(COMMANDS))
    return word === '' ? EXIT.usage : 0
  }
  const [group = ''] = word.replaceAll('-', '_').split('.')
  const near = commandsIn(COMMANDS, group)
  const isGroup = Object.keys(near).length > 0
  if (isGroup && asksForHelp) {
    process.stdout.write(listText(near))
    return 0
  }
  const given = isGroup ? args.filter((one) => !one.startsWith('-')).slice(0, 2) : [word]
  const hint = isGroup ? `Commands of ${group}:\n${listText(near)}` : 'galley --help lists all commands.'
  throw new UsageError(`There is no command ${given.join(' ')}. ${hint}`.trimEnd())
}

const run = async (args: string[]): Promise<number> => {
  const [word = ''] = args
  if (word === '--version') {
    process.stdout.write(`${about.version}\n`)
    return 0
  }
  const asksForHelp = args.includes('--help') || args.includes('-h')
  if (isOwn(word)) {
    if (!asksForHelp) return await OWN[word](args.slice(1))
    process.stdout.write(ownHelp(OWN_COMMANDS[word]))
    return 0
  }
  const command = commandOf(COMMANDS, args)
  if (!command) return showHelp(args, asksForHelp)
  const { id, rest } = command
  const operation = COMMANDS[id]
  if (!operation) return 1
  const { common, call } = parseCommand(id, operation, rest)
  if (!common.help) return await callOperation(id, common, call)
  process.stdout.write(commandHelp(id, operation))
  return 0
}

/** True if there was no answer: `fetch` failed, or the time was up. */
const isUnreached = (error: unknown): error is Error =>
  error instanceof Error && (error.name === 'TimeoutError' || (error instanceof TypeError && 'cause' in error))

/** Runs a command line. Answers go to stdout, everything else to stderr. Returns the exit code. */
export const main = async (args: string[]): Promise<number> => {
  try {
    return await run(args)
  } catch (error) {
    if (error instanceof GalleyError) {
      const asJson = args.includes('--json')
      process.stderr.write(asJson ? `${JSON.stringify(error.body, null, 2)}\n` : refusalText(COMMANDS, error))
      return exitCodeOf(error)
    }
    if (error instanceof UsageError) {
      process.stderr.write(`${error.message}\n`)
      return EXIT.usage
    }
    const message = error instanceof Error ? error.message : String(error)
    if (!isUnreached(error)) {
      process.stderr.write(`${message}\n`)
      return 1
    }
    const { cause } = error
    // The error of several addresses that all refuse has a code, but no message.
    const why = cause instanceof Error ? ` (${cause.message || (cause as NodeJS.ErrnoException).code})` : ''
    process.stderr.write(`The service could not be reached: ${message}${why}\n`)
    return EXIT.later
  }
}

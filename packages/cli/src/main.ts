import { GalleyError } from '../../client/src/error.ts'
import type { Galley } from '../../client/src/index.ts'
import { pages } from '../../client/src/pages.ts'
import { type CallArguments, type Common, commandOf, parseCommand, parseOptions } from './arguments.ts'
import { connect, login } from './config.ts'
import { commandHelp, helpText } from './help.ts'
import { methodName } from './operation.ts'
import { COMMANDS } from './operations.generated.ts'
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

const callOperation = async (id: string, common: Common, call: CallArguments): Promise<number> => {
  const galley = connect(common)
  const name = methodName(id)
  if (common.all && COMMANDS[id]?.query?.before_id) {
    // All lists are walked in one way: which one it is does not matter to the types.
    for await (const page of pages(galley as Record<'articlesList', Method>, name as 'articlesList', call))
      show(page, common.json)
    return 0
  }
  const method = (galley as unknown as Record<string, Method>)[name]
  show(await method?.(call, optionsOf(common)), common.json)
  return 0
}

const OWN: Readonly<Record<string, (args: string[]) => Promise<number>>> = {
  login: async (args) => {
    const { values } = parseOptions(args, {})
    if (values.help) process.stdout.write(helpText(COMMANDS))
    else await login(values)
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
    const { values, positionals } = parseOptions(args, { project_id: 'n', keyword: 's', draft: 'b' })
    const [file] = positionals
    if (file === undefined || positionals.length !== 1)
      throw new UsageError('galley publish takes one file: galley publish ./article.md')
    const galley: Galley = connect(values)
    show(await publishFile(galley, file, values as PublishOptions), values.json)
    return 0
  },
}

const run = async (args: string[]): Promise<number> => {
  const [word = ''] = args
  const own = Object.hasOwn(OWN, word) ? OWN[word] : undefined
  if (own && !args.includes('--help') && !args.includes('-h')) return await own(args.slice(1))
  const command = own ? undefined : commandOf(COMMANDS, args)
  if (!command) {
    const isHelp = own || word === '' || word === 'help' || args.includes('--help') || args.includes('-h')
    if (!isHelp) throw new UsageError(`There is no command ${word}. galley --help lists them.`)
    process.stdout.write(helpText(COMMANDS))
    return word === '' ? EXIT.usage : 0
  }
  const { id, rest } = command
  const operation = COMMANDS[id]
  if (!operation) return 1
  const { common, call } = parseCommand(id, operation, rest)
  if (!common.help) return await callOperation(id, common, call)
  process.stdout.write(commandHelp(id, operation))
  return 0
}

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
    const cause = error instanceof Error && error.cause instanceof Error ? ` (${error.cause.message})` : ''
    process.stderr.write(
      `The service could not be reached: ${error instanceof Error ? error.message : String(error)}${cause}\n`,
    )
    return EXIT.later
  }
}

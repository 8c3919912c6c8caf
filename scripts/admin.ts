import { COMMANDS, type Command, checkGiven } from './admin/commands.ts'
import { helpFor } from './admin/help.ts'
import { COMMON, type Given, readArguments, UsageError } from './admin/options.ts'
import { openDatabase, reasonOf } from './database.ts'

type Request = { help: string } | { command: Command; given: Given }

const commandOf = ([group, verb]: readonly string[]): Command | undefined => {
  if (group === undefined || !Object.hasOwn(COMMANDS, group)) return undefined
  const verbs = COMMANDS[group] ?? {}
  return verb !== undefined && Object.hasOwn(verbs, verb) ? verbs[verb] : undefined
}

/** Why the words name no command. */
const unknown = ([group, verb]: readonly string[]): UsageError => {
  const verbs = group !== undefined && Object.hasOwn(COMMANDS, group) ? COMMANDS[group] : undefined
  const allowed = Object.keys(verbs ?? COMMANDS).join(', ')
  if (group === undefined) return new UsageError(`A command is missing. Allowed: ${allowed}.`)
  if (!verbs) return new UsageError(`There is no command ${JSON.stringify(group)}. Allowed: ${allowed}.`)
  return new UsageError(
    verb === undefined
      ? `${group} needs a command. Allowed: ${allowed}.`
      : `There is no command ${JSON.stringify(`${group} ${verb}`)}. Allowed after ${group}: ${allowed}.`,
  )
}

const readRequest = (argv: string[]): Request => {
  const asksHelp = argv.includes('--help') || argv.includes('-h')
  const { words, given } = readArguments(argv, (found) => {
    const command = commandOf(found)
    if (!command && !asksHelp) throw unknown(found)
    return [...(command?.options ?? []), ...COMMON]
  })
  if (given.help) return { help: helpFor(words) }
  const command = commandOf(words)
  if (!command) throw unknown(words)
  if (words[2] !== undefined) throw new UsageError(`Unexpected argument ${JSON.stringify(words[2])}.`)
  checkGiven(command, given)
  return { command, given }
}

const main = async (argv: string[]): Promise<void> => {
  const request = readRequest(argv)
  if ('help' in request) {
    process.stdout.write(request.help)
    return
  }
  const { command, given } = request
  if (given.dir !== undefined && process.env.DATABASE_URL)
    process.stderr.write('Note: --dir is not used, because DATABASE_URL is set.\n')
  const database = await openDatabase(given.dir)
  try {
    const { json, text } = await command.run(database.run, given)
    process.stdout.write(`${given.json ? JSON.stringify(json) : text}\n`)
  } finally {
    await database.close()
  }
}

const argv = process.argv.slice(2)

main(argv).catch((error: unknown) => {
  const isUsage = error instanceof UsageError
  const message = reasonOf(error)
  if (argv.includes('--json')) process.stdout.write(`${JSON.stringify({ error: message })}\n`)
  else process.stderr.write(isUsage ? `${message} See: npm run admin -- --help\n` : `${message}\n`)
  process.exitCode = isUsage ? 2 : 1
})

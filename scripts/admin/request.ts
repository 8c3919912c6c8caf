import { COMMANDS, type Command, checkGiven } from './commands.ts'
import { helpFor } from './help.ts'
import { COMMON, type Given, readArguments, UsageError } from './options.ts'

/** Request of a command line. */
export type Request = { help: string } | { command: Command; given: Given }

const commandOf = ([group, verb]: readonly string[]): Command | undefined => {
  if (group === undefined || !Object.hasOwn(COMMANDS, group)) return undefined
  const verbs = COMMANDS[group] ?? {}
  return verb !== undefined && Object.hasOwn(verbs, verb) ? verbs[verb] : undefined
}

/** Returns the error for an unknown command. */
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

/** Reads a command line. Throws UsageError, which names the allowed commands, if there is no such command. */
export const readRequest = (argv: string[]): Request => {
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

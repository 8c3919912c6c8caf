import { type ParseArgsConfig, parseArgs } from 'node:util'

/** Reads a command line as Node does. Ends the process with 2 on what `command` does not take, and says where its options stand. */
export const readArguments = <T extends ParseArgsConfig>(
  command: string,
  config: T,
): ReturnType<typeof parseArgs<T>> => {
  try {
    return parseArgs(config)
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\nSee: ${command} --help\n`)
    process.exit(2)
  }
}

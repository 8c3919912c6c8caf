import { type ParseArgsConfig, parseArgs } from 'node:util'

/** Reads a command line as Node does. On an unknown option, says where the options are documented and exits with 2. */
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

/**
 * Prints a script's usage and ends the process, if the command line asks for help. For scripts without other options.
 */
export const answerHelp = (usage: string): void => {
  if (!process.argv.slice(2).some((arg) => arg === '--help' || arg === '-h')) return
  process.stdout.write(usage)
  process.exit(0)
}

/** Prints a script's usage and ends when it was asked for help. For scripts without options of their own. */
export const answerHelp = (usage: string): void => {
  if (!process.argv.slice(2).some((arg) => arg === '--help' || arg === '-h')) return
  process.stdout.write(usage)
  process.exit(0)
}

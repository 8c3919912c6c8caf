import { type Given, parseOptions, USAGE } from './demo/options.ts'

const main = async (): Promise<number> => {
  let given: Given
  try {
    given = parseOptions(process.argv.slice(2))
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
    return 1
  }
  if (given.help) {
    process.stdout.write(USAGE)
    return 0
  }
  const { run } = await import('./demo/run.ts')
  return await run(given)
}

process.exitCode = await main()

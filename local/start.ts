import { readOptions, USAGE } from './start/options.ts'

const main = async (): Promise<void> => {
  const options = readOptions(process.argv.slice(2))
  if (!options) {
    process.stdout.write(`${USAGE}\n`)
    return
  }
  // The service takes a second to load, and --help must not wait for it.
  const { run } = await import('./start/run.ts')
  await run(options)
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exit(1)
})

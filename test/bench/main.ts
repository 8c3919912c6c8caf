import { readOptions } from './options.ts'

try {
  const argv = process.argv.slice(2)
  const options = readOptions(argv)
  const { run } = await import('./run.ts')
  process.exitCode = await run(options, argv)
} catch (error) {
  process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`)
  process.exitCode = 1
}

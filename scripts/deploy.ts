import { DeployFault } from './deploy/fault.ts'
import { readOptions, USAGE } from './deploy/options.ts'

const main = async (): Promise<void> => {
  const options = readOptions(process.argv.slice(2))
  if (!options) {
    process.stdout.write(USAGE)
    return
  }
  const { run } = await import('./deploy/run.ts')
  await run(options)
}

main().catch((error: unknown) => {
  if (!(error instanceof DeployFault)) throw error
  process.stderr.write(`${error.message}\n${error.remedy}\n`)
  process.exitCode = 1
})

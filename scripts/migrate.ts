import { parseArgs } from 'node:util'
import { reasonOf } from './reason.ts'

const USAGE = `Applies the missing migrations from schema/migrations. Running it again changes nothing.

  --dir D   folder of the running local service (default .galley)

Uses the database in DATABASE_URL, or else that of the local service. npm start applies its own migrations.
`

const main = async (): Promise<void> => {
  const { values } = parseArgs({ options: { dir: { type: 'string' }, help: { type: 'boolean', short: 'h' } } })
  if (values.help) {
    process.stdout.write(USAGE)
    return
  }
  const { run } = await import('./migrations/run.ts')
  await run(values.dir)
}

main().catch((error: unknown) => {
  const isUsage = String((error as NodeJS.ErrnoException).code).startsWith('ERR_PARSE_ARGS')
  process.stderr.write(isUsage ? `${reasonOf(error)}\n\n${USAGE}` : `${reasonOf(error)}\n`)
  process.exitCode = isUsage ? 2 : 1
})

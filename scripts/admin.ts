import { UsageError } from './admin/options.ts'
import { readRequest } from './admin/request.ts'
import { openDatabase, reasonOf } from './database.ts'

const main = async (argv: string[]): Promise<void> => {
  const request = readRequest(argv)
  if ('help' in request) {
    process.stdout.write(request.help)
    return
  }
  const { command, given } = request
  if (given.dir !== undefined && process.env.DATABASE_URL)
    process.stderr.write('Note: --dir is not used, because DATABASE_URL is set.\n')
  const database = await openDatabase(given.dir)
  try {
    const { json, text } = await command.run(database.run, given)
    process.stdout.write(`${given.json ? JSON.stringify(json) : text}\n`)
  } finally {
    await database.close()
  }
}

const argv = process.argv.slice(2)

main(argv).catch((error: unknown) => {
  const isUsage = error instanceof UsageError
  const message = reasonOf(error)
  if (argv.includes('--json')) process.stdout.write(`${JSON.stringify({ error: message })}\n`)
  else process.stderr.write(isUsage ? `${message} See: npm run admin -- --help\n` : `${message}\n`)
  process.exitCode = isUsage ? 2 : 1
})

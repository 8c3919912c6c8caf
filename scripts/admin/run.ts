import { reasonOf } from '../reason.ts'
import { UsageError } from './options.ts'
import { readRequest } from './request.ts'

/** Settings and output of an operator's command. */
export type Surroundings = {
  env: NodeJS.ProcessEnv
  out: (text: string) => void
  err: (text: string) => void
}

const perform = async (argv: string[], { env, out, err }: Surroundings): Promise<void> => {
  const request = readRequest(argv)
  if ('help' in request) return out(request.help)
  const { command, given } = request
  if (given.dir !== undefined && env.DATABASE_URL) err('Note: --dir is not used, because DATABASE_URL is set.\n')
  const { openDatabase } = await import('../database.ts')
  const database = await openDatabase(given.dir, env)
  try {
    const { json, text } = await command.run(database.run, given, env)
    out(`${given.json ? JSON.stringify(json) : text}\n`)
  } finally {
    await database.close()
  }
}

/** Runs an operator's command. Its exit code: 0 done, 1 not possible, 2 wrong usage. */
export const runAdmin = async (argv: string[], surroundings: Surroundings): Promise<number> => {
  try {
    await perform(argv, surroundings)
    return 0
  } catch (error) {
    const isUsage = error instanceof UsageError
    const message = reasonOf(error)
    if (argv.includes('--json')) surroundings.out(`${JSON.stringify({ error: message })}\n`)
    else surroundings.err(isUsage ? `${message} See: npm run admin -- --help\n` : `${message}\n`)
    return isUsage ? 2 : 1
  }
}

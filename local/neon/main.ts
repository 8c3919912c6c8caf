import { parseArgs } from 'node:util'
import { Worker } from 'node:worker_threads'
import { isDiskFull, shortageAt } from '../disk.ts'
import type { Backend } from './backend.ts'
import { startNeon } from './server.ts'
import { DAMAGED, DISK_FULL } from './spawn.ts'

const CLOSE_WITHIN_MS = 3000

const usage = 'node local/neon/main.ts --port N (--dir D [--template F] | --database-url U)'

const readArguments = () => {
  const { values } = parseArgs({
    options: {
      port: { type: 'string', default: '0' },
      dir: { type: 'string' },
      template: { type: 'string' },
      'database-url': { type: 'string' },
    },
  })
  const port = Number(values.port)
  if (!Number.isInteger(port) || port < 0 || port > 65_535) throw new Error(`--port is not a port number. ${usage}`)
  return { port, dir: values.dir, template: values.template, databaseUrl: values['database-url'] }
}

const openBackend = async ({ dir, template, databaseUrl }: ReturnType<typeof readArguments>): Promise<Backend> => {
  // Loaded on demand: the proxy of a real server does not need the memory of the embedded engine.
  if (databaseUrl) return (await import('./backend-postgres.ts')).openPostgres(databaseUrl)
  return (await import('./backend-pglite.ts')).openPglite({
    ...(dir === undefined ? {} : { dir }),
    ...(template === undefined ? {} : { template }),
  })
}

const options = readArguments()
// First, so that this process ends with its parent even while the database is being initialised.
new Worker(new URL('./watchdog.mjs', import.meta.url)).unref()
const backend = await openBackend(options).catch((error: unknown): never => {
  // The engine reports a page of minified source. Its first line says what is wrong.
  const [reason = ''] = (error instanceof Error ? error.message : String(error)).split('\n')
  console.error(`PostgreSQL cannot open it (${reason || 'it does not say why'})`)
  if (options.dir === undefined || options.databaseUrl) process.exit(1)
  process.exit(isDiskFull(error) || shortageAt(options.dir) ? DISK_FULL : DAMAGED)
})
const server = await startNeon({ port: options.port, backend }).catch(async (error: unknown) => {
  await backend.close()
  throw error
})

let closing = false
const shutDown = async () => {
  if (closing) return
  closing = true
  // Does not wait for a statement that is still running on a real server.
  setTimeout(() => process.exit(1), CLOSE_WITHIN_MS).unref()
  await server.close()
  await backend.close()
  process.exit(0)
}
process.on('SIGTERM', shutDown)
process.on('SIGINT', shutDown)

console.log(JSON.stringify({ port: server.port, url: server.url, backend: backend.kind }))

import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { ROOT, WORKERS } from '../local/bundle.ts'

const USAGE = `Deploys the service to Cloudflare: migrations first, then the inner Workers, then the public gateway.

  --secrets FILE   JSON file of secrets to set on every Worker (see README)
  --dry-run        prints what would be run

Reads DATABASE_URL (for the migrations) and PUBLIC_URL (the address the gateway will have) from the environment.
`

/** Secrets every Worker that talks to the database needs; the jobs Worker also needs those of the queue. */
const SECRETS = [
  'DATABASE_URL',
  'UPSTASH_REDIS_REST_URL',
  'UPSTASH_REDIS_REST_TOKEN',
  'SECRETS_KEYS',
  'QSTASH_URL',
  'QSTASH_TOKEN',
  'QSTASH_CURRENT_SIGNING_KEY',
  'QSTASH_NEXT_SIGNING_KEY',
  'WRITER_API_KEY',
]

const fail = (message: string): never => {
  process.stderr.write(`${message}\n`)
  process.exit(1)
}

const run = (dryRun: boolean, executable: string, args: string[]): void => {
  process.stdout.write(`> ${executable} ${args.join(' ')}\n`)
  if (dryRun) return
  const { status } = spawnSync(join(ROOT, 'node_modules/.bin', executable), args, { cwd: ROOT, stdio: 'inherit' })
  if (status !== 0) fail(`${executable} failed; nothing after it was run.`)
}

const main = (): void => {
  const { values } = parseArgs({
    options: { secrets: { type: 'string' }, 'dry-run': { type: 'boolean' }, help: { type: 'boolean' } },
  })
  if (values.help) {
    process.stdout.write(USAGE)
    return
  }
  const dryRun = values['dry-run'] ?? false
  const { DATABASE_URL, PUBLIC_URL } = process.env
  if (!dryRun && !DATABASE_URL) fail('Set DATABASE_URL to the database that is to be migrated.')
  if (!PUBLIC_URL?.startsWith('https://'))
    fail('Set PUBLIC_URL to the https address the gateway will have, for example https://api.example.com')
  if (values.secrets && !existsSync(values.secrets))
    fail(`${values.secrets} does not exist. It holds a JSON object of: ${SECRETS.join(', ')}`)
  run(dryRun, 'node', ['scripts/migrate.ts'])
  const order = [...Object.entries(WORKERS)].reverse()
  for (const [name, config] of order) {
    run(dryRun, 'wrangler', ['deploy', '-c', config, '--var', `PUBLIC_URL:${PUBLIC_URL}`])
    if (values.secrets && name !== 'gateway') run(dryRun, 'wrangler', ['secret', 'bulk', values.secrets, '-c', config])
  }
}

main()

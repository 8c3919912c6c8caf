import { resolve } from 'node:path'
import { readArguments } from '../scripts/arguments.ts'
import { reasonOf } from '../scripts/reason.ts'

const USAGE = `Runs Galley on a machine of your own, on PostgreSQL and Redis.

Usage: npm run galley-server -- COMMAND [OPTION …]

  init      writes settings with new secrets, a systemd unit and a Caddyfile; as root also creates a user and a database
  start     runs the service, as the systemd unit does
  doctor    measures every part; exits with 1 if one is not well
  owner     prints a link with which the owner chooses a password; --key also prints a new API key
  logs      prints the end of the Workers' log: --lines N, --follow
  metrics   prints the state of the running service as OpenMetrics
  backup    writes database, pictures and settings into one file: --to FOLDER, --keep N
  restore   sets a service up from such a file, in a new folder and an empty database: restore FILE
  upgrade   in the folder of a new release: checks, writes a backup, migrates, and switches; goes back if it does not run
  migrate   applies the migrations that the database lacks
  admin     accounts, keys and jobs: galley-server admin -- account show --email you@example.com

  --data D      folder of settings and data (default /var/lib/galley)
  --to F        backup: folder of the file (default backups/ in the data)
  --keep N      backup: removes older backups of that folder, beyond the N newest
  --address U   init: address of the service
  --owner E     init: mail address of the owner
  --user U      init, as root: user that runs the service (galley; created if it is missing)
  --lines N     logs: so many lines (default 50)
  --follow      logs: goes on with new lines
  --key         owner: also prints a new API key
  --json        doctor: prints JSON

init and restore read DATABASE_URL, REDIS_URL and LISTEN from the environment, restore also BACKUP_PASSWORD, because
other users can see arguments.
docs/operations/own-machine.md explains each step.
`

const print = (text: string): void => {
  process.stdout.write(`${text}\n`)
}

type Given = {
  data: string
  values: {
    data?: string
    address?: string
    owner?: string
    user?: string
    to?: string
    keep?: string
    lines?: string
    follow?: boolean
    key?: boolean
    json?: boolean
  }
  /** Arguments without a name. */
  files: string[]
  /** Arguments of an admin command. */
  rest: string[]
}

/** Returns the number of an option; undefined if it is absent. Throws an error that names it if it is not valid. */
const numberFrom1 = (option: string, text: string | undefined): number | undefined => {
  if (text === undefined) return undefined
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text)
  throw new Error(`${option} takes a number from 1.`)
}

/** The commands. Each loads what it needs, so that --help is quick. */
const COMMANDS: Readonly<Record<string, (given: Given) => Promise<void>>> = {
  init: async ({ values }) => {
    const { init } = await import('./init.ts')
    print(await init({ ...values, ...(values.data ? { data: resolve(here(), values.data) } : {}) }, process.env))
  },
  start: async ({ data }) => {
    const { start } = await import('./start.ts')
    await start(data)
  },
  doctor: async ({ data, values }) => {
    const { examine, findingsText } = await import('./doctor.ts')
    const findings = await examine(data)
    print(values.json ? JSON.stringify(findings, null, 2) : findingsText(findings))
    if (findings.some(({ isWell }) => !isWell)) process.exitCode = 1
  },
  owner: async ({ data, values }) => {
    const { admitOwner } = await import('./owner.ts')
    const { link, key } = await admitOwner(data, values.key ?? false)
    print(`Choose a password here, once, within an hour:\n\n  ${link}`)
    if (key !== undefined) print(`\nAPI key, shown only now:\n\n  ${key}`)
  },
  logs: async ({ data, values }) => {
    const { printLog } = await import('./log.ts')
    await printLog(data, { lines: numberFrom1('--lines', values.lines) ?? 50, follow: values.follow ?? false })
  },
  metrics: async ({ data }) => {
    const { askService } = await import('./control.ts')
    const text = await askService(data, '/metrics')
    if (text === undefined) throw new Error('The service does not run.')
    process.stdout.write(text)
  },
  backup: async ({ data, values }) => {
    const { backup } = await import('./backup.ts')
    const keep = numberFrom1('--keep', values.keep)
    const { file, bytes, removed } = await backup(data, { to: values.to && resolve(here(), values.to), keep })
    print(`Written: ${file} (${Math.ceil(bytes / 1024)} KiB)`)
    if (removed.length > 0) print(`Removed: ${removed.join(', ')}`)
  },
  restore: async ({ data, values, files: [file] }) => {
    if (file === undefined) throw new Error('Name the file: galley-server restore FILE')
    const { restore } = await import('./restore.ts')
    print(await restore({ file: resolve(here(), file), data, user: values.user }, process.env))
  },
  upgrade: async ({ data }) => {
    const { upgrade } = await import('./upgrade.ts')
    await upgrade(data, print)
  },
  migrate: async ({ data }) => {
    const [{ readSettings }, { migrate }] = await Promise.all([import('./settings.ts'), import('./store.ts')])
    const done = await migrate(readSettings(data).DATABASE_URL)
    print(done.length === 0 ? 'The database has every migration.' : `Applied: ${done.join(', ')}`)
  },
  admin: async ({ data, rest }) => {
    const [{ readSettings }, { runAdmin }] = await Promise.all([
      import('./settings.ts'),
      import('../scripts/admin/run.ts'),
    ])
    const { DATABASE_URL, SECRETS_KEYS } = readSettings(data)
    // The settings of the service, so that they are in no argument.
    Object.assign(process.env, { DATABASE_URL, SECRETS_KEYS })
    process.exitCode = await runAdmin(rest, {
      env: process.env,
      out: (text) => void process.stdout.write(text),
      err: (text) => void process.stderr.write(text),
    })
  },
}

/** Returns the folder that the caller is in. npm and the bin start commands in the project's own folder. */
const here = (): string => process.env.INIT_CWD ?? process.cwd()

const main = async (): Promise<void> => {
  const [name = '', ...args] = process.argv.slice(2)
  const at = args.indexOf('--')
  const [own, rest] = at === -1 ? [args, []] : [args.slice(0, at), args.slice(at + 1)]
  const { values, positionals } = readArguments('npm run galley-server --', {
    args: own,
    allowPositionals: name === 'restore',
    options: {
      data: { type: 'string' },
      address: { type: 'string' },
      owner: { type: 'string' },
      user: { type: 'string' },
      to: { type: 'string' },
      keep: { type: 'string' },
      lines: { type: 'string' },
      follow: { type: 'boolean' },
      key: { type: 'boolean' },
      json: { type: 'boolean' },
      help: { type: 'boolean', short: 'h' },
    },
  })
  if (values.help || name === '--help' || name === '-h') return print(USAGE)
  const run = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
  if (!run) {
    process.stderr.write(`${name === '' ? 'Name a command.' : `There is no command ${name}.`}\n\n${USAGE}`)
    process.exitCode = 2
    return
  }
  const data = resolve(here(), values.data ?? '/var/lib/galley')
  const { becomeOwner } = await import('./user.ts')
  if (name !== 'init' && name !== 'restore') becomeOwner(data)
  await run({ data, values, files: positionals, rest })
}

main().catch((error: unknown) => {
  const { remedy } = error as { remedy?: string }
  process.stderr.write(`${reasonOf(error)}\n${remedy === undefined ? '' : `${remedy}\n`}`)
  process.exit(1)
})

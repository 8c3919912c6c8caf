import { parseArgs } from 'node:util'
import { type EnvironmentName, environmentNamed, settingsFile } from './environment.ts'
import { DeployFault } from './fault.ts'

const COMMANDS = ['deploy', 'init', 'status', 'alarms', 'check-providers', 'rollback'] as const

/** Command line of a deployment. */
export type Options = {
  command: (typeof COMMANDS)[number]
  environment: EnvironmentName
  /** File of settings, and true if the command line names it. */
  file: string
  fileNamed: boolean
  dryRun: boolean
  proof: boolean
  /** Minutes of the log that the alarms look at. */
  minutes: number
  /** The only provider to check; undefined: all configured ones. */
  only: string | undefined
  /** True if checks may do work that costs money, such as a picture. */
  paid: boolean
}

/** Text of `npm run deploy -- --help`. */
export const USAGE = `Deploys the service: checks every account, shows the plan, migrates, deploys the Workers, and proves the result.

  npm run deploy -- init        writes a settings file with a new key
  npm run deploy -- --dry-run   checks everything and shows the plan; changes nothing
  npm run deploy                carries out the plan; if it stops, run it again: it continues
  npm run deploy -- status      versions, newest migration, late and dead work, age of the last cron
  npm run deploy -- alarms      checks every alarm of docs/operations/runbook.md; exits with 1 if one is active
  npm run deploy -- check-providers   calls every configured provider from the Workers; exits with 1 if one fails
  npm run deploy -- rollback    returns all Workers to the previous release

  --env NAME       a separate set of Workers, such as staging
  --secrets FILE   file of settings, lines NAME=value or JSON (default .env.production, with --env staging .env.staging)
  --no-proof       skips the tests at the end: account, article, job and providers
  --minutes N      minutes of the log that the alarms look at (default 5): the time between two runs
  --only NAME      checks only this provider
  --paid           allows check-providers to make a picture, too

Settings come from the environment, or else from the file. The file that init writes explains each.
`

const usage = (message: string): DeployFault => new DeployFault(message, 'See: npm run deploy -- --help')

const MINUTES = 5
const MOST_MINUTES = 1_440

const minutesOf = (given = String(MINUTES)): number => {
  const minutes = /^\d+$/.test(given) ? Number(given) : 0
  if (minutes < 1 || minutes > MOST_MINUTES) throw usage(`--minutes is a number from 1 to ${MOST_MINUTES}.`)
  return minutes
}

/** Reads the command line; undefined if it asks for help. Throws a DeployFault for an unknown command or option. */
export const readOptions = (argv: string[]): Options | undefined => {
  const { values, positionals } = parse(argv)
  if (values.help) return undefined
  const [word = 'deploy', ...more] = positionals
  const command = COMMANDS.find((known) => known === word)
  if (!command || more.length > 0)
    throw usage(`There is no command ${JSON.stringify(positionals.join(' '))}. Commands: ${COMMANDS.join(', ')}.`)
  const environment = environmentNamed(values.env)
  return {
    command,
    environment,
    file: values.secrets ?? settingsFile(environment),
    fileNamed: values.secrets !== undefined,
    dryRun: values['dry-run'] ?? false,
    proof: !values['no-proof'],
    minutes: minutesOf(values.minutes),
    only: values.only,
    paid: values.paid ?? false,
  }
}

const parse = (argv: string[]) => {
  try {
    return parseArgs({
      args: argv,
      allowPositionals: true,
      options: {
        env: { type: 'string' },
        secrets: { type: 'string' },
        'dry-run': { type: 'boolean' },
        'no-proof': { type: 'boolean' },
        minutes: { type: 'string' },
        only: { type: 'string' },
        paid: { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
      },
    })
  } catch (error) {
    throw usage(error instanceof Error ? error.message : String(error))
  }
}

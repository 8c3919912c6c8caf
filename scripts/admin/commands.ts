import { type Given, type OptionName, type Run, UsageError } from './options.ts'

/** Command of an operator. */
export type Command = {
  about: string
  options: readonly OptionName[]
  /** Lists of options. Of each list, exactly one option must be given. */
  needs: readonly (readonly OptionName[])[]
  /** True if at least one change must be given. */
  changesAccount?: boolean
  run: Run
}

const CHANGES = [
  'plan',
  'projects',
  'credits',
  'suspended',
  'outreach-pro',
  'outreach-beta',
] as const satisfies OptionName[]

type Verbs = typeof import('./verbs.ts')

/** Loads the verbs when a command is run, so that --help does not wait for them. */
const later =
  (name: keyof Verbs): Run =>
  async (sql, given, env) =>
    (await import('./verbs.ts'))[name](sql, given, env)

const ONE_ACCOUNT = ['email', 'account'] as const

/** Every command by its two words. */
export const COMMANDS: Readonly<Record<string, Readonly<Record<string, Command>>>> = {
  account: {
    create: {
      about: 'creates an account and its first key, which is shown once (default: plan pro, 1 project, 0 credits)',
      options: ['email', ...CHANGES],
      needs: [['email']],
      run: later('accountCreate'),
    },
    show: { about: 'shows an account', options: ONE_ACCOUNT, needs: [ONE_ACCOUNT], run: later('accountShow') },
    set: {
      about: 'changes the given settings of an account',
      options: [...ONE_ACCOUNT, ...CHANGES],
      needs: [ONE_ACCOUNT],
      changesAccount: true,
      run: later('accountSet'),
    },
  },
  key: {
    create: {
      about: 'creates a key, which is shown once',
      options: ['account', 'name', 'scopes', 'expires'],
      needs: [['account']],
      run: later('keyCreate'),
    },
    list: { about: 'lists the keys of an account', options: ['account'], needs: [['account']], run: later('keyList') },
    revoke: {
      about: 'revokes a key, by its number, or by its name in an account',
      options: ['key', 'id', 'account'],
      needs: [['key', 'id']],
      run: later('keyRevoke'),
    },
  },
  jobs: {
    list: { about: 'lists jobs that were given up or are late', options: [], needs: [], run: later('jobsList') },
    show: { about: 'shows one job with its payload', options: ['job'], needs: [['job']], run: later('jobsShow') },
    retry: {
      about: 'runs a job again that was given up or is waiting',
      options: ['job'],
      needs: [['job']],
      run: later('jobsRetry'),
    },
  },
  database: {
    restored: {
      about:
        'after a restore of the database: advances IDs and revisions, and ends again what ended since, by DATABASE_URL_REPLACED; without it all sessions and grants end, and keys wait for an owner',
      options: ['except'],
      needs: [],
      run: later('databaseRestored'),
    },
  },
  secrets: {
    rotate: {
      about: 'encrypts all secrets, and stored answers with secrets, again with the first key of SECRETS_KEYS',
      options: [],
      needs: [],
      run: later('secretsRotate'),
    },
  },
}

/** Throws UsageError if a required option is missing, or two alternatives are given. */
export const checkGiven = (command: Command, given: Given): void => {
  for (const names of command.needs) {
    const count = names.filter((name) => given[name] !== undefined).length
    const list = names.map((name) => `--${name}`).join(' or ')
    if (count === 0) throw new UsageError(`${list} is required.`)
    if (count > 1) throw new UsageError(`Give ${list}, not both.`)
  }
  const changeable = CHANGES.filter((name) => command.options.includes(name))
  if (command.changesAccount && changeable.every((name) => given[name] === undefined))
    throw new UsageError(`Nothing to set. Give one or more of ${changeable.map((name) => `--${name}`).join(', ')}.`)
  if (typeof given.key === 'string' && given.account === undefined)
    throw new UsageError('--account is required with the name of a key: other accounts may have a key with that name.')
}

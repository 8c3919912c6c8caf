import {
  type AccountChanges,
  createAccount,
  createKey,
  listKeys,
  revokeKey,
  type SqlRunner,
  setAccount,
  showAccount,
} from '../../src/accounts/admin.ts'
import { moveAfterRestore } from '../../src/accounts/restored.ts'
import { listTroubled, retryJob, showJob } from '../../src/jobs/admin.ts'
import { parseKeyRing } from '../../src/lib/crypto.ts'
import { rotateProviderKeys } from '../../src/provider-keys/rotate.ts'
import { rotateSecrets } from '../../src/publishing/connect/rotate-secrets.ts'
import { reasonOf } from '../database.ts'
import { type Given, type OptionName, UsageError } from './options.ts'
import { accountJson, accountText, issuedText, jobJson, jobsText, keyJson, keysText } from './present.ts'

/** What a command found or did, for scripts and for people. */
type Outcome = { json: Record<string, unknown>; text: string }

/** One thing an operator can do. */
export type Command = {
  about: string
  options: readonly OptionName[]
  /** Each entry: options of which exactly one must be given. */
  needs: readonly (readonly OptionName[])[]
  run: (sql: SqlRunner, given: Given) => Promise<Outcome>
}

const CHANGES = [
  'plan',
  'projects',
  'credits',
  'suspended',
  'outreach-pro',
  'outreach-beta',
] as const satisfies OptionName[]

const changesOf = (given: Given): AccountChanges => ({
  ...(given.plan === undefined ? {} : { plan: given.plan }),
  ...(given.projects === undefined ? {} : { projects: given.projects }),
  ...(given.credits === undefined ? {} : { credits: given.credits }),
  ...(given.suspended === undefined ? {} : { suspended: given.suspended }),
  ...(given['outreach-pro'] === undefined ? {} : { outreachPro: given['outreach-pro'] }),
  ...(given['outreach-beta'] === undefined ? {} : { outreachBeta: given['outreach-beta'] }),
})

/** The account a command is about; `needs` has seen to it that one is named. */
const accountOf = ({ account, email }: Given): string => account ?? email ?? ''

const accountCreate: Command['run'] = async (sql, given) => {
  const account = await createAccount(sql, accountOf(given), changesOf(given))
  const issued = await createKey(sql, String(account.id), { name: 'First key', scopes: ['read', 'write'] }).catch(
    (error: unknown) => {
      throw new Error(
        `Account ${account.id} was created, but its first key was not: ${reasonOf(error)} Issue one: key create --account ${account.id}`,
      )
    },
  )
  return {
    json: {
      account: accountJson(account),
      key: keyJson(issued.row, issued.key),
      account_id: account.id,
      api_key: issued.key,
    },
    text: `${accountText(account)}\n\n${issuedText(issued.key, issued.row, new Date())}`,
  }
}

const accountShow: Command['run'] = async (sql, given) => {
  const account = await showAccount(sql, accountOf(given))
  return { json: { account: accountJson(account) }, text: accountText(account) }
}

const accountSet: Command['run'] = async (sql, given) => {
  const account = await setAccount(sql, accountOf(given), changesOf(given))
  return { json: { account: accountJson(account) }, text: accountText(account) }
}

const keyCreate: Command['run'] = async (sql, given) => {
  const { key, row } = await createKey(sql, accountOf(given), {
    name: given.name ?? 'API key',
    scopes: given.scopes ?? ['read', 'write'],
    ...(given.expires ? { expiresAt: given.expires } : {}),
  })
  return {
    json: { key: keyJson(row, key), account_id: row.account_id, key_id: row.id, api_key: key },
    text: issuedText(key, row, new Date()),
  }
}

const keyList: Command['run'] = async (sql, given) => {
  const rows = await listKeys(sql, accountOf(given))
  return {
    json: { keys: rows.map((row) => keyJson(row)) },
    text: rows.length === 0 ? 'The account has no keys.' : keysText(rows, new Date()),
  }
}

const keyRevoke: Command['run'] = async (sql, given) => {
  const row = await revokeKey(sql, given.key ?? given.id ?? 0, given.account)
  return { json: { key: keyJson(row) }, text: keysText([row], new Date()) }
}

const secretsRotate: Command['run'] = async (sql) => {
  const keys = process.env.SECRETS_KEYS
  if (!keys) throw new UsageError('Set SECRETS_KEYS to the keys the service runs with, the new one first.')
  const ring = parseKeyRing(keys)
  const { keyId, rotated, unreadable, answers } = await rotateSecrets(sql, ring)
  const providerKeys = await rotateProviderKeys(sql, ring)
  const rest =
    unreadable.length > 0 ? ` No key opens those of integrations ${unreadable.join(', ')}: connect them again.` : ''
  const lost =
    providerKeys.unreadable.length > 0
      ? ` No key opens ${providerKeys.unreadable.length} provider keys: they have to be saved again.`
      : ''
  return {
    json: { key_id: keyId, rotated, unreadable, answers, provider_keys: providerKeys },
    text: `${rotated} integrations, ${providerKeys.rotated} provider keys and ${answers.rotated} kept answers are sealed again with the key ${keyId}.${rest}${lost}`,
  }
}

const MAX_JOBS = 100

const jobsList: Command['run'] = async (sql) => {
  const rows = await listTroubled(sql, MAX_JOBS)
  return { json: { jobs: rows.map(jobJson) }, text: rows.length === 0 ? 'No job is dead or overdue.' : jobsText(rows) }
}

const jobsShow: Command['run'] = async (sql, given) => {
  const row = await showJob(sql, given.job ?? 0)
  return { json: { job: jobJson(row) }, text: `${jobsText([row])}\n\n${JSON.stringify(row.payload, null, 2)}` }
}

const jobsRetry: Command['run'] = async (sql, given) => {
  const row = await retryJob(sql, given.job ?? 0)
  return { json: { job: jobJson(row) }, text: `Job ${row.id} runs again with the next minute.` }
}

const databaseRestored: Command['run'] = async (sql) => {
  const moved = await moveAfterRestore(sql)
  return {
    json: { ...moved },
    text: `${moved.sequences} sequences and the revisions of ${moved.articles} articles are moved ahead: no id and no delivery key is given out twice.`,
  }
}

const ONE_ACCOUNT = ['email', 'account'] as const

/** Every command by its two words. */
export const COMMANDS: Readonly<Record<string, Readonly<Record<string, Command>>>> = {
  account: {
    create: {
      about: 'creates an account and issues its first key, shown once (default: plan pro, 1 project, 0 credits)',
      options: ['email', ...CHANGES],
      needs: [['email']],
      run: accountCreate,
    },
    show: { about: 'shows an account', options: ONE_ACCOUNT, needs: [ONE_ACCOUNT], run: accountShow },
    set: {
      about: 'changes what is given of an account; the rest stays',
      options: [...ONE_ACCOUNT, ...CHANGES],
      needs: [ONE_ACCOUNT],
      run: accountSet,
    },
  },
  key: {
    create: {
      about: 'issues a key, shown once',
      options: ['account', 'name', 'scopes', 'expires'],
      needs: [['account']],
      run: keyCreate,
    },
    list: { about: 'lists the keys of an account', options: ['account'], needs: [['account']], run: keyList },
    revoke: {
      about: 'ends a key at once, by its number, or by its name in the account given',
      options: ['key', 'id', 'account'],
      needs: [['key', 'id']],
      run: keyRevoke,
    },
  },
  jobs: {
    list: { about: 'lists jobs that were given up or are overdue', options: [], needs: [], run: jobsList },
    show: { about: 'shows one job with its payload', options: ['job'], needs: [['job']], run: jobsShow },
    retry: {
      about: 'runs a job again that was given up or waits',
      options: ['job'],
      needs: [['job']],
      run: jobsRetry,
    },
  },
  database: {
    restored: {
      about: 'after a restore to an earlier moment: moves ids and revisions past those given out since',
      options: [],
      needs: [],
      run: databaseRestored,
    },
  },
  secrets: {
    rotate: {
      about: 'seals all secrets, and kept answers that hold one, with the first key of SECRETS_KEYS',
      options: [],
      needs: [],
      run: secretsRotate,
    },
  },
}

/** Throws UsageError when an option is missing, or two are given of which one is meant. */
export const checkGiven = (command: Command, given: Given): void => {
  for (const names of command.needs) {
    const count = names.filter((name) => given[name] !== undefined).length
    const list = names.map((name) => `--${name}`).join(' or ')
    if (count === 0) throw new UsageError(`${list} is required.`)
    if (count > 1) throw new UsageError(`Give ${list}, not both.`)
  }
  const changeable = CHANGES.filter((name) => command.options.includes(name))
  if (command.run === accountSet && changeable.every((name) => given[name] === undefined))
    throw new UsageError(`Nothing to set. Give one or more of ${changeable.map((name) => `--${name}`).join(', ')}.`)
  if (typeof given.key === 'string' && given.account === undefined)
    throw new UsageError('--account is required with the name of a key: other accounts may have one of that name.')
}

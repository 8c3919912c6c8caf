import { parseArgs } from 'node:util'
import { PLANS, type Plan, SCOPES, type Scope } from '../../schema/values/accounts.ts'
import { scopesOf } from '../../src/platform/accounts/scopes.ts'
import type { SqlRunner } from '../../src/platform/db/client.ts'
import { instantOf, isIsoTime } from '../../src/platform/lib/time.ts'

/** Error in a command line. The message names the option and the allowed values. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** Option: what its value is called (absent for a switch), and the parsed value, undefined if it is not allowed. */
type Option<T> = { takes?: string; about: string; allowed: string; parse: (text: string) => T | undefined }

const MAX_ID = 2_147_483_647
const MAX_EMAIL_CHARS = 254
const MAX_NAME_CHARS = 100
const MAX_PROJECTS = 100_000
const MAX_CREDITS = 1_000_000
const MAX_DAYS = 3_650
const DAY_MS = 86_400_000

const option = <T>(takes: string, about: string, allowed: string, parse: Option<T>['parse']): Option<T> => ({
  takes,
  about,
  allowed,
  parse,
})

const flag = (about: string): Option<boolean> => ({
  about,
  allowed: 'nothing, true or false',
  parse: (text) => (text === 'true' ? true : text === 'false' ? false : undefined),
})

const within = (text: string, min: number, max: number): number | undefined =>
  /^\d{1,10}$/.test(text) && Number(text) >= min && Number(text) <= max ? Number(text) : undefined

const email = (text: string): string | undefined =>
  /^[^\s@\p{C}]+@[^\s@\p{C}]+$/u.test(text) && text.length <= MAX_EMAIL_CHARS ? text : undefined

const accountName = (text: string): string | undefined =>
  within(text, 1, MAX_ID) === undefined ? email(text) : String(Number(text))

/** Sets of scopes that a key can have. */
const SCOPE_SETS = SCOPES.map((scope) => scopesOf(scope))
const ALLOWED_SCOPES = SCOPE_SETS.map((set) => set.join(',')).join(' or ')

const scopes = (text: string): Scope[] | undefined => {
  const parts = new Set(text.split(',').map((part) => part.trim()))
  return SCOPE_SETS.find((set) => set.length === parts.size && set.every((scope) => parts.has(scope)))
}

const expiry = (text: string): Date | undefined => {
  const days = /^(\d{1,4})d$/.exec(text)?.[1]
  if (days !== undefined) {
    const count = within(days, 1, MAX_DAYS)
    return count === undefined ? undefined : new Date(Date.now() + count * DAY_MS)
  }
  return isIsoTime(text) ? instantOf(text, 'UTC') : undefined
}

const keyName = (text: string): string | undefined => {
  const trimmed = text.trim()
  return trimmed !== '' && trimmed.length <= MAX_NAME_CHARS && !/\p{C}/u.test(trimmed) ? trimmed : undefined
}

const KEY_ID = 'the number of a key, as `key list` shows it'
const KEY_NAME = 'the number or the name of a key, as `key list` shows them'

/** Returns a key by its number, or by its name; never by the key itself. */
const keyNamed = (text: string): number | string | undefined =>
  within(text, 1, MAX_ID) ?? (/^gly_/.test(text.trim()) ? undefined : keyName(text))

const tables = (text: string): string[] | undefined => {
  const names = text.split(',').map((name) => name.trim())
  return names.every((name) => /^[a-z_]+$/.test(name)) ? names : undefined
}

const OPTIONS = {
  email: option('ADDRESS', 'email of the account', `an email address of at most ${MAX_EMAIL_CHARS} characters`, email),
  account: option('ID|EMAIL', 'the account, by number or email', 'the number or the email of an account', accountName),
  plan: option('PLAN', `one of ${PLANS.join(', ')}`, `one of ${PLANS.join(', ')}`, (text): Plan | undefined =>
    PLANS.find((plan) => plan === text),
  ),
  projects: option('N', 'project slots', `a whole number from 0 to ${MAX_PROJECTS}`, (text) =>
    within(text, 0, MAX_PROJECTS),
  ),
  credits: option('N', 'article credits', `a whole number from 0 to ${MAX_CREDITS}`, (text) =>
    within(text, 0, MAX_CREDITS),
  ),
  suspended: flag('suspended: every key answers 401'),
  'outreach-pro': flag('the Outreach Pro entitlement'),
  'outreach-beta': flag('the outreach beta is open for the account (default: open)'),
  name: option('NAME', 'what the key is for', `a name of 1 to ${MAX_NAME_CHARS} characters`, keyName),
  scopes: option('SCOPES', `${ALLOWED_SCOPES}; read,write if left out`, ALLOWED_SCOPES, scopes),
  expires: option(
    'WHEN',
    'days (30d) or an ISO date (its first moment, UTC) or time',
    `days from 1d to ${MAX_DAYS}d, or an ISO 8601 date or time such as 2027-12-31 or 2027-12-31T18:00Z`,
    expiry,
  ),
  key: option('NUMBER|NAME', KEY_NAME, KEY_NAME, keyNamed),
  id: option('NUMBER', 'the number of a key', KEY_ID, (text) => within(text, 1, MAX_ID)),
  job: option(
    'ID',
    'the number of a job, as `jobs list` shows it',
    'the number of a job, as `jobs list` shows it',
    (text) => within(text, 1, MAX_ID),
  ),
  except: option(
    'TABLES',
    'tables that the damage changed, by name, with commas: their restored rows are right',
    'names of tables in which something ends, such as people,memberships',
    tables,
  ),
  dir: option('D', 'folder of the running local service (default .galley)', 'a folder', (text) => text || undefined),
  json: flag('one JSON object on standard output'),
  help: flag('this text'),
}

/** Name of an option. */
export type OptionName = keyof typeof OPTIONS
/** Values from the command line. */
export type Given = { [Name in OptionName]?: NonNullable<ReturnType<(typeof OPTIONS)[Name]['parse']>> }

/** Result of a command, for scripts and for people. */
type Outcome = { json: Record<string, unknown>; text: string }

/** Function that runs a command on a database, with its options and the environment. */
export type Run = (sql: SqlRunner, given: Given, env: NodeJS.ProcessEnv) => Promise<Outcome>

/** Options of every command. */
export const COMMON: readonly OptionName[] = ['dir', 'json', 'help']

const isOptionName = (name: string): name is OptionName => Object.hasOwn(OPTIONS, name)
const optionOf = (name: OptionName): Option<unknown> => OPTIONS[name]

const isFlag = (name: OptionName): boolean => optionOf(name).takes === undefined

type Token = { name: string; rawName: string; value?: string | undefined; inlineValue?: boolean | undefined }

/** Returns a text for messages. A key that was pasted in the wrong place does not appear on the screen or in a log. */
const shown = (text: string): string => JSON.stringify(text.replace(/gly_\w+/g, 'gly_…').slice(0, 60))

const textOf = (name: OptionName, { rawName, value, inlineValue }: Token, negated: boolean): string => {
  const { allowed } = optionOf(name)
  if (negated && value !== undefined) throw new UsageError(`${rawName} takes no value.`)
  if (isFlag(name)) return value ?? String(!negated)
  if (value === undefined || (!inlineValue && value.startsWith('--')))
    throw new UsageError(`${rawName} needs a value: ${allowed}.`)
  return value
}

const readToken = (token: Token, allowed: readonly OptionName[]): [OptionName, unknown] => {
  const positive = token.name.startsWith('no-') ? token.name.slice(3) : token.name
  const negated = positive !== token.name
  if (!isOptionName(positive) || !allowed.includes(positive) || (negated && !isFlag(positive)))
    throw new UsageError(
      `There is no option ${token.rawName} here. Allowed: ${allowed.map((name) => `--${name}`).join(', ')}; --help explains them.`,
    )
  const text = textOf(positive, token, negated)
  const value = optionOf(positive).parse(text)
  if (value === undefined)
    throw new UsageError(`--${positive} cannot be ${shown(text)}. Allowed: ${optionOf(positive).allowed}.`)
  return [positive, value]
}

/** Splits a command line into its words and its options. `allowedFor` returns the options that those words allow. */
export const readArguments = (
  argv: string[],
  allowedFor: (words: string[]) => readonly OptionName[],
): { words: string[]; given: Given } => {
  const types = Object.entries(OPTIONS).map(([name, { takes }]) => [name, { type: takes ? 'string' : 'boolean' }])
  const options = { ...Object.fromEntries(types), help: { type: 'boolean', short: 'h' } }
  const { positionals: words, tokens } = parseArgs({
    args: argv,
    strict: false,
    tokens: true,
    allowPositionals: true,
    options,
  })
  const allowed = allowedFor(words)
  const given: Partial<Record<OptionName, unknown>> = {}
  for (const token of tokens) {
    if (token.kind !== 'option') continue
    const [name, value] = readToken(token, allowed)
    if (name in given) throw new UsageError(`--${name} is given twice.`)
    given[name] = value
  }
  return { words, given: given as Given }
}

/** Lines for a help text, one per option. */
export const describeOptions = (names: readonly OptionName[]): string => {
  const left = (name: OptionName) => {
    const { takes } = optionOf(name)
    if (takes) return `--${name} ${takes}`
    return COMMON.includes(name) ? `--${name}` : `--${name}, --no-${name}`
  }
  const width = Math.max(...names.map((name) => left(name).length))
  return names.map((name) => `  ${left(name).padEnd(width)}  ${optionOf(name).about}\n`).join('')
}

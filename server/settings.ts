import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { isIP } from 'node:net'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { SETTINGS as DEPLOYED, KEY_RINGS, type SettingName } from '../scripts/deploy/settings.ts'
import { parseKeyRing } from '../src/platform/lib/crypto.ts'
import { ServerFault } from './fault.ts'

type About = { about: string; value?: string; optional?: true }

/** Settings that only a machine of one's own has. */
const OWN = {
  PUBLIC_URL: { about: 'address of the service, as people and programs reach it: https://galley.example.com' },
  OWNER_EMAIL: { about: 'address of the first account’s owner' },
  DATABASE_URL: { about: 'PostgreSQL 15 or later: postgresql://user:password@host/database' },
  REDIS_URL: { about: 'Redis or Valkey: redis://127.0.0.1:6379/0', value: 'redis://127.0.0.1:6379/0' },
  LISTEN: {
    about: 'host and port that the proxy calls; 127.0.0.1:8787',
    optional: true,
  },
  TRUSTED_PROXIES: {
    about: 'addresses of proxies whose X-Forwarded-For is believed, with commas; 127.0.0.0/8,::1/128',
    optional: true,
  },
  SMTP_URL: {
    about: 'mail server: smtp://user:password@mail.example.com:587, or smtps:// for port 465. Or set MAIL_API_KEY',
    optional: true,
  },
  METRICS_LISTEN: {
    about: 'host and port for metrics, such as 127.0.0.1:9464; absent: only by the command metrics',
    optional: true,
  },
  ALARM_EMAIL: { about: 'who is mailed if a part is not well; OWNER_EMAIL', optional: true },
  BACKUP_PASSWORD: {
    about: 'encrypts backups. Keep it elsewhere too: without it no backup can be opened',
    optional: true,
  },
  PICTURES_S3_URL: {
    about: 'bucket for pictures: https://s3.eu-central-1.amazonaws.com/my-pictures; absent: the folder pictures/',
    optional: true,
  },
  PICTURES_S3_REGION: { about: 'region of the bucket; us-east-1', optional: true },
  PICTURES_S3_KEY_ID: { about: 'access key of the bucket', optional: true },
  PICTURES_S3_SECRET: { about: 'secret of that access key', optional: true },
  ALLOW_PRIVATE_HOSTS: {
    about:
      '`true`: sites may have private addresses. Then customers reach this machine’s network; only for your own sites',
    optional: true,
  },
} as const satisfies Record<string, About>

type OwnName = keyof typeof OWN

/** Settings of a deployment that do not exist here: accounts at hosts, and names that this machine sets itself. */
const NOT_HERE = [
  'CLOUDFLARE_API_TOKEN',
  'CLOUDFLARE_ACCOUNT_ID',
  'DATABASE_URL_DIRECT',
  'NEON_API_KEY',
  'UPSTASH_REDIS_REST_URL',
  'UPSTASH_REDIS_REST_TOKEN',
  'UPSTASH_EMAIL',
  'UPSTASH_API_KEY',
  'QSTASH_URL',
  'QSTASH_TOKEN',
  'QSTASH_CURRENT_SIGNING_KEY',
  'QSTASH_NEXT_SIGNING_KEY',
  'ALARM_URL',
  'CRON_REST_MINUTES',
  'MAIL_PROVIDER',
  'STATUS_BUCKET_URL',
  'STATUS_BUCKET_REGION',
  'STATUS_BUCKET_KEY_ID',
  'STATUS_BUCKET_SECRET',
] as const satisfies readonly SettingName[]

type SharedName = Exclude<SettingName, (typeof NOT_HERE)[number] | OwnName>

const SHARED = Object.fromEntries(
  Object.entries(DEPLOYED).filter(([name]) => !(name in OWN) && !(NOT_HERE as readonly string[]).includes(name)),
) as Record<SharedName, About>

/** Every setting of `galley-server`, in the order of the file. */
const SERVER_SETTINGS: Readonly<Record<string, About>> = { ...OWN, ...SHARED }

/** Settings of a service on one's own machine, by name. */
export type ServerSettings = { [name in 'PUBLIC_URL' | 'OWNER_EMAIL' | 'DATABASE_URL' | 'REDIS_URL']: string } & {
  SECRETS_KEYS: string
} & { [name in OwnName | SharedName]?: string }

/** Address that the proxy calls, if LISTEN is not set. */
export const DEFAULT_LISTEN = '127.0.0.1:8787'

/** Name of the file of settings in the folder of the data. */
export const SETTINGS_FILE = 'galley.env'

const HOST_AND_PORT = /^(\[[\da-f:]+\]|[\w.-]+):(\d{1,5})$/i

/** Returns host and port from a setting such as `127.0.0.1:8787`; undefined if it is none. */
export const hostAndPort = (text: string): { host: string; port: number } | undefined => {
  const [, host, port] = HOST_AND_PORT.exec(text) ?? []
  if (host === undefined || Number(port) > 65_535) return undefined
  return { host: host.replace(/^\[|\]$/g, ''), port: Number(port) }
}

const isNetwork = (text: string): boolean => {
  const [address = '', bits] = text.split('/')
  const kind = isIP(address)
  const most = kind === 4 ? 32 : 128
  return kind !== 0 && (bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= most))
}

/** Returns the networks in a setting. */
export const networksIn = (text: string): string[] =>
  text
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '')

const isUrl = (text: string, protocols: RegExp): boolean =>
  protocols.test(URL.canParse(text) ? new URL(text).protocol : '')

const isKeyRing = (text: string): boolean => {
  try {
    return parseKeyRing(text).length > 0
  } catch {
    return false
  }
}

const MAIL = /^[^\s@"<>]+@[^\s@"<>]+\.[^\s@"<>]+$/

/** Settings whose form is checked before a start, each with what is allowed. Messages never repeat a value. */
const FORMS: Readonly<Record<string, { isFit: (value: string) => boolean; allowed: string }>> = {
  PUBLIC_URL: {
    isFit: (value) => isUrl(value, /^https?:$/) && new URL(value).pathname === '/' && !value.includes('?'),
    allowed: 'an address without a path, such as https://galley.example.com',
  },
  OWNER_EMAIL: { isFit: (value) => MAIL.test(value), allowed: 'a mail address' },
  DATABASE_URL: { isFit: (value) => isUrl(value, /^postgres(ql)?:$/), allowed: 'postgresql://user:password@host/name' },
  REDIS_URL: { isFit: (value) => isUrl(value, /^rediss?:$/), allowed: 'redis://host:port/number' },
  LISTEN: { isFit: (value) => hostAndPort(value) !== undefined, allowed: 'host:port, such as 127.0.0.1:8787' },
  METRICS_LISTEN: { isFit: (value) => hostAndPort(value) !== undefined, allowed: 'host:port, such as 127.0.0.1:9464' },
  ALARM_EMAIL: { isFit: (value) => MAIL.test(value), allowed: 'a mail address' },
  PICTURES_S3_URL: {
    isFit: (value) => isUrl(value, /^https?:$/) && new URL(value).pathname.length > 1 && !/[?#]/.test(value),
    allowed: 'an address with the name of the bucket, such as https://s3.example.com/pictures',
  },
  TRUSTED_PROXIES: {
    isFit: (value) => networksIn(value).every(isNetwork),
    allowed: 'addresses or networks with commas, such as 127.0.0.1,10.0.0.0/8',
  },
  SMTP_URL: { isFit: (value) => isUrl(value, /^smtps?:$/), allowed: 'smtp://user:password@host:port' },
  ALLOW_PRIVATE_HOSTS: { isFit: (value) => value === 'true' || value === 'false', allowed: 'true or false' },
  SECRETS_KEYS: { isFit: isKeyRing, allowed: 'name:32 bytes in base64, several with commas' },
  RECEIPT_KEYS: { isFit: isKeyRing, allowed: 'name:32 bytes in base64, several with commas' },
  REQUEST_KEYS: { isFit: isKeyRing, allowed: 'name:32 bytes in base64, several with commas' },
  WRITER_PROVIDER: {
    isFit: (value) => ['built-in', 'openai-compatible', 'anthropic'].includes(value),
    allowed: 'built-in, openai-compatible or anthropic',
  },
  IMAGES_PROVIDER: {
    isFit: (value) => ['none', 'openai-compatible'].includes(value),
    allowed: 'none or openai-compatible',
  },
}

const REQUIRED = Object.entries(SERVER_SETTINGS).flatMap(([name, setting]) => (setting.optional ? [] : [name]))

/** Returns settings from the text of a file. Throws a ServerFault that names each wrong one, never a value. */
export const settingsIn = (text: string, file: string): ServerSettings => {
  const given = Object.fromEntries(Object.entries(parseEnv(text)).filter(([, value]) => value !== ''))
  const unknown = Object.keys(given).filter((name) => !(name in SERVER_SETTINGS))
  const missing = REQUIRED.filter((name) => !given[name])
  const unfit = Object.entries(FORMS).filter(([name, { isFit }]) => given[name] !== undefined && !isFit(given[name]))
  const faults = [
    ...unknown.map((name) => `${name} is no setting.`),
    ...missing.map((name) => `${name} is missing: ${SERVER_SETTINGS[name]?.about}.`),
    ...unfit.map(([name, { allowed }]) => `${name} must be ${allowed}.`),
    ...(given.PICTURES_S3_URL
      ? ['PICTURES_S3_KEY_ID', 'PICTURES_S3_SECRET'].flatMap((name) =>
          given[name] ? [] : [`${name} is missing: PICTURES_S3_URL needs it.`],
        )
      : []),
    ...(given.SMTP_URL && !given.MAIL_FROM ? ['MAIL_FROM is missing: SMTP_URL needs a sender.'] : []),
  ]
  if (faults.length > 0)
    throw new ServerFault(`${file} cannot be used:\n  ${faults.join('\n  ')}`, 'Nothing was started. Edit the file.')
  const { PUBLIC_URL: url = '' } = given
  return { ...given, PUBLIC_URL: url.replace(/\/+$/, '') } as ServerSettings
}

/** Reads the settings of a folder. Throws a ServerFault if there is no file, if others can read it, or if it is wrong. */
export const readSettings = (data: string): ServerSettings => {
  const file = join(data, SETTINGS_FILE)
  if (!existsSync(file)) throw new ServerFault(`There is no ${file}.`, 'Write one: npm run galley-server -- init')
  if ((statSync(file).mode & 0o077) !== 0)
    throw new ServerFault(`${file} has secrets, and other users of this machine can read it.`, `Run: chmod 600 ${file}`)
  return settingsIn(readFileSync(file, 'utf8'), file)
}

/** Returns a value as a file of settings writes it. */
const quoted = (value: string): string => (/^[\w@%+=:,./~-]*$/.test(value) ? value : `'${value}'`)

const line = (name: string, value: string | undefined): string => {
  const setting = SERVER_SETTINGS[name]
  const shown = value ?? setting?.value
  return `# ${setting?.about ?? ''}\n${shown === undefined ? '#' : ''}${name}=${quoted(shown ?? '')}\n`
}

/** Returns a file with every setting. Those that are not given are comments, and there are new keys. */
export const settingsText = (given: Readonly<Record<string, string>>): string => {
  const values: Record<string, string> = {
    ...Object.fromEntries(KEY_RINGS.map((name) => [name, `k1:${randomBytes(32).toString('base64')}`])),
    ...given,
  }
  const lines = Object.keys(SERVER_SETTINGS).map((name) => line(name, values[name]))
  return `# Settings of galley-server. Keep this file: without SECRETS_KEYS, customers' secrets cannot be decrypted.\n\n${lines.join('\n')}`
}

/** Returns the text of a file of settings with other values. Those that are undefined stay as they are. */
export const withValues = (text: string, values: Readonly<Record<string, string | undefined>>): string =>
  Object.entries(values).reduce((before, [name, value]) => {
    if (value === undefined) return before
    const line = new RegExp(`^#?${name}=.*$`, 'm')
    const wanted = `${name}=${quoted(value)}`
    return line.test(before) ? before.replace(line, () => wanted) : `${before}\n${wanted}\n`
  }, text)

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { createClient } from '../../client/src/api.generated.ts'
import { configOf } from '../../client/src/config.ts'
import type { Galley } from '../../client/src/index.ts'
import type { Common } from './arguments.ts'
import { COMMANDS } from './commands.ts'
import { type Command, methodName, pathNames } from './operation.ts'
import { say } from './output.ts'
import { UsageError } from './usage-error.ts'

/**
 * Returns an operation for the client. It is made from the table of commands, which is shorter than the client's own
 * table.
 */
const descriptorOf = (id: string, { method, path, query, body }: Command) => ({
  id,
  method,
  path: path.replaceAll(/:(\w+)/g, '{$1}'),
  params: [
    ...pathNames(path).map((name) => ({ name, in: 'path' as const })),
    ...Object.entries(query ?? {}).map(([name, kind]) => ({
      name,
      in: 'query' as const,
      ...(kind === 'l' ? { style: 'form' as const, explode: false } : {}),
    })),
  ],
  ...(body ? { body: { contentType: 'application/json' } } : {}),
  security: [[{ scheme: 'apiKey', kind: 'bearer' as const }]],
})

/** Returns the client of an account. */
const clientOf = (url: string, key: string): Galley => {
  const operations = Object.entries(COMMANDS).map(([id, one]) => [methodName(id), descriptorOf(id, one)])
  return createClient(Object.fromEntries(operations), configOf({ url, key })) as unknown as Galley
}

type Saved = { service?: string; key?: string }

const file = (): string => join(process.env.XDG_CONFIG_HOME || join(homedir(), '.config'), 'galley', 'config.json')

const saved = (): Saved => {
  try {
    return JSON.parse(readFileSync(file(), 'utf8')) as Saved
  } catch {
    return {}
  }
}

/** Returns the address of a service unchanged. Throws UsageError if it is not an address. */
const addressIn = (given: string): string => {
  if (/^https?:$/.test(URL.canParse(given) ? new URL(given).protocol : '')) return given
  throw new UsageError(`${given} is not the address of a service, such as https://api.example.com.`)
}

/**
 * Returns the client of a service: from the options, from GALLEY_URL and GALLEY_API_KEY, or from the last login, in
 * this order.
 */
export const connect = ({ service, key }: Common): Galley => {
  const before = saved()
  const url = service ?? process.env.GALLEY_URL ?? before.service
  const secret = key ?? process.env.GALLEY_API_KEY ?? before.key
  if (!url || !secret) throw new UsageError('Run galley login first, or set GALLEY_URL and GALLEY_API_KEY.')
  return clientOf(addressIn(url), secret)
}

const ask = async (question: string, isSecret: boolean): Promise<string> => {
  const [{ createInterface }, { Writable }] = await Promise.all([
    import('node:readline/promises'),
    import('node:stream'),
  ])
  process.stderr.write(question)
  // Hides the typed characters.
  const output = isSecret ? new Writable({ write: (_chunk, _encoding, done) => done() }) : process.stderr
  const lines = createInterface({ input: process.stdin, output, terminal: process.stdin.isTTY })
  try {
    return (await lines.question('')).trim()
  } catch (cause) {
    throw new UsageError('Nothing was saved.', { cause })
  } finally {
    lines.close()
    if (isSecret) process.stderr.write('\n')
  }
}

/** Checks a key with the service, and saves both for later commands. */
export const login = async (common: Common): Promise<void> => {
  const { isTTY } = process.stdin
  const given =
    common.service ??
    process.env.GALLEY_URL ??
    saved().service ??
    (isTTY ? await ask('Address of the service: ', false) : '')
  if (given === '') throw new UsageError('Give the address of the service: galley login --service https://…')
  const service = addressIn(given)
  const page = new URL('/settings/keys', service)
  const key =
    common.key ?? (isTTY ? await ask(`API key (create one at ${page}): `, true) : readFileSync(0, 'utf8').trim())
  if (key === '') throw new UsageError('Give the key with --key, or on standard input.')
  const { key: own } = await clientOf(service, key).accountGet({ query: { include: ['key'] } })
  mkdirSync(dirname(file()), { recursive: true, mode: 0o700 })
  writeFileSync(file(), `${JSON.stringify({ service, key }, null, 2)}\n`, { mode: 0o600 })
  say(`Logged in with the key ${own?.name ?? ''}. Saved in ${file()}.`)
}

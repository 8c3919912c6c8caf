import { existsSync, statSync, writeFileSync } from 'node:fs'
import { isAbsolute, join } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { ROOT } from '../local/root.ts'
import { ServerFault } from './fault.ts'
import { caddyText, unitText } from './files.ts'
import { pointTo } from './places.ts'
import { DEFAULT_LISTEN, SETTINGS_FILE, settingsIn, settingsText } from './settings.ts'
import { OWN_DATABASE, settleIn } from './user.ts'

/** Answers to the three questions, as far as the command line has them. */
type Asked = { address?: string | undefined; owner?: string | undefined; data?: string | undefined }

type Options = Asked & {
  /** User that runs the service, if root sets it up; `galley` by default. */
  user?: string | undefined
}

const DEFAULT_DATA = '/var/lib/galley'

const QUESTIONS = [
  ['address', 'Address of the service (https://galley.example.com): ', '--address'],
  ['owner', 'Mail address of the owner: ', '--owner'],
  ['data', `Folder of the data (${DEFAULT_DATA}): `, '--data'],
] as const

/** Returns the answers. Asks for those that are missing. Throws a ServerFault if there is nobody to ask. */
const answersTo = async (asked: Asked): Promise<Record<keyof Asked, string>> => {
  const open = QUESTIONS.filter(([name]) => !asked[name])
  const answers: Asked = { ...asked }
  if (open.length > 0 && process.stdin.isTTY) {
    const terminal = createInterface({ input: process.stdin, output: process.stdout })
    for (const [name, question] of open) answers[name] = (await terminal.question(question)).trim()
    terminal.close()
  }
  const { address = '', owner = '', data = '' } = answers
  const missing = QUESTIONS.filter(([name]) => name !== 'data' && !answers[name]).map(([, , flag]) => flag)
  if (missing.length > 0) throw new ServerFault(`Missing: ${missing.join(', ')}.`, 'Nothing was changed.')
  return { address, owner, data: data === '' ? DEFAULT_DATA : data }
}

/** Writes the files of a service. Returns the next steps. Throws a ServerFault if others can open the folder. */
export const furnish = (data: string, user: string, text: string): string => {
  const { PUBLIC_URL: address, LISTEN: listen = DEFAULT_LISTEN } = settingsIn(text, SETTINGS_FILE)
  if ((statSync(data).mode & 0o077) !== 0)
    throw new ServerFault(`Other users of this machine can open ${data}.`, `Run: chmod 700 ${data}`)
  pointTo(data, ROOT)
  writeFileSync(join(data, 'galley.service'), unitText(data, user))
  writeFileSync(join(data, 'Caddyfile'), caddyText(address, listen))
  writeFileSync(join(data, SETTINGS_FILE), text, { mode: 0o600 })
  const run = (what: string): string =>
    `npm run galley-server -- ${what}${data === DEFAULT_DATA ? '' : ` --data ${data}`}`
  return `Written: ${join(data, SETTINGS_FILE)} (settings and secrets; keep a copy elsewhere), galley.service, Caddyfile.

Next:
  1. Start it:        cp ${join(data, 'galley.service')} /etc/systemd/system/ && systemctl enable --now galley
     (without systemd: ${run('start')})
  2. TLS with Caddy:  cp ${join(data, 'Caddyfile')} /etc/caddy/Caddyfile && systemctl reload caddy
  3. Your account:    ${run('owner --key')}
  4. Check all parts: ${run('doctor')}`
}

/**
 * Sets a service up: settings with new secrets, a systemd unit, and a configuration of Caddy. As root it also creates a user
 * and a database, unless DATABASE_URL names one.
 *
 * Throws a ServerFault if the folder has settings already, or if an answer is not valid; nothing is changed then.
 */
export const init = async (options: Options, env: NodeJS.ProcessEnv): Promise<string> => {
  const { user, ...asked } = options
  const { address, owner, data } = await answersTo(asked)
  if (!isAbsolute(data)) throw new ServerFault(`${data} is no absolute path.`, 'Nothing was changed.')
  const file = join(data, SETTINGS_FILE)
  if (existsSync(file)) throw new ServerFault(`${file} exists already.`, 'Nothing was changed. Edit that file.')
  const databaseUrl = env.DATABASE_URL ?? OWN_DATABASE
  const text = settingsText({
    PUBLIC_URL: address,
    OWNER_EMAIL: owner,
    DATABASE_URL: databaseUrl,
    ...(env.REDIS_URL ? { REDIS_URL: env.REDIS_URL } : {}),
    ...(env.LISTEN ? { LISTEN: env.LISTEN } : {}),
  })
  settingsIn(text, file)
  return furnish(data, settleIn(data, { user, databaseUrl }), text)
}

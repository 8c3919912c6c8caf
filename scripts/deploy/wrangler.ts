import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { ROOT } from '../../local/root.ts'
import { DeployFault } from './fault.ts'

/** Access of wrangler to the account. Without a token, it uses the sign-in of `wrangler login`. */
export type Access = { token: string | undefined; accountId?: string }

type Ended = { code: number | null; output: string }

/** Runs wrangler without questions. Returns its output, for messages about a failure. */
export const runWrangler = (args: readonly string[], access: Access): Promise<Ended> =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [join(ROOT, 'node_modules/wrangler/bin/wrangler.js'), ...args], {
      cwd: ROOT,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        ...process.env,
        ...(access.token ? { CLOUDFLARE_API_TOKEN: access.token } : {}),
        ...(access.accountId ? { CLOUDFLARE_ACCOUNT_ID: access.accountId } : {}),
        CI: '1',
        WRANGLER_SEND_METRICS: 'false',
      },
    })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk))
    child.on('error', reject)
    child.on('close', (code) => resolve({ code, output }))
  })

/** Returns wrangler's error message, without its banner and its advice. */
const faultIn = (output: string): string => {
  const lines = stripVTControlCharacters(output)
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !/^(⛅|─|🪵|If you think this is a bug)/u.test(line))
  const at = lines.findIndex((line) => line.includes('[ERROR]'))
  return (at < 0 ? lines.slice(-6) : lines.slice(at, at + 6)).join('\n  ').replace(/^.*\[ERROR\] /, '')
}

/** Worker to deploy: its wrangler configuration, its secrets, and the marks of its version. */
export type Upload = {
  config: Record<string, unknown>
  secrets: Record<string, string>
  /** At most 25 characters. */
  tag: string
  message: string
}

/**
 * Deploys one Worker with its secrets as one version. Throws a DeployFault with wrangler's message.
 *
 * The secrets are in a file that only this user can read, and that is removed afterwards.
 */
export const uploadWorker = async ({ config, secrets, tag, message }: Upload, access: Access): Promise<void> => {
  const dir = mkdtempSync(join(tmpdir(), 'galley-deploy-'))
  try {
    const [configFile, secretsFile] = [join(dir, 'wrangler.json'), join(dir, 'secrets.json')]
    writeFileSync(configFile, JSON.stringify(config))
    writeFileSync(secretsFile, JSON.stringify(secrets), { mode: 0o600 })
    const withSecrets = Object.keys(secrets).length > 0 ? ['--secrets-file', secretsFile] : []
    const { code, output } = await runWrangler(
      ['deploy', '-c', configFile, ...withSecrets, '--tag', tag, '--message', message],
      access,
    )
    if (code !== 0)
      throw new DeployFault(
        `Cloudflare did not accept ${String(config.name)}:\n  ${faultIn(output)}`,
        'The Workers after it were not deployed. Those before it run beside the older ones, as in every deployment. Fix this and run the same command again: it continues here.',
      )
  } finally {
    rmSync(dir, { recursive: true, force: true })
  }
}

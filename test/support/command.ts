import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ROOT } from '../../local/root.ts'
import { runAdmin } from '../../scripts/admin/run.ts'
import type { Target } from './client.ts'

/** Result of a command. */
export type Ended = { code: number | null; out: string; err: string; json: Record<string, unknown> }

const jsonOf = (text: string): Record<string, unknown> => {
  try {
    return JSON.parse(text) as Record<string, unknown>
  } catch {
    return {}
  }
}

/** Runs a script of this project in a process of its own; DATABASE_URL reaches it only when it is in `env`. */
export const runScript = async (script: string, args: string[], env: Record<string, string> = {}): Promise<Ended> => {
  const { DATABASE_URL: _, ...rest } = process.env
  const child = spawn(process.execPath, [join(ROOT, script), ...args], { env: { ...rest, ...env } })
  let out = ''
  let err = ''
  child.stdout.on('data', (chunk: Buffer) => (out += chunk))
  child.stderr.on('data', (chunk: Buffer) => (err += chunk))
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, out, err, json: jsonOf(out) }
}

/** Runs an operator's command as `scripts/admin.ts` does, in this process: starting one takes longer than most commands. */
export const runAdminHere = async (args: string[], env: Record<string, string> = {}): Promise<Ended> => {
  const { DATABASE_URL: _, ...rest } = process.env
  let out = ''
  let err = ''
  const code = await runAdmin(args, {
    env: { ...rest, ...env },
    out: (text) => {
      out += text
    },
    err: (text) => {
      err += text
    },
  })
  return { code, out, err, json: jsonOf(out) }
}

/** Returns a folder with the `service.json` that a service running on the target would have written, or with the one given. */
export const serviceFolder = (target: Pick<Target, 'neonUrl' | 'connectionString'> | string) => {
  const dir = mkdtempSync(join(tmpdir(), 'galley-service-'))
  const text =
    typeof target === 'string'
      ? target
      : JSON.stringify({ neon_url: target.neonUrl, connection_string: target.connectionString })
  writeFileSync(join(dir, 'service.json'), text)
  return { dir, remove: () => rmSync(dir, { recursive: true, force: true }) }
}

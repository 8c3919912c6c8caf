import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import type { Readable } from 'node:stream'
import { ROOT, WORKERS } from './bundle.ts'

/** The date the Workers are deployed with, so that the runtime behaves here as it does there. */
const compatibilityDate = (): string => {
  const date = /^compatibility_date = "(.+)"$/m.exec(readFileSync(join(ROOT, 'wrangler.toml'), 'utf8'))?.[1]
  if (!date) throw new Error('wrangler.toml names no compatibility_date')
  return date
}
/** Which Workers each Worker is bound to, as its wrangler.toml says. */
const GROUPS = { PROJECTS: 'projects', ARTICLES: 'articles', PUBLISHING: 'publishing', RESEARCH: 'research' }
const servicesOf = (name: string): Record<string, string> => {
  if (name === 'gateway') return { ...GROUPS, JOBS: 'jobs' }
  if (name === 'jobs') return { WRITER: 'writer', CMS: 'cms' }
  if (name === 'publishing') return { JOBS: 'jobs', CMS: 'cms' }
  return name === 'writer' || name === 'cms' ? {} : { JOBS: 'jobs' }
}

/** Fires the jobs Worker's `scheduled` handler, which production fires by its cron trigger. */
const CRON_WORKER = `export default {
  async fetch(request, env) {
    const result = await env.JOBS.scheduled({ scheduledTime: new Date(), cron: '* * * * *' })
    return Response.json(result, { status: result.outcome === 'ok' ? 200 : 500 })
  },
}`

export type WorkerdOptions = {
  /** Folder with `<worker>/index.js` of every Worker. */
  bundles: string
  /** Folder for the generated configuration. */
  dir: string
  port: number
  /** Settings and secrets, the same for every Worker. */
  vars: Record<string, string>
  /** File that gets the Workers' logs. */
  logFile: string
}

export type Workerd = {
  url: string
  port: number
  pid: number
  /** Answers when the minute's cron, fired by the request, has ended. */
  cronUrl: string
  /** Fires the minute's cron and waits for its end. Throws when it failed. */
  cron: () => Promise<void>
  /** Ends the process at once, as a crash would. */
  kill: () => Promise<void>
  close: () => Promise<void>
}

const quote = (text: string): string => JSON.stringify(text)

const workerConst = (name: string, bundle: string, vars: Record<string, string>): string => {
  const bindings = [
    ...Object.entries(vars).map(([key, value]) => `(name = ${quote(key)}, text = ${quote(value)})`),
    ...Object.entries(servicesOf(name)).map(([key, service]) => `(name = ${quote(key)}, service = ${quote(service)})`),
  ]
  return `const ${name} :Workerd.Worker = (
  modules = [(name = "index.js", esModule = embed ${quote(bundle)})],
  compatibilityDate = ${quote(compatibilityDate())},
  bindings = [${bindings.join(', ')}],
);`
}

const configuration = ({ bundles, dir, port, vars }: WorkerdOptions): string => {
  const names = Object.keys(WORKERS)
  const workers = names.map((name) => workerConst(name, relative(dir, join(bundles, name, 'index.js')), vars))
  return `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "internet", network = (allow = ["public", "private"], tlsOptions = (trustBrowserCas = true))),
    ${[...names, 'cron'].map((name) => `(name = ${quote(name)}, worker = .${name})`).join(',\n    ')},
  ],
  sockets = [
    (name = "http", address = "127.0.0.1:${port}", http = (), service = "gateway"),
    (name = "cron", address = "127.0.0.1:0", http = (), service = "cron"),
  ],
);
${workers.join('\n')}
const cron :Workerd.Worker = (
  modules = [(name = "cron.js", esModule = embed "cron.js")],
  compatibilityDate = ${quote(compatibilityDate())},
  compatibilityFlags = ["service_binding_extra_handlers"],
  bindings = [(name = "JOBS", service = "jobs")],
);
`
}

/** Ports of the sockets as workerd reports them on its control pipe. */
const listening = (child: ChildProcess, sockets: readonly string[], logFile: string): Promise<Record<string, number>> =>
  new Promise((resolve, reject) => {
    const ports: Record<string, number> = {}
    let text = ''
    const control = child.stdio[3] as Readable
    control.on('data', (chunk: Buffer) => {
      const lines = (text + chunk).split('\n')
      text = lines.pop() ?? ''
      for (const line of lines) {
        const event = JSON.parse(line) as { event: string; socket?: string; port?: number }
        if (event.event === 'listen' && event.socket) ports[event.socket] = event.port ?? 0
      }
      if (sockets.every((name) => name in ports)) resolve(ports)
    })
    child.once('error', reject)
    child.once('exit', (code) =>
      reject(new Error(`workerd ended (${code}) before it listened:\n${readFileSync(logFile, 'utf8').slice(-4_000)}`)),
    )
  })

const ended = (child: ChildProcess): Promise<void> =>
  child.exitCode !== null || child.signalCode !== null
    ? Promise.resolve()
    : new Promise((resolve) => child.once('exit', () => resolve()))

/**
 * Runs the Workers' production bundles on workerd itself, joined by service bindings as in production. Only settings and
 * tokens differ. Throws when workerd does not start.
 */
export const startWorkerd = async (options: WorkerdOptions): Promise<Workerd> => {
  mkdirSync(options.dir, { recursive: true })
  writeFileSync(join(options.dir, 'cron.js'), CRON_WORKER)
  const file = join(options.dir, 'config.capnp')
  writeFileSync(file, configuration(options))
  const binary = join(ROOT, 'node_modules/workerd/bin/workerd')
  // The log is written by workerd itself: through this process every line would cost it a turn.
  const log = openSync(options.logFile, 'a')
  const child = spawn(binary, ['serve', '--experimental', '--control-fd=3', file, 'config'], {
    stdio: ['ignore', log, log, 'pipe'],
  })
  closeSync(log)
  const ports = await listening(child, ['http', 'cron'], options.logFile)
  const stop = async (signal: 'SIGTERM' | 'SIGKILL') => {
    child.kill(signal)
    await ended(child)
  }
  const cronUrl = `http://127.0.0.1:${ports.cron}/`
  const cron = async () => {
    const response = await fetch(cronUrl)
    if (!response.ok) throw new Error(`the cron failed: ${await response.text()}`)
    await response.arrayBuffer()
  }
  const port = ports.http ?? options.port
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    pid: child.pid ?? 0,
    cronUrl,
    cron,
    kill: () => stop('SIGKILL'),
    close: () => stop('SIGTERM'),
  }
}

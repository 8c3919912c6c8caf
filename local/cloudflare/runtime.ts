import type { ChildProcess } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { modulesIn } from '../bundle.ts'
import { type Loopback, serveLoopback } from '../loopback.ts'
import { pass } from '../pass.ts'
import { type R2Server, startR2 } from '../r2/server.ts'
import { json } from '../receiver/answers.ts'
import { ended, serveConfig } from '../serve-config.ts'
import {
  assetService,
  BROWSER_RUN,
  bucketService,
  bucketServices,
  designator,
  filesService,
  list,
  quote,
} from '../workerd.ts'
import { type Account, servingVersion, type Version } from './account.ts'

export type RuntimeOptions = {
  dir: string
  /** Settings that every Worker gets in addition to its own: the local addresses of the providers. */
  network: Record<string, string>
  /** Address of the stand-in for Browser Run. */
  browserUrl: string
  /** Ports of public Workers by name; others get a free one. */
  ports: Record<string, number>
}

export type Runtime = {
  /** The public address of a Worker; undefined while it has none. */
  urlOf: (script: string) => string | undefined
  /**
   * Serves the current deployment from the next request on. That request starts it, because most uploads soon follow
   * another.
   */
  refresh: (account: Account) => Promise<void>
  close: () => Promise<void>
}

const bindingOf = (
  { type, name, text = '', service, entrypoint, bucket_name: bucket = '' }: Version['bindings'][number],
  names: Map<string, string>,
  own: string,
): string[] => {
  if (type === 'plain_text' || type === 'secret_text') return [`(name = ${quote(name)}, text = ${quote(text)})`]
  if (type === 'browser') return [`(name = ${quote(name)}, service = ${quote(BROWSER_RUN)})`]
  if (type === 'r2_bucket') return [`(name = ${quote(name)}, r2Bucket = ${quote(bucketService(bucket))})`]
  if (type === 'assets') return [`(name = ${quote(name)}, service = ${quote(assetService(own))})`]
  const target = service === undefined ? undefined : names.get(service)
  return target === undefined ? [] : [`(name = ${quote(name)}, service = ${designator(target, entrypoint)})`]
}

/** Returns the folder of a Worker's static assets. */
const filesOf = (id: string): string => `${id}-assets`

/** Returns the account's Workers as a configuration of workerd, each with a socket. */
const configOf = (account: Account, dir: string, { network, browserUrl }: RuntimeOptions, r2Url: string) => {
  const serving = [...account.scripts.values()].flatMap((script) => {
    const version = servingVersion(script)
    return version ? [{ name: script.name, version }] : []
  })
  const names = new Map(serving.map(({ name }, at) => [name, `w${at}`]))
  const parts = serving.map(({ name, version }) => {
    const id = names.get(name) ?? ''
    mkdirSync(join(dir, id))
    for (const [name, bytes] of Object.entries(version.modules)) writeFileSync(join(dir, id, name), bytes)
    for (const [path, bytes] of Object.entries(version.assets)) {
      mkdirSync(dirname(join(dir, filesOf(id), path)), { recursive: true })
      writeFileSync(join(dir, filesOf(id), path), bytes)
    }
    const modules = modulesIn(join(dir, id)).map(
      (one) => `(name = ${quote(one.name)}, ${one.kind} = embed ${quote(`${id}/${one.name}`)})`,
    )
    const bindings = [
      ...version.bindings.flatMap((binding) => bindingOf(binding, names, id)),
      ...Object.entries(network).map(([key, value]) => `(name = ${quote(key)}, text = ${quote(value)})`),
    ]
    return `const ${id} :Workerd.Worker = (
  modules = [${[`(name = "index.js", esModule = embed ${quote(`${id}/${version.mainModule}`)})`, ...modules].join(', ')}],
  compatibilityDate = ${quote(version.compatibilityDate)},
  compatibilityFlags = ${list(version.compatibilityFlags)},
  bindings = [${bindings.join(', ')}],
);`
  })
  const ids = [...names.values()]
  const assets = serving.flatMap(({ name, version }) => {
    const id = names.get(name) ?? ''
    return Object.keys(version.assets).length > 0 ? [filesService(assetService(id), join(dir, filesOf(id)))] : []
  })
  const buckets = bucketServices(account.buckets ?? [], r2Url)
  const text = `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "internet", network = (allow = ["public", "private"], tlsOptions = (trustBrowserCas = true))),
    ${ids.map((id) => `(name = "${id}", worker = .${id})`).join(',\n    ')},
    ${[...buckets, ...assets].map((service) => `${service},`).join('\n    ')}
    (name = ${quote(BROWSER_RUN)}, external = (address = ${quote(new URL(browserUrl).host)}, http = ())),
  ],
  sockets = [${ids.map((id) => `(name = "${id}", address = "127.0.0.1:0", http = (), service = "${id}")`).join(', ')}],
);
${parts.join('\n')}
`
  return { text, names }
}

/**
 * Runs the Workers of an account on workerd, with exactly the code, bindings, settings and secrets that were uploaded.
 */
export const startRuntime = (options: RuntimeOptions): Runtime => {
  mkdirSync(options.dir, { recursive: true })
  const fronts = new Map<string, Loopback>()
  let running: { child: ChildProcess; ports: Record<string, number>; names: Map<string, string> } | undefined
  let turn: Promise<void> = Promise.resolve()
  let generation = 0
  let changed: Account | undefined

  let r2: R2Server | undefined

  const start = async (account: Account): Promise<void> => {
    const dir = join(options.dir, String(generation))
    generation += 1
    mkdirSync(dir, { recursive: true })
    r2 ??= await startR2({ dir: join(options.dir, 'r2') })
    const { text, names } = configOf(account, dir, options, r2.url)
    const file = join(dir, 'config.capnp')
    writeFileSync(file, text)
    const before = running
    const { child, ports } = await serveConfig(file, [...names.values()], join(options.dir, 'workers.log'))
    running = { child, ports, names }
    before?.child.kill('SIGTERM')
  }

  const inTurn = (work: () => Promise<void>): Promise<void> => {
    turn = turn.catch(() => undefined).then(work)
    return turn
  }

  /** Starts what was deployed since the last start, if anything was. */
  const catchUp = (): Promise<void> =>
    inTurn(async () => {
      const account = changed
      if (!account) return
      changed = undefined
      await start(account).catch((error: unknown) => {
        changed ??= account
        throw error
      })
    })

  const openFront = async (script: string): Promise<void> => {
    const front = await serveLoopback(
      async (req, res) => {
        await catchUp()
        const port = running?.ports[running.names.get(script) ?? '']
        if (port === undefined) res.writeHead(404).end('There is nothing here yet')
        else pass(req, res, `http://127.0.0.1:${port}`)
      },
      (error) => json(500, String(error)),
      options.ports[script],
    )
    fronts.set(script, front)
  }

  return {
    urlOf: (script) => fronts.get(script)?.url,
    refresh: (account) => {
      changed = account
      return inTurn(async () => {
        for (const { name, subdomain } of account.scripts.values())
          if (subdomain.enabled && !fronts.has(name)) await openFront(name)
      })
    },
    close: async () => {
      await turn.catch(() => undefined)
      await Promise.all([...fronts.values()].map((front) => front.close()))
      running?.child.kill('SIGTERM')
      if (running) await ended(running.child)
      await r2?.close()
    },
  }
}

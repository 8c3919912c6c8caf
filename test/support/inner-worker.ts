import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { bundleWorkers, modulesIn, WORKERS } from '../../local/bundle.ts'
import { ended, serveConfig } from '../../local/serve-config.ts'
import { assetService, filesService, list, quote } from '../../local/workerd.ts'

export type InnerWorker = { url: string; close: () => Promise<void> }

type Options = {
  vars?: Record<string, string>
  /** Bindings that lead to a service on this machine: name to address. */
  services?: Record<string, string>
  /** Folder of its bundle, if it is not one of the service's own. */
  bundle?: string
}

/** Starts the deployed bundle of a Worker that only other Workers call, or another in its place, on a workerd of its own with an address. */
export const startInnerWorker = async (
  name: string,
  { vars = {}, services = {}, bundle }: Options = {},
): Promise<InnerWorker> => {
  const dir = mkdtempSync(join(tmpdir(), `galley-${name}-`))
  const folder = bundle ?? join(await bundleWorkers(), name)
  const path = (file: string) => quote(relative(dir, join(folder, file)))
  const like = WORKERS.find((worker) => worker.folder === name)
  const assets = like?.assets
  const files = modulesIn(folder).map((one) => `(name = ${quote(one.name)}, ${one.kind} = embed ${path(one.name)})`)
  const bindings = [
    ...Object.entries(vars).map(([key, value]) => `(name = ${quote(key)}, text = ${quote(value)})`),
    ...Object.keys(services).map((key) => `(name = ${quote(key)}, service = ${quote(key)})`),
    ...(assets ? [`(name = ${quote(assets.binding)}, service = ${quote(assetService(name))})`] : []),
  ]
  const outside = [
    ...Object.entries(services).map(
      ([key, url]) => `(name = ${quote(key)}, external = (address = ${quote(new URL(url).host)}, http = ()))`,
    ),
    ...(assets ? [filesService(assetService(name), assets.directory)] : []),
  ]
  writeFileSync(
    join(dir, 'config.capnp'),
    `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [${[`(name = "inner", worker = .inner)`, ...outside].join(', ')}],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "inner")],
);
const inner :Workerd.Worker = (
  modules = [${[`(name = "index.js", esModule = embed ${path('index.js')})`, ...files].join(', ')}],
  compatibilityDate = ${quote(like?.compatibilityDate ?? '')},
  compatibilityFlags = ${list(like?.compatibilityFlags ?? [])},
  bindings = [${bindings.join(', ')}],
);`,
  )
  const { child, ports } = await serveConfig(join(dir, 'config.capnp'), ['http'], join(dir, 'log'))
  return {
    url: `http://127.0.0.1:${ports.http}`,
    close: async () => {
      child.kill('SIGKILL')
      await ended(child)
      rmSync(dir, { recursive: true, force: true })
    },
  }
}

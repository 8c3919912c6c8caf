import { randomUUID } from 'node:crypto'

/** One binding of an upload. As at Cloudflare, only the Worker can read the `text` of a secret. */
export type Binding = {
  type: string
  name: string
  text?: string
  service?: string
  entrypoint?: string
  bucket_name?: string
}

/** One uploaded state of a Worker: code, settings and secrets together. */
export type Version = {
  id: string
  number: number
  createdAt: string
  annotations: Record<string, string>
  bindings: Binding[]
  modules: Record<string, Uint8Array>
  mainModule: string
  compatibilityDate: string
  compatibilityFlags: string[]
  placement: unknown
  /** Static assets by their paths. */
  assets: Record<string, Uint8Array>
}

/** An upload of static assets: the files it consists of by their paths. */
export type Upload = { id: string; script: string; manifest: Readonly<Record<string, { hash: string }>> }

export type Deployment = {
  id: string
  createdAt: string
  versions: { version_id: string; percentage: number }[]
  annotations: Record<string, string>
}

export type Script = {
  name: string
  versions: Version[]
  /** Newest first. */
  deployments: Deployment[]
  subdomain: { enabled: boolean; previews_enabled: boolean }
  crons: string[]
  /** Runs of its clock, newest first, as the analytics report them. */
  cronRuns: { datetime: string; status: 'success' | 'error' }[]
  /** Requests of the last minutes, as the analytics report them. */
  requests: number
  settings: Record<string, unknown>
}

type Zone = {
  id: string
  name: string
  status: 'active' | 'pending'
  /** Settings that refuse agents; absent if the token may not read them. */
  settings?: { browserCheck: 'on' | 'off'; aiBots: 'block' | 'disabled'; fightMode: boolean }
}
type Domain = { id: string; hostname: string; service: string; zone_id: string; zone_name: string }

/** Account with its contents. */
export type Account = {
  id: string
  name: string
  /** The name before `.workers.dev`; undefined until one is registered. */
  subdomain: string | undefined
  paid: boolean
  zones: Zone[]
  domains: Domain[]
  /** Names that have DNS records of their own. */
  records: string[]
  scripts: Map<string, Script>
  /** Lines of Workers Logs. A line without `event` is not JSON; one without `timestamp` was written just now. */
  logLines: { service: string; level: string; event?: string; step?: string; timestamp?: number }[]
  /** Names of R2 buckets; undefined while R2 is not switched on. */
  buckets: string[] | undefined
  /** Files of static assets by their hash, whichever Worker they came with. */
  assets: Map<string, Uint8Array>
  uploads: Upload[]
}

/** Returns the version that gets the requests; undefined for a Worker that has none. */
export const servingVersion = (script: Script): Version | undefined => {
  const id = script.deployments[0]?.versions[0]?.version_id
  return script.versions.find((version) => version.id === id)
}

export const addDeployment = (
  script: Script,
  versions: Deployment['versions'],
  annotations: Record<string, string>,
): Deployment => {
  const deployment = { id: randomUUID(), createdAt: new Date().toISOString(), versions, annotations }
  script.deployments.unshift(deployment)
  return deployment
}

export const newScript = (name: string): Script => ({
  name,
  versions: [],
  deployments: [],
  // Both are on unless the Worker's settings turn them off.
  subdomain: { enabled: true, previews_enabled: true },
  crons: [],
  cronRuns: [],
  requests: 0,
  settings: {},
})

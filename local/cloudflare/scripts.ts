import { randomUUID } from 'node:crypto'
import {
  type Account,
  addDeployment,
  type Binding,
  type Deployment,
  newScript,
  type Script,
  servingVersion,
  type Version,
} from './account.ts'
import { type Answer, noScript, Refusal, success } from './answer.ts'
import { assetsOf, beginAssets } from './assets.ts'

/** Returns a version as the API shows it. */
const versionJson = (version: Version) => ({
  id: version.id,
  number: version.number,
  annotations: version.annotations,
  metadata: { created_on: version.createdAt, modified_on: version.createdAt, source: 'wrangler', author_email: '' },
  startup_time_ms: 5,
  resources: {
    script: { etag: version.id.replaceAll('-', ''), handlers: ['fetch'], last_deployed_from: 'wrangler' },
    script_runtime: {
      compatibility_date: version.compatibilityDate,
      compatibility_flags: version.compatibilityFlags,
    },
    // A secret's text never leaves Cloudflare.
    bindings: version.bindings.map(({ text, ...rest }) => (rest.type === 'secret_text' ? rest : { ...rest, text })),
  },
})

const deploymentJson = (deployment: Deployment) => ({
  id: deployment.id,
  source: 'wrangler',
  strategy: 'percentage',
  author_email: '',
  created_on: deployment.createdAt,
  annotations: deployment.annotations,
  versions: deployment.versions,
})

/** Returns what wrangler reads before it deploys: if the Worker exists, and who deployed it last. */
const serviceJson = (script: Script) => ({
  id: script.name,
  default_environment: {
    environment: 'production',
    script: { id: script.name, tag: script.name, tags: script.settings.tags ?? null, last_deployed_from: 'wrangler' },
  },
  environments: [{ environment: 'production' }],
})

type Metadata = {
  main_module?: string
  bindings?: (Binding & { text?: string })[]
  compatibility_date?: string
  compatibility_flags?: string[]
  keep_bindings?: string[]
  placement?: unknown
  assets?: { jwt?: string }
  annotations?: Record<string, string | undefined>
}

/** Throws Cloudflare's refusal of a binding to a Worker that the account does not have. */
const checkServices = (account: Account, script: Script, bindings: readonly Binding[]): void => {
  for (const { type, name, service } of bindings)
    if (type === 'service' && service !== undefined && service !== script.name && !account.scripts.has(service))
      throw new Refusal(
        400,
        10143,
        `Service binding '${name}' references Worker '${service}' which was not found. Deploy the target Worker first.`,
      )
}

/** Throws Cloudflare's refusal of a binding to a bucket that the account does not have. */
const checkBuckets = (account: Account, bindings: readonly Binding[]): void => {
  for (const { type, bucket_name: bucket } of bindings)
    if (type === 'r2_bucket' && !account.buckets?.includes(bucket ?? ''))
      throw new Refusal(400, 10085, `R2 bucket '${bucket}' not found. Please use a different name and try again.`)
}

const MAX_TEXT_BYTES = 5_120

/**
 * Returns the bindings that an upload keeps from the version before. wrangler keeps secrets that its file does not
 * name.
 */
const kept = (script: Script, { keep_bindings: types = [], bindings = [] }: Metadata): Binding[] => {
  const given = new Set(bindings.map(({ name }) => name))
  const before = script.versions.at(-1)?.bindings ?? servingVersion(script)?.bindings ?? []
  return before.filter(({ type, name }) => types.includes(type) && !given.has(name))
}

const textOf = async (value: string | Blob): Promise<string> => (typeof value === 'string' ? value : await value.text())

const bytesOf = async (value: string | Blob): Promise<Uint8Array> =>
  typeof value === 'string' ? Buffer.from(value) : new Uint8Array(await value.arrayBuffer())

/** Reads an upload: a multipart form of metadata and modules. Throws a Refusal for what Cloudflare refuses. */
const versionFrom = async (account: Account, script: Script, form: FormData): Promise<Version> => {
  const given = form.get('metadata')
  if (given === null) throw new Refusal(400, 10021, 'The upload has no metadata.')
  const metadata = JSON.parse(await textOf(given)) as Metadata
  const bindings = [...(metadata.bindings ?? []), ...kept(script, metadata)]
  checkServices(account, script, bindings)
  checkBuckets(account, bindings)
  const large = bindings.find(({ text }) => Buffer.byteLength(text ?? '') > MAX_TEXT_BYTES)
  if (large) throw new Refusal(400, 10054, `The text of binding ${large.name} is larger than 5 KB.`)
  const modules: Record<string, Uint8Array> = {}
  for (const [name, value] of form) if (name !== 'metadata') modules[name] = await bytesOf(value)
  const mainModule = metadata.main_module ?? ''
  if (!(mainModule in modules)) throw new Refusal(400, 10021, `No such module: ${mainModule}`)
  const annotations = Object.entries(metadata.annotations ?? {}).filter((entry) => entry[1] !== undefined)
  return {
    id: randomUUID(),
    number: script.versions.length + 1,
    createdAt: new Date().toISOString(),
    annotations: Object.fromEntries(annotations) as Record<string, string>,
    bindings,
    modules,
    mainModule,
    compatibilityDate: metadata.compatibility_date ?? '',
    compatibilityFlags: metadata.compatibility_flags ?? [],
    placement: metadata.placement,
    assets: metadata.assets ? assetsOf(account, script.name, metadata.assets.jwt) : {},
  }
}

/** One call about a Worker. `rest` is the path after its name. */
export type ScriptCall = {
  account: Account
  name: string
  method: string
  rest: string
  form: () => Promise<FormData>
  json: () => unknown
}

const found = ({ account, name }: ScriptCall): Script => {
  const script = account.scripts.get(name)
  if (!script) throw noScript()
  return script
}

const put = async (call: ScriptCall): Promise<Answer> => {
  const { account, name } = call
  const script = account.scripts.get(name) ?? newScript(name)
  const version = await versionFrom(account, script, await call.form())
  script.versions.push(version)
  addDeployment(script, [{ version_id: version.id, percentage: 100 }], version.annotations)
  account.scripts.set(name, script)
  return success({
    id: name,
    etag: version.id,
    deployment_id: version.id,
    startup_time_ms: 5,
    entry_point: version.mainModule,
  })
}

const addVersion = async (call: ScriptCall): Promise<Answer> => {
  const script = found(call)
  const version = await versionFrom(call.account, script, await call.form())
  script.versions.push(version)
  return success(versionJson(version))
}

const deploy = (call: ScriptCall): Answer => {
  const script = found(call)
  const { versions, annotations } = call.json() as {
    versions: { version_id: string; percentage: number }[]
    annotations?: Record<string, string>
  }
  const unknown = versions.find(({ version_id: id }) => !script.versions.some((version) => version.id === id))
  if (unknown) throw new Refusal(400, 10135, `Version ${unknown.version_id} does not exist.`)
  if (versions.reduce((sum, { percentage }) => sum + percentage, 0) !== 100)
    throw new Refusal(400, 10134, 'The percentages of the versions must sum to 100.')
  return success(deploymentJson(addDeployment(script, versions, annotations ?? {})))
}

/** Deletes a Worker. Cloudflare refuses if other Workers bind to it, unless the call forces it. */
const remove = (call: ScriptCall, force: boolean): Answer => {
  const script = found(call)
  const callers = [...call.account.scripts.values()].filter((other) =>
    servingVersion(other)?.bindings.some(({ service }) => service === script.name),
  )
  if (callers.length > 0 && !force)
    throw new Refusal(400, 10064, `This Worker is bound to by ${callers.map(({ name }) => name).join(', ')}.`)
  call.account.scripts.delete(script.name)
  return success(null)
}

const versions = (call: ScriptCall): Answer => {
  const newestFirst = [...found(call).versions].reverse()
  return success({ items: newestFirst.slice(0, 100).map(versionJson) })
}

const secrets = (call: ScriptCall): Answer => {
  const bindings = servingVersion(found(call))?.bindings ?? []
  return success(bindings.filter(({ type }) => type === 'secret_text').map(({ name, type }) => ({ name, type })))
}

/** Removes a secret: adds a version that has everything else unchanged. */
const removeSecret = (call: ScriptCall, secret: string): Answer => {
  const script = found(call)
  const serving = servingVersion(script)
  if (!serving?.bindings.some(({ name }) => name === secret)) throw new Refusal(404, 10056, 'No such secret.')
  const bindings = serving.bindings.filter(({ name }) => name !== secret)
  const next = { ...serving, id: crypto.randomUUID(), number: script.versions.length + 1, bindings, annotations: {} }
  script.versions.push(next)
  addDeployment(script, [{ version_id: next.id, percentage: 100 }], {})
  return success(null)
}

const setSubdomain = (call: ScriptCall): Answer => {
  const script = found(call)
  const given = call.json() as Partial<Script['subdomain']>
  script.subdomain = {
    enabled: given.enabled ?? script.subdomain.enabled,
    previews_enabled: given.previews_enabled ?? script.subdomain.previews_enabled,
  }
  return success(script.subdomain)
}

const setCrons = (call: ScriptCall): Answer => {
  const script = found(call)
  script.crons = (call.json() as { cron: string }[]).map(({ cron }) => cron)
  return success({ schedules: script.crons.map((cron) => ({ cron })) })
}

const setSettings = (call: ScriptCall): Answer => {
  const script = found(call)
  Object.assign(script.settings, call.json())
  return success(script.settings)
}

/** Returns the calls about one Worker below `/accounts/:id/workers/scripts/:name`. */
export const answerScript = async (call: ScriptCall, query: URLSearchParams): Promise<Answer> => {
  const { method, rest } = call
  const [, part = '', id = ''] = rest.split('/')
  switch (`${method} ${part}`) {
    case 'POST assets-upload-session':
      return beginAssets(call.account, call.name, call.json() as never)
    case 'PUT ':
      return await put(call)
    case 'DELETE ':
      return remove(call, query.get('force') === 'true')
    case 'POST versions':
      return await addVersion(call)
    case 'GET versions':
      return versions(call)
    case 'GET deployments':
      return success({ deployments: found(call).deployments.slice(0, 10).map(deploymentJson) })
    case 'POST deployments':
      return deploy(call)
    case 'GET secrets':
      return secrets(call)
    case 'DELETE secrets':
      return removeSecret(call, id)
    case 'GET subdomain':
      return success(found(call).subdomain)
    case 'POST subdomain':
      return setSubdomain(call)
    case 'GET schedules':
      return success({ schedules: found(call).crons.map((cron) => ({ cron })) })
    case 'GET settings':
      return success({ ...found(call).settings, bindings: servingVersion(found(call))?.bindings ?? [] })
    case 'PUT schedules':
      return setCrons(call)
    case 'PATCH script-settings':
      return setSettings(call)
    default:
      throw new Refusal(404, 7003, `Could not route to ${method} ${rest}, perhaps your object identifier is invalid?`)
  }
}

export const answerService = (account: Account, name: string): Answer => {
  const script = account.scripts.get(name)
  if (!script) throw new Refusal(404, 10090, 'workers.api.error.service_not_found')
  return success(serviceJson(script))
}

/** Returns a Worker as the newer part of the API shows it. */
export const answerWorker = (account: Account, name: string, local: string | undefined): Answer => {
  const script = account.scripts.get(name)
  if (!script) throw noScript()
  const url =
    local ?? (account.subdomain === undefined ? undefined : `https://${name}.${account.subdomain}.workers.dev`)
  return success({ id: name, name, subdomain: { ...script.subdomain, ...(url ? { url } : {}) } })
}

import { type Account, addDeployment, newScript, type Script, servingVersion } from './account.ts'
import { type Answer, noScript, Refusal, success } from './answer.ts'
import { beginAssets } from './assets.ts'
import { deploymentJson, serviceJson, versionJson } from './present.ts'
import { versionFrom } from './upload.ts'

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

const version = (call: ScriptCall, id: string): Answer => {
  const one = found(call).versions.find((known) => known.id === id)
  if (!one) throw new Refusal(404, 10007, 'This version does not exist.')
  return success(versionJson(one))
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
      return id === '' ? versions(call) : version(call, id)
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

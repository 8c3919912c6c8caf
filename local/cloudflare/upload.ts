import { randomUUID } from 'node:crypto'
import { type Account, type Binding, type Script, servingVersion, type Version } from './account.ts'
import { Refusal } from './answer.ts'
import { assetsOf } from './assets.ts'

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

/** A binding to a Worker that the account lacks is refused, as Cloudflare does. */
const checkServices = (account: Account, script: Script, bindings: readonly Binding[]): void => {
  for (const { type, name, service } of bindings)
    if (type === 'service' && service !== undefined && service !== script.name && !account.scripts.has(service))
      throw new Refusal(
        400,
        10143,
        `Service binding '${name}' references Worker '${service}' which was not found. Deploy the target Worker first.`,
      )
}

/** A binding to a bucket that the account lacks is refused, as Cloudflare does. */
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
export const versionFrom = async (account: Account, script: Script, form: FormData): Promise<Version> => {
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

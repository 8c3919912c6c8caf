import type { Account } from '../access.ts'
import { needsZone } from '../config.ts'
import { DeployFault } from '../fault.ts'
import type { Findings } from './findings.ts'
import { ifAllowed, zoneWarnings } from './zone.ts'

type Zone = { id: string; name: string; status: string; account?: { id: string } }

/** Returns a name and every name above it: `a.b.example.com`, `b.example.com`, `example.com`. */
const above = (host: string): string[] => {
  const labels = host.split('.')
  return labels.slice(0, -1).map((_, at) => labels.slice(at).join('.'))
}

const zoneOf = async ({ cf, id }: Account, host: string): Promise<Zone | undefined> => {
  for (const name of above(host)) {
    const zones = await cf<Zone[]>('GET', `/zones?name=${name}`)
    const own = zones.find(({ account }) => account === undefined || account.id === id)
    if (own) return own
  }
  return undefined
}

const NOT_SEEN =
  'The token may not read zones or DNS records, so the domain was not checked before deploying. Give it Zone Read and DNS Read.'

/**
 * Checks that the domain belongs to an active zone of the account, and that the name is free. Throws a DeployFault.
 *
 * Without a terminal, wrangler takes over a name and its DNS records without asking.
 */
export const checkDomain = async (account: Account, publicUrl: string, script: string): Promise<Findings> => {
  if (!needsZone(publicUrl)) return { facts: [`Address     ${publicUrl}, on workers.dev`], warnings: [] }
  const host = new URL(publicUrl).hostname
  const facts = [`Address     ${publicUrl}, a custom domain of ${script}`]
  const domains = await account.cf<{ service: string }[]>(
    'GET',
    `/accounts/${account.id}/workers/domains?hostname=${host}`,
  )
  const other = domains.find(({ service }) => service !== script)
  if (other)
    throw new DeployFault(
      `${host} is the domain of another Worker, ${other.service}.`,
      'Remove it from that Worker first, or choose another PUBLIC_URL.',
    )
  const found = await ifAllowed(zoneOf(account, host).then((zone) => ({ zone })))
  if (!found) return { facts, warnings: [NOT_SEEN] }
  if (!found.zone)
    throw new DeployFault(
      `The account has no zone for ${host}.`,
      'Add the domain at https://dash.cloudflare.com, or leave PUBLIC_URL out to use workers.dev.',
    )
  if (found.zone.status !== 'active')
    throw new DeployFault(
      `The zone ${found.zone.name} is ${found.zone.status}.`,
      "Point the domain's name servers to Cloudflare first; that can take a day.",
    )
  const warnings = await zoneWarnings(account.cf, found.zone, host)
  if (domains.length > 0) return { facts, warnings }
  const records = await ifAllowed(account.cf<unknown[]>('GET', `/zones/${found.zone.id}/dns_records?name=${host}`))
  if (records && records.length > 0)
    throw new DeployFault(
      `${host} already has DNS records, which the deployment would replace.`,
      'Delete them if nothing needs them, or choose another PUBLIC_URL.',
    )
  return { facts, warnings: [...warnings, ...(records ? [] : [NOT_SEEN])] }
}

import { randomUUID } from 'node:crypto'
import type { Account, Zone } from './account.ts'
import { type Answer, noScript, Refusal, success } from './answer.ts'

const zoneOf = (account: Account, hostname: string): Zone => {
  const zone = account.zones.find(({ name }) => hostname === name || hostname.endsWith(`.${name}`))
  if (zone) return zone
  throw new Refusal(400, 10082, `Could not find a zone for ${hostname} in this account.`)
}

type Origin = { hostname: string }

/** Returns the changes that setting these domains would make, which wrangler reads before it sets them. */
export const changeset = (account: Account, script: string, origins: readonly Origin[]): Answer => {
  const known = (hostname: string) => account.domains.find((domain) => domain.hostname === hostname)
  const [updated, added] = [
    origins.flatMap(({ hostname }) => known(hostname) ?? []),
    origins.filter(({ hostname }) => known(hostname) === undefined),
  ]
  return success({
    added,
    updated: updated.map((domain) => ({ ...domain, modified: domain.service !== script })),
    removed: account.domains.filter(
      ({ service, hostname }) => service === script && !origins.some((o) => o.hostname === hostname),
    ),
    conflicting: added.filter(({ hostname }) => account.records.includes(hostname)),
  })
}

type Records = { origins: Origin[]; override_existing_dns_record?: boolean; override_existing_origin?: boolean }

/** Sets a Worker's domains. A name with its own DNS records, or of another Worker, needs the matching override. */
export const setDomains = (account: Account, script: string, given: Records): Answer => {
  if (!account.scripts.has(script)) throw noScript()
  for (const { hostname } of given.origins) {
    const zone = zoneOf(account, hostname)
    const other = account.domains.find((domain) => domain.hostname === hostname && domain.service !== script)
    if (other && !given.override_existing_origin)
      throw new Refusal(409, 100117, `${hostname} is already a domain of ${other.service}.`)
    if (account.records.includes(hostname) && !given.override_existing_dns_record)
      throw new Refusal(409, 100117, `${hostname} already has externally managed DNS records.`)
    account.records = account.records.filter((name) => name !== hostname)
    account.domains = account.domains.filter((domain) => domain.hostname !== hostname)
    account.domains.push({ id: randomUUID(), hostname, service: script, zone_id: zone.id, zone_name: zone.name })
  }
  return success(account.domains.filter(({ service }) => service === script))
}

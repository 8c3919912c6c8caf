import type { Cloudflare } from './cloudflare.ts'

type Subdomain = { enabled: boolean; previews_enabled: boolean }
type Routes = { pattern: string }[]

const crons = async (cf: Cloudflare, path: string): Promise<string[]> =>
  (await cf<{ schedules: { cron: string }[] }>('GET', `${path}/schedules`)).schedules.map(({ cron }) => cron)

const domains = async (cf: Cloudflare, account: string, script: string): Promise<string[]> =>
  (await cf<{ hostname: string }[]>('GET', `/accounts/${account}/workers/domains?service=${script}`)).map(
    ({ hostname }) => hostname,
  )

const sameSet = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((one) => b.includes(one))

/**
 * True if a Worker's address, cron and domain are as in its configuration.
 *
 * wrangler sets them after the version. A deployment that stops in between leaves the new code without them.
 */
export const areTriggersSet = async (
  cf: Cloudflare,
  account: string,
  config: Record<string, unknown>,
): Promise<boolean> => {
  const script = String(config.name)
  const path = `/accounts/${account}/workers/scripts/${script}`
  const wanted = {
    crons: (config.triggers as { crons?: string[] } | undefined)?.crons ?? [],
    domains: ((config.routes ?? []) as Routes).map(({ pattern }) => pattern),
  }
  const [subdomain, cronsNow, domainsNow] = await Promise.all([
    cf<Subdomain>('GET', `${path}/subdomain`),
    crons(cf, path),
    domains(cf, account, script),
  ])
  return (
    subdomain.enabled === (config.workers_dev === true) &&
    !subdomain.previews_enabled &&
    sameSet(cronsNow, wanted.crons) &&
    sameSet(domainsNow, wanted.domains)
  )
}

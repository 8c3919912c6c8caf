import { afterEach } from 'vitest'
import { type RunningSite, type SiteSpec, startSite } from '../../../local/site/server.ts'
import { type Api, newAccount, newProject } from '../../support/client.ts'
import type { SharedStack } from '../../support/global.ts'
import { manyKeys } from '../../support/keys.ts'
import { PATIENCE_MS } from '../../support/patience.ts'

/** Returns the project after its scan has ended, or in one of the given states. */
export const scanned = async (api: Api, id: number, states = ['completed', 'failed']) => {
  const until = Date.now() + PATIENCE_MS
  for (;;) {
    const { body } = await api.get(`/projects/${id}`)
    const setup = body.setup as Record<string, unknown>
    if (states.includes(setup.site_scan as string))
      return { ...body, setup, project: body.project as Record<string, unknown> }
    if (Date.now() > until) throw new Error(`the scan is ${String(setup.site_scan)}`)
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

/** Returns the paths that were asked of a site. */
export const pathsOf = (site: RunningSite) => site.requests().map(({ path }) => path)

/** Returns functions that start a site, and one with a project that was scanned. Every site ends with its test. */
export const sitesFor = (stack: SharedStack) => {
  const sites: RunningSite[] = []
  afterEach(async () => {
    await Promise.all(sites.splice(0).map((site) => site.close()))
  })
  const open = async (spec: SiteSpec) => {
    const site = await startSite(spec)
    sites.push(site)
    return site
  }
  const scan = async (spec: SiteSpec, settings: Record<string, unknown> = {}, path = '') => {
    const site = await open(spec)
    const api = manyKeys(stack, await newAccount(stack))
    const id = await newProject(api, { website_url: `${site.url}${path}`, ...settings })
    return { site, api, id, ...(await scanned(api, id)) }
  }
  return { open, scan }
}

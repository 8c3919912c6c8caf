import { type Account, workersSubdomain } from './access.ts'
import { needsZone } from './config.ts'
import { type EnvironmentName, scriptName } from './environment.ts'
import { DeployFault } from './fault.ts'

const GATEWAY = 'galley-gateway'

const isOwnMachine = (url: URL): boolean => url.protocol === 'http:' && url.hostname === '127.0.0.1'

const parse = (text: string): URL => {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url && (url.protocol === 'https:' || isOwnMachine(url)) && url.pathname === '/' && url.search + url.hash === '')
    return url
  throw new DeployFault(
    `PUBLIC_URL ${JSON.stringify(text)} is not an https address without a path.`,
    'Set it to an address such as https://api.example.com, or leave it out to use workers.dev.',
  )
}

/**
 * Returns the address for callers: PUBLIC_URL, or the gateway's below workers.dev.
 *
 * Throws a DeployFault if this deployment cannot have that address.
 */
export const publicAddress = async (
  given: string | undefined,
  environment: EnvironmentName,
  account: Account,
): Promise<string> => {
  const url = given === undefined ? undefined : parse(given)
  if (url && (needsZone(url.origin) || isOwnMachine(url))) return url.origin
  const subdomain = await workersSubdomain(account)
  if (subdomain === undefined)
    throw new DeployFault(
      'The Cloudflare account has no workers.dev subdomain yet.',
      `Open https://dash.cloudflare.com/${account.id}/workers/onboarding once, which creates one, and run the same command again. Or set PUBLIC_URL to your own domain.`,
    )
  const own = `https://${scriptName(environment, GATEWAY)}.${subdomain}.workers.dev`
  if (url && url.origin !== own)
    throw new DeployFault(
      `PUBLIC_URL is ${url.origin}, but this deployment's address is ${own}.`,
      `Set PUBLIC_URL to ${own}, or leave it out.`,
    )
  return own
}

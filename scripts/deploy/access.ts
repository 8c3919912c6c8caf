import { CLOUDFLARE_API, type Cloudflare, CloudflareError, cloudflareApi } from './cloudflare.ts'
import { DeployFault } from './fault.ts'
import type { Settings } from './settings.ts'
import { type Access, runWrangler } from './wrangler.ts'

/** Access to one account: by Cloudflare's API, and by wrangler. */
export type Account = { cf: Cloudflare; access: Access; id: string }

const TOKEN_HELP =
  'Make a token at https://dash.cloudflare.com/profile/api-tokens from the template "Edit Cloudflare Workers", and set CLOUDFLARE_API_TOKEN to it; or sign in with npx wrangler login.'

/** Returns the token of `wrangler login`, which is used if no other is set. */
const signedInToken = async (): Promise<string> => {
  const { code, output } = await runWrangler(['auth', 'token', '--json'], { token: undefined })
  const json = /\{[\s\S]*\}/.exec(output)?.[0]
  const token = code === 0 && json ? (JSON.parse(json) as { token?: string }).token : undefined
  if (token) return token
  throw new DeployFault('CLOUDFLARE_API_TOKEN is not set, and wrangler is not signed in.', TOKEN_HELP)
}

/**
 * Returns the named account, or the only one the token can use. Otherwise throws a DeployFault that lists the accounts.
 */
const accountIn = async (cf: Cloudflare, named: string | undefined): Promise<string> => {
  if (named) return named
  const accounts = await cf<{ id: string; name: string }[]>('GET', '/accounts?per_page=50')
  const [only] = accounts
  if (only && accounts.length === 1) return only.id
  if (!only) throw new DeployFault('The Cloudflare token has no access to any account.', TOKEN_HELP)
  const list = accounts.map(({ id, name }) => `  ${id}  ${name}`).join('\n')
  throw new DeployFault(
    'The Cloudflare token has access to several accounts.',
    `Set CLOUDFLARE_ACCOUNT_ID to one of:\n${list}`,
  )
}

/** Opens the account for the deployment. Throws a DeployFault if the token is refused or the account is not clear. */
export const openAccount = async (
  settings: Pick<Settings, 'CLOUDFLARE_API_TOKEN' | 'CLOUDFLARE_ACCOUNT_ID'>,
  env: NodeJS.ProcessEnv,
): Promise<Account> => {
  const token = settings.CLOUDFLARE_API_TOKEN ?? (await signedInToken())
  const cf = cloudflareApi(env.CLOUDFLARE_API_BASE_URL ?? CLOUDFLARE_API, token)
  try {
    const id = await accountIn(cf, settings.CLOUDFLARE_ACCOUNT_ID)
    // Any call about Workers shows if the token may manage them.
    await cf('GET', `/accounts/${id}/workers/domains`)
    return { cf, id, access: { token: settings.CLOUDFLARE_API_TOKEN, accountId: id } }
  } catch (error) {
    if (error instanceof CloudflareError && [400, 401, 403].includes(error.status))
      throw new DeployFault(`Cloudflare refuses the token: ${error.message}.`, TOKEN_HELP)
    throw error
  }
}

/** Returns the name before `.workers.dev`; undefined if none was registered. */
export const workersSubdomain = async ({ cf, id }: Account): Promise<string | undefined> => {
  try {
    return (await cf<{ subdomain?: string }>('GET', `/accounts/${id}/workers/subdomain`)).subdomain || undefined
  } catch (error) {
    if (error instanceof CloudflareError && error.code === 10007) return undefined
    throw error
  }
}

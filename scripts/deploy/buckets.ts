import { WORKERS } from '../../local/bundle.ts'
import type { Account } from './access.ts'
import type { Findings } from './checks/findings.ts'
import { type Cloudflare, CloudflareError } from './cloudflare.ts'
import { scriptName } from './environment.ts'
import { DeployFault } from './fault.ts'

/** R2's codes for a missing bucket, an existing bucket, and an account without R2. */
const [NO_BUCKET, EXISTS, NO_R2] = [10006, 10004, 10042]

/** Returns the buckets the Workers of an environment are bound to. */
const bucketsOf = (environment: string): string[] => [
  ...new Set(WORKERS.flatMap(({ buckets }) => Object.values(buckets)).map((name) => scriptName(environment, name))),
]

const exists = async (cf: Cloudflare, accountId: string, bucket: string): Promise<boolean> => {
  try {
    await cf('GET', `/accounts/${accountId}/r2/buckets/${bucket}`)
    return true
  } catch (error) {
    if (error instanceof CloudflareError && error.code === NO_BUCKET) return false
    throw error
  }
}

const missing = async ({ cf, id }: Account, environment: string): Promise<string[]> => {
  const found = await Promise.all(
    bucketsOf(environment).map(async (bucket) => ({ bucket, isThere: await exists(cf, id, bucket) })),
  )
  return found.filter(({ isThere }) => !isThere).map(({ bucket }) => bucket)
}

/** Checks that R2 is on and the token may see buckets. Throws a DeployFault. */
export const checkBuckets = async (account: Account, environment: string): Promise<Findings> => {
  try {
    const absent = await missing(account, environment)
    const list = bucketsOf(environment).map((name) => `${name}${absent.includes(name) ? ' (new)' : ''}`)
    return { facts: [`R2          ${list.join(', ')}`], warnings: [] }
  } catch (error) {
    if (!(error instanceof CloudflareError)) throw error
    if (error.code === NO_R2)
      throw new DeployFault(
        'R2 is not enabled in the Cloudflare account. It stores hosted images.',
        `Enable it at https://dash.cloudflare.com/${account.id}/r2/overview (10 GB are free).`,
      )
    if ([401, 403].includes(error.status))
      throw new DeployFault(
        'The Cloudflare token may not see R2 buckets.',
        'Give it Account: Workers R2 Storage Edit at https://dash.cloudflare.com/profile/api-tokens.',
      )
    throw error
  }
}

/** Makes the missing buckets and returns their names. A bucket that another deployment made meanwhile is used too. */
export const makeBuckets = async (account: Account, environment: string): Promise<string[]> => {
  const absent = await missing(account, environment)
  for (const name of absent)
    await account.cf('POST', `/accounts/${account.id}/r2/buckets`, { name }).catch((error: unknown) => {
      if (!(error instanceof CloudflareError && error.code === EXISTS)) throw error
    })
  return absent
}

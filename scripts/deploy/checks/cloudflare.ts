import type { Account } from '../access.ts'
import { CloudflareError } from '../cloudflare.ts'
import { DeployFault } from '../fault.ts'
import type { Findings } from './findings.ts'

type Subscription = { rate_plan?: { id?: string; public_name?: string } }

const isWorkersPaid = ({ rate_plan }: Subscription): boolean =>
  /workers_paid|workers paid|enterprise/i.test(`${rate_plan?.id} ${rate_plan?.public_name}`)

/** Checks that the account's plan can run the Workers, if the token may read the plan. Throws a DeployFault. */
export const checkCloudflare = async ({ cf, id }: Account): Promise<Findings> => {
  const facts = [`Cloudflare  account ${id}; the token may deploy Workers`]
  try {
    const subscriptions = await cf<Subscription[]>('GET', `/accounts/${id}/subscriptions`)
    if (subscriptions.some(isWorkersPaid)) return { facts: [`${facts[0]}; Workers Paid`], warnings: [] }
  } catch (error) {
    if (!(error instanceof CloudflareError)) throw error
    return { facts, warnings: ['The token may not read the plan (Billing Read). The account needs Workers Paid.'] }
  }
  throw new DeployFault(
    'The Cloudflare account does not have Workers Paid. On the free plan, 10 ms of CPU per request are not enough for publishing.',
    `Change the plan at https://dash.cloudflare.com/${id}/workers/plans ($5 a month).`,
  )
}

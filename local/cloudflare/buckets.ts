import type { Account } from './account.ts'
import { type Answer, Refusal, success } from './answer.ts'

const described = (name: string) => ({ name, location: 'WEUR', storage_class: 'Standard', jurisdiction: 'default' })

/** Returns the calls about R2 buckets below `/accounts/:id/r2/buckets`. */
export const answerBuckets = (account: Account, method: string, name: string, json: () => unknown): Answer => {
  const { buckets } = account
  if (!buckets) throw new Refusal(403, 10042, 'Please enable R2 through the Cloudflare Dashboard.')
  if (method === 'POST' && name === '') {
    const given = (json() as { name: string }).name
    if (buckets.includes(given))
      throw new Refusal(409, 10004, 'The bucket you tried to create already exists, and you own it.')
    buckets.push(given)
    return success(described(given))
  }
  if (method === 'GET' && name === '') return success({ buckets: buckets.map(described) })
  if (method === 'GET' && buckets.includes(name)) return success(described(name))
  throw new Refusal(404, 10006, 'The specified bucket does not exist.')
}

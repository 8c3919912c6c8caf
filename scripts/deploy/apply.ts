import type { Account } from './access.ts'
import { makeBuckets } from './buckets.ts'
import { secretsIn } from './cloudflare.ts'
import { applyMigrations, limitStatements } from './migrations.ts'
import { keepBranch } from './neon.ts'
import type { Plan } from './plan.ts'
import { messageOf } from './release.ts'
import type { Item } from './workers.ts'
import { uploadWorker } from './wrangler.ts'

type Say = (text: string) => void

const migrate = async ({ pending, neon, settings, directUrl }: Plan, env: NodeJS.ProcessEnv, say: Say) => {
  const [first] = pending
  if (first !== undefined && neon && settings.NEON_API_KEY) {
    const name = `before-${first}`
    const made = await keepBranch(settings.NEON_API_KEY, neon, name, env)
    say(`Neon branch ${name} ${made ? 'has the database as it is now' : 'exists already, from an earlier attempt'}`)
  }
  if (first !== undefined) say(await applyMigrations(directUrl))
  await limitStatements(directUrl)
}

/**
 * Deploys one Worker. Removing a secret makes a version without our tag, so the Worker is deployed again after it.
 *
 * After a rollback, the upload follows a version that has lost the secrets already, so they are read again.
 */
const deployItem = async (item: Item, message: string, { cf, id, access }: Account): Promise<void> => {
  const { script, config, secrets, tag, surplus } = item
  await uploadWorker({ config, secrets, tag, message }, access)
  if (surplus.length === 0) return
  const left = (await secretsIn(cf, id, script)).filter((name) => surplus.includes(name))
  if (left.length === 0) return
  for (const name of left) await cf('DELETE', `/accounts/${id}/workers/scripts/${script}/secrets/${name}`)
  await uploadWorker({ config, secrets, tag, message }, access)
}

/**
 * Carries out a plan: first the database, with which the older code must work too, then each Worker after those it
 * calls.
 *
 * Finished parts are skipped, so that a repeated deployment continues where one stopped.
 */
export const applyPlan = async (plan: Plan, env: NodeJS.ProcessEnv, say: Say): Promise<void> => {
  const { workers, account, commit } = plan
  await migrate(plan, env, say)
  for (const name of await makeBuckets(account, plan.to.environment)) say(`R2 bucket ${name} created`)
  for (const item of workers.items) {
    if (item.inPlace) continue
    await deployItem(item, messageOf(workers.release, commit), account)
    say(`${item.script} deployed`)
  }
}

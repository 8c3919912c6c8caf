import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { ROOT } from '../../../local/root.ts'
import { type Account, workersSubdomain } from '../access.ts'
import { unlessMissing } from '../cloudflare.ts'
import { type EnvironmentName, scriptName } from '../environment.ts'
import { DeployFault } from '../fault.ts'
import { uploadWorker } from '../wrangler.ts'

/** Receiver of the proof: its address, and the token it requires. */
export type Receiver = { url: string; token: string; remove: () => Promise<void> }

const NAME = 'galley-receiver'
const COMPATIBILITY_DATE = '2026-11-01'

const addressOf = async ({ cf, id }: Account, script: string): Promise<string> => {
  const worker = await cf<{ subdomain?: { url?: string } }>('GET', `/accounts/${id}/workers/workers/${script}`)
  if (worker.subdomain?.url) return worker.subdomain.url.replace(/\/+$/, '')
  throw new DeployFault(
    `Cloudflare names no address for ${script}.`,
    'Run the same command again; --no-proof skips it.',
  )
}

/** Checks that the receiver can be deployed. Throws a DeployFault if the account has no workers.dev subdomain. */
export const checkReceiverPlace = async (account: Account): Promise<void> => {
  if ((await workersSubdomain(account)) !== undefined) return
  throw new DeployFault(
    'The test at the end needs a receiver, but the account has no workers.dev subdomain for it.',
    `Open https://dash.cloudflare.com/${account.id}/workers/onboarding once, which creates one, or skip the test with --no-proof.`,
  )
}

/** Deploys the receiver on workers.dev. `remove` deletes it. */
export const deployReceiver = async (account: Account, environment: EnvironmentName): Promise<Receiver> => {
  const script = scriptName(environment, NAME)
  const token = randomBytes(24).toString('base64url')
  const config = {
    name: script,
    account_id: account.id,
    main: join(ROOT, 'scripts/deploy/proof/receiver.mjs'),
    no_bundle: true,
    find_additional_modules: false,
    compatibility_date: COMPATIBILITY_DATE,
    workers_dev: true,
    preview_urls: false,
  }
  const upload = { config, secrets: { RECEIVER_TOKEN: token }, tag: 'receiver', message: 'a receiver for the proof' }
  await uploadWorker(upload, account.access)
  return {
    url: await addressOf(account, script),
    token,
    remove: async () => {
      await unlessMissing(account.cf('DELETE', `/accounts/${account.id}/workers/scripts/${script}?force=true`))
    },
  }
}

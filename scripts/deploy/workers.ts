import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { bundleWorkers, WORKERS } from '../../local/bundle.ts'
import { deployOrder } from '../../local/workers.ts'
import { reasonOf } from '../reason.ts'
import { type Cloudflare, type Deployed, deployedOf, secretsIn } from './cloudflare.ts'
import { type Destination, wranglerConfig } from './config.ts'
import { DeployFault } from './fault.ts'
import { type Release, releaseHash, releaseIn, releaseTime, workerTag } from './release.ts'
import { isNearDatabase, secretsFor, varsOf } from './secrets.ts'
import type { Settings } from './settings.ts'
import { areTriggersSet } from './triggers.ts'

/** Worker of a deployment: its desired state, and its current one at Cloudflare. */
export type Item = {
  folder: string
  script: string
  config: Record<string, unknown>
  secrets: Record<string, string>
  tag: string
  deployed: Deployed | undefined
  /** True if the serving version has this code, these settings and secrets, and its addresses and crons are set. */
  inPlace: boolean
  /** Secrets that it has from before and no longer needs. */
  surplus: string[]
}

/** Workers of a release, each after those that it calls. */
export type Workers = { items: Item[]; release: Release }

/** Builds every Worker and compares it with the one at Cloudflare, callees first. */
const itemsFor = async (settings: Settings, to: Destination, cf: Cloudflare): Promise<Item[]> => {
  const bundles = await bundleWorkers().catch((error: unknown) => {
    throw new DeployFault(reasonOf(error), 'Nothing was changed. Fix the code, and see npm run verify.')
  })
  return await Promise.all(
    deployOrder(WORKERS).map(async (worker): Promise<Item> => {
      const main = join(bundles, worker.folder, 'index.js')
      const config = wranglerConfig(worker, to, {
        main,
        vars: varsOf(worker, settings, to.publicUrl),
        nearDatabase: isNearDatabase(worker),
      })
      const secrets = secretsFor(worker, settings)
      // The folder of the build does not matter. The code names imported files by their hashes.
      const { base_dir: _, ...made } = config
      const tag = workerTag(settings.SECRETS_KEYS, [readFileSync(main, 'utf8'), { ...made, main: '' }, secrets])
      const script = String(config.name)
      const [deployed, names] = await Promise.all([
        deployedOf(cf, to.accountId, script),
        secretsIn(cf, to.accountId, script),
      ])
      const serves = deployed?.current?.annotations?.['workers/tag'] === tag
      const surplus = names.filter((name) => !(name in secrets))
      const inPlace = serves && surplus.length === 0 && (await areTriggersSet(cf, to.accountId, config))
      return { folder: worker.folder, script, config, secrets, tag, deployed, inPlace, surplus }
    }),
  )
}

const newestRelease = (items: readonly Item[]): Release | undefined =>
  items
    .flatMap(({ deployed }) => releaseIn(deployed?.current?.annotations?.['workers/message']) ?? [])
    .sort((a, b) => a.at.localeCompare(b.at))
    .at(-1)

/**
 * Plans the deployment of the Workers, and its release.
 *
 * If the last deployment stopped half way and nothing has changed since, the plan continues its release. Otherwise it
 * makes a new one.
 */
export const planWorkers = async (settings: Settings, to: Destination, cf: Cloudflare, now: Date): Promise<Workers> => {
  const items = await itemsFor(settings, to, cf)
  const hash = releaseHash(items.map(({ tag }) => tag))
  const newest = newestRelease(items)
  return { items, release: newest?.hash === hash ? newest : { at: releaseTime(now), hash } }
}

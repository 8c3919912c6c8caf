import { WORKERS } from '../../local/bundle.ts'
import { deployOrder } from '../../local/workers.ts'
import { openAccount } from './access.ts'
import { publicAddress } from './address.ts'
import { type Cloudflare, type Deployed, deployedOf, serveVersion, type Version } from './cloudflare.ts'
import { scriptName } from './environment.ts'
import { DeployFault } from './fault.ts'
import type { Options } from './options.ts'
import { waitUntilReady } from './proof/ready.ts'
import { type Release, releaseIn } from './release.ts'
import { readGiven } from './settings.ts'

type Script = { script: string; deployed: Deployed | undefined }
type Step = { script: string; to: Version; release: Release }

/** Returns every Worker of the environment with its versions, callees first. */
export const scriptsOf = (cf: Cloudflare, accountId: string, environment: string): Promise<Script[]> =>
  Promise.all(
    deployOrder(WORKERS).map(async (worker) => {
      const script = scriptName(environment, worker.script)
      return { script, deployed: await deployedOf(cf, accountId, script) }
    }),
  )

const releaseOf = (version: Version | undefined): Release | undefined =>
  releaseIn(version?.annotations?.['workers/message'])

const newest = (releases: readonly (Release | undefined)[]): Release | undefined =>
  releases
    .flatMap((release) => release ?? [])
    .sort((a, b) => a.at.localeCompare(b.at))
    .at(-1)

/**
 * Returns the Workers of the newest release, each with its version before that; callers first, the reverse of a
 * deployment.
 */
const stepsBack = (scripts: readonly Script[]): { from: Release | undefined; steps: Step[] } => {
  const from = newest(scripts.map(({ deployed }) => releaseOf(deployed?.current)))
  const steps = scripts.flatMap(({ script, deployed }): Step[] => {
    if (!from || releaseOf(deployed?.current)?.at !== from.at) return []
    const before = deployed?.versions.find((version) => (releaseOf(version)?.at ?? from.at) < from.at)
    const release = releaseOf(before)
    return before && release ? [{ script, to: before, release }] : []
  })
  return { from, steps: steps.reverse() }
}

/**
 * Returns every Worker of the newest release to its version before, with the secrets of that time.
 *
 * The database stays unchanged: migrations fit the code before them. Throws a DeployFault if there is no release
 * before.
 */
export const rollBack = async (
  options: Options,
  env: NodeJS.ProcessEnv,
  say: (text: string) => void,
): Promise<void> => {
  const given = readGiven(options.file, options.fileNamed, env)
  const account = await openAccount(given, env)
  const { from, steps } = stepsBack(await scriptsOf(account.cf, account.id, options.environment))
  if (!from || steps.length === 0)
    throw new DeployFault(
      from
        ? `Release ${from.at} is the first, so there is none to return to.`
        : 'Nothing of this service is deployed here.',
      'Fix the problem and run npm run deploy.',
    )
  say(`Rolling back from release ${from.at}:`)
  for (const { script, to, release } of steps) {
    if (!options.dryRun)
      await serveVersion(account.cf, account.id, script, to.id, to.annotations?.['workers/message'] ?? 'rolled back')
    say(`  ${script.padEnd(28)} ${options.dryRun ? 'would serve' : 'serves'} release ${release.at}`)
  }
  if (options.dryRun) return
  await waitUntilReady(await publicAddress(given.PUBLIC_URL, options.environment, account), say)
  say('The database keeps its migrations. The older code works with them.')
}

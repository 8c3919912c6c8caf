import { type Cloudflare, deployedOf } from './cloudflare.ts'
import { type EnvironmentName, scriptName } from './environment.ts'

/** Workers of earlier releases, callers first. Others do their work now (docs/design/workers.md). */
const RETIRED = [
  'galley-control',
  'galley-accounts',
  'galley-passkeys',
  'galley-signin',
  'galley-integrations',
  'galley-editing',
  'galley-social',
  'galley-background',
  'galley-watch',
]

/** Returns the Workers of earlier releases that the account still has. */
export const retiredIn = async (
  cf: Cloudflare,
  accountId: string,
  environment: EnvironmentName,
): Promise<readonly string[]> => {
  const scripts = RETIRED.map((name) => scriptName(environment, name))
  const found = await Promise.all(scripts.map((script) => deployedOf(cf, accountId, script)))
  return scripts.filter((_, n) => found[n] !== undefined)
}

/** Returns the line of a plan about Workers of earlier releases; none if there are none. */
export const retiredText = (retired: readonly string[]): string[] =>
  retired.length === 0
    ? []
    : [
        `Unused      ${retired.join(', ')}: nothing calls them after this deployment. They are kept for a rollback. Delete them later, in this order: npx wrangler delete --name NAME`,
      ]

import { DeployFault } from './fault.ts'

/** Name of an environment: `production`, or another set of the same Workers, such as `staging`. */
export type EnvironmentName = string

const NAME = /^[a-z][a-z0-9]{0,15}$/

/** Returns an environment's name. Throws if it cannot be part of a Worker's name. */
export const environmentNamed = (text: string | undefined): EnvironmentName => {
  const name = text ?? 'production'
  if (NAME.test(name)) return name
  throw new DeployFault(
    `--env ${JSON.stringify(name)} is not a valid name of an environment.`,
    'Use up to 16 lowercase letters and digits, for example --env staging.',
  )
}

/**
 * Returns a Worker's name at Cloudflare: that of its wrangler.toml, followed by the environment except in production.
 */
export const scriptName = (environment: EnvironmentName, tomlName: string): string =>
  environment === 'production' ? tomlName : `${tomlName}-${environment}`

/** Returns the default file for an environment's settings. Git ignores it. */
export const settingsFile = (environment: EnvironmentName): string => `.env.${environment}`

import { DeployFault } from './fault.ts'

/** Name of an environment: `production`, or another set of the same Workers beside it, such as `staging`. */
export type EnvironmentName = string

const NAME = /^[a-z][a-z0-9]{0,15}$/

/** Throws when the text cannot be part of a Worker's name. */
export const environmentNamed = (text: string | undefined): EnvironmentName => {
  const name = text ?? 'production'
  if (NAME.test(name)) return name
  throw new DeployFault(
    `--env ${JSON.stringify(name)} is not a name of an environment.`,
    'Use up to 16 small letters and digits, for example --env staging.',
  )
}

/** Returns a Worker's name at Cloudflare: as its wrangler.toml has it, with the environment behind it outside production. */
export const scriptName = (environment: EnvironmentName, tomlName: string): string =>
  environment === 'production' ? tomlName : `${tomlName}-${environment}`

/** Returns the file that holds an environment's settings unless another is named; git ignores it. */
export const settingsFile = (environment: EnvironmentName): string => `.env.${environment}`

import { OPTIONAL_SECRETS, SECRETS, type SecretName, secretsOf } from '../../src/runtime/secrets.ts'
import type { SettingName, Settings } from './settings.ts'

/** Settings of a deployment that are no secrets. */
const MAIL_VARS = ['MAIL_FROM'] as const
const WRITER_VARS = [
  'WRITER_PROVIDER',
  'WRITER_BASE_URL',
  'WRITER_MODEL',
  'IMAGES_PROVIDER',
  'IMAGES_BASE_URL',
  'IMAGES_MODEL',
  'IMAGES_SIZE',
] as const
const MODEL_VARS = ['VISIBILITY_CHATGPT_MODEL', 'VISIBILITY_PERPLEXITY_MODEL', 'VISIBILITY_GEMINI_MODEL'] as const

const PRICES = ['STRIPE_PRICE_AGENTIC', 'STRIPE_PRICE_PRO', 'STRIPE_PRICE_ACCELERATOR'] as const

/** Settings that single Workers read. */
const VARS: Readonly<Record<string, readonly SettingName[]>> = {
  writer: WRITER_VARS,
  accounts: [...MAIL_VARS, ...PRICES],
  background: [...MAIL_VARS, ...PRICES, ...MODEL_VARS],
}

/** Settings of every Worker that asks the database. */
const DATA_VARS = ['LOG_ONE_READ_IN', 'CRON_REST_MINUTES'] as const

const pick = (names: readonly SettingName[], settings: Settings): Record<string, string> =>
  Object.fromEntries(names.flatMap((name) => (settings[name] ? [[name, settings[name]]] : [])))

/**
 * The secrets a Worker gets: those it reads and no other. Throws for a Worker that is in no table, which would come up
 * without them, and when one that it cannot do without is not set.
 */
export const secretsFor = (folder: string, settings: Settings): Record<string, string> => {
  if (!Object.hasOwn(SECRETS, folder)) throw new Error(`src/runtime/secrets.ts does not name the Worker ${folder}`)
  const names: readonly SecretName[] = secretsOf(folder)
  const missing = names.filter((name) => !settings[name] && !OPTIONAL_SECRETS.includes(name))
  if (missing.length > 0) throw new Error(`${folder} cannot do without ${missing.join(', ')}`)
  return pick(names, settings)
}

/** Whether a Worker waits for the database, and so belongs near it. */
export const usesDatabase = (folder: string): boolean => secretsOf(folder).includes('DATABASE_URL')

/** Settings of a Worker that are not secret and stand in no wrangler.toml. */
export const varsOf = (folder: string, settings: Settings, publicUrl: string): Record<string, string> => ({
  ...(usesDatabase(folder) || folder === 'mcp' ? { PUBLIC_URL: publicUrl } : {}),
  ...(usesDatabase(folder) ? pick(DATA_VARS, settings) : {}),
  ...pick(VARS[folder] ?? [], settings),
})

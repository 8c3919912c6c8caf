import { randomBytes } from 'node:crypto'
import { existsSync, writeFileSync } from 'node:fs'
import { DeployFault } from './fault.ts'
import { KEY_RINGS, SETTINGS, type SettingName } from './settings.ts'

/** Returns the lines of one setting. An optional one begins with `#`. */
const line = (name: SettingName): string => {
  const setting = SETTINGS[name]
  const value = KEY_RINGS.some((ring) => ring === name) ? `k1:${randomBytes(32).toString('base64')}` : ''
  return `# ${setting.about}\n${'optional' in setting && value === '' ? '#' : ''}${name}=${value}\n`
}

/**
 * Writes a file of settings to fill in, readable only by this user, with new keys. Throws if the file exists.
 */
export const writeSettingsFile = (file: string): void => {
  if (existsSync(file))
    throw new DeployFault(`${file} exists already.`, 'Edit it, or name another file with --secrets.')
  const lines = (Object.keys(SETTINGS) as SettingName[]).map(line)
  writeFileSync(
    file,
    `# Settings of a deployment. Keep this file: without SECRETS_KEYS, customers' secrets cannot be decrypted.\n\n${lines.join('\n')}`,
    { mode: 0o600 },
  )
}

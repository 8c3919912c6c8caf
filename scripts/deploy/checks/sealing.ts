import { parseKeyRing } from '../../../src/platform/lib/crypto.ts'
import { DeployFault } from '../fault.ts'
import { KEY_RINGS, type Settings } from '../settings.ts'

/** Checks that the Workers can read SECRETS_KEYS, and each other setting of keys that is set. Throws a DeployFault. */
export const checkSealingKeys = (settings: Settings): void => {
  for (const name of KEY_RINGS)
    try {
      if (name === 'SECRETS_KEYS' || settings[name]) parseKeyRing(settings[name] ?? '')
    } catch {
      throw new DeployFault(
        `${name} must have the form name:key, with 32 random bytes in base64.`,
        'Create a key: echo "k1:$(openssl rand -base64 32)". Put a new key before the old ones, separated by a comma.',
      )
    }
}

import { parseKeyRing } from '../../../src/platform/lib/crypto.ts'
import { DeployFault } from '../fault.ts'
import type { Settings } from '../settings.ts'

/** Checks that the Workers can read SECRETS_KEYS. Throws a DeployFault. */
export const checkSealingKeys = ({ SECRETS_KEYS }: Settings): void => {
  try {
    parseKeyRing(SECRETS_KEYS)
  } catch {
    throw new DeployFault(
      'SECRETS_KEYS must have the form name:key, with 32 random bytes in base64.',
      'Create a key: echo "k1:$(openssl rand -base64 32)". Put a new key before the old ones, separated by a comma.',
    )
  }
}

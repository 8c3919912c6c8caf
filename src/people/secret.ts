import { base64, type KeyRing } from '../lib/crypto.ts'

/** What signs the cookies of sessions: derived from the newest sealing key, so that a new one signs everybody out. */
export const sessionSecret = (ring: KeyRing): string => {
  const [newest] = ring
  if (!newest) throw new Error('no sealing key')
  return `sessions:${base64(newest.key)}`
}

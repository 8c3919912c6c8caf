import { base64, type KeyRing } from '../lib/crypto.ts'

/** What signs the cookies of sessions: one secret for each sealing key, the newest first. */
export const sessionSecrets = (ring: KeyRing): [string, ...string[]] => {
  const [newest, ...older] = ring.map(({ key }) => `sessions:${base64(key)}`)
  if (newest === undefined) throw new Error('no sealing key')
  return [newest, ...older]
}

/** The keys this isolate admitted a moment ago. */
export type KnownCallers = {
  knows: (keyHash: string) => boolean
  remember: (keyHash: string) => void
  forget: (keyHash: string) => void
}

const KNOWN_MS = 60_000
const MAX_KEYS = 10_000

/**
 * Remembers for a minute which keys were admitted. It opens nothing: every request is judged again. It only says for whom work
 * may begin while that judgement is under way.
 */
export const createKnownCallers = (now: () => Date): KnownCallers => {
  const until = new Map<string, number>()
  return {
    knows: (keyHash) => (until.get(keyHash) ?? 0) > now().getTime(),
    remember: (keyHash) => {
      if (until.size >= MAX_KEYS) until.clear()
      until.set(keyHash, now().getTime() + KNOWN_MS)
    },
    forget: (keyHash) => {
      until.delete(keyHash)
    },
  }
}

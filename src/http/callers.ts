/** The keys this isolate admitted a moment ago. */
export type KnownCallers = {
  knows: (keyHash: string) => boolean
  /** Returns the account of a known key. */
  accountOf: (keyHash: string) => number | undefined
  remember: (keyHash: string, accountId?: number) => void
  forget: (keyHash: string) => void
}

const KNOWN_MS = 60_000
const MAX_KEYS = 10_000

/**
 * Remembers for a minute which keys were admitted. It opens nothing: every request is judged again. It only says for whom work
 * may begin while that judgement is under way.
 */
export const createKnownCallers = (now: () => Date): KnownCallers => {
  const known = new Map<string, { until: number; accountId: number | undefined }>()
  const of = (keyHash: string) => {
    const found = known.get(keyHash)
    return found && found.until > now().getTime() ? found : undefined
  }
  return {
    knows: (keyHash) => of(keyHash) !== undefined,
    accountOf: (keyHash) => of(keyHash)?.accountId,
    remember: (keyHash, accountId) => {
      if (known.size >= MAX_KEYS) known.clear()
      known.set(keyHash, { until: now().getTime() + KNOWN_MS, accountId })
    },
    forget: (keyHash) => {
      known.delete(keyHash)
    },
  }
}

import { type KeyRing, seal, unseal } from './crypto.ts'

const MARK = 'sealed:'

const contextOf = (accountId: number): string => `answer:account:${accountId}`

/** Returns an answer that holds a secret, as it may be kept for replays: sealed for its account, never in plain text. */
export const sealedAnswer = async (ring: KeyRing, accountId: number, body: unknown): Promise<string> =>
  `${MARK}${await seal(ring, JSON.stringify(body), contextOf(accountId))}`

/** Returns a kept answer as it was given. Throws when it was sealed with a key that is gone, or for another account. */
export const openAnswer = async (ring: KeyRing, accountId: number, kept: string): Promise<string> =>
  kept.startsWith(MARK) ? await unseal(ring, kept.slice(MARK.length), contextOf(accountId)) : kept

/** Returns a sealed answer sealed again with the ring's first key. Throws like `openAnswer`. */
export const resealAnswer = async (ring: KeyRing, accountId: number, kept: string): Promise<string> =>
  `${MARK}${await seal(ring, await openAnswer(ring, accountId, kept), contextOf(accountId))}`

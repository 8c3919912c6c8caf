import { createHash, createHmac } from 'node:crypto'

/** Release of a deployment: its time, and a hash over every Worker's code, settings and secrets. */
export type Release = { at: string; hash: string }

const HASH_CHARS = 16

/**
 * Returns a Worker's tag: the same for the same code, settings and secrets.
 *
 * By it, a repeated deployment recognises finished Workers. It is an HMAC, because everyone who sees the account's
 * versions sees the tag.
 */
export const workerTag = (key: string, parts: readonly unknown[]): string => {
  const hmac = createHmac('sha256', key)
  for (const part of parts) hmac.update(JSON.stringify(part)).update('\0')
  return `g-${hmac.digest('hex').slice(0, HASH_CHARS)}`
}

/** Returns a hash over the tags of all Workers. */
export const releaseHash = (tags: readonly string[]): string =>
  createHash('sha256').update(tags.join(' ')).digest('hex').slice(0, HASH_CHARS)

/** `20261122T012345Z`: sorts by time. */
export const releaseTime = (now: Date): string => `${now.toISOString().slice(0, 19).replaceAll(/[-:]/g, '')}Z`

/** Returns the message of a version, which names its release. */
export const messageOf = ({ at, hash }: Release, commit: string): string => `release ${at} ${hash} (${commit})`

/** Returns the release in a version's message; undefined for one that this command did not deploy. */
export const releaseIn = (message: string | undefined): Release | undefined => {
  const [, at, hash] = /^release (\d{8}T\d{6}Z) ([0-9a-f]{16})\b/.exec(message ?? '') ?? []
  return at && hash ? { at, hash } : undefined
}

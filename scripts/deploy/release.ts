import { createHash, createHmac } from 'node:crypto'

/** Release of a deployment: its time, and a hash over every Worker's code, settings and secrets. */
export type Release = { at: string; hash: string }

const HASH_CHARS = 16

/**
 * Returns a Worker's tag: the same for the same code, settings and secrets, so that a repeated deployment knows what is there
 * already. Keyed, since the tag is shown to anyone who sees the account's versions.
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

/** Returns the message of a version, by which it is known to belong to a release. */
export const messageOf = ({ at, hash }: Release, commit: string): string => `release ${at} ${hash} (${commit})`

/** Returns the release a version's message names; undefined for one that was not deployed by this command. */
export const releaseIn = (message: string | undefined): Release | undefined => {
  const [, at, hash] = /^release (\d{8}T\d{6}Z) ([0-9a-f]{16})\b/.exec(message ?? '') ?? []
  return at && hash ? { at, hash } : undefined
}

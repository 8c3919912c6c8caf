import type { Post } from '../../../local/social/zernio-data.ts'
import type { Scope } from '../../../schema/values/accounts.ts'
import type { StackAccess } from '../../publishing/scene.ts'
import type { TestStack } from '../../support/stack.ts'
import type { Caller } from './sequences.ts'

/** State that all steps of a sequence share. */
export type World = {
  access: StackAccess
  /** Returns the posts of an account at the provider of social networks. */
  postsOf: (account: string) => Post[]
  /** Simulated hours of the tenants, in addition to real time. */
  passed: number
  /** Steps with their answers, for the report of a failure. */
  trace: string[]
}

export const HOUR_MS = 3_600_000

/** Returns a world at whose beginning no hour has passed. */
export const newWorld = ({ zernio }: TestStack, access: StackAccess): World => ({
  access,
  postsOf: (account) =>
    zernio.data.posts.filter(({ platforms }) => platforms.some(({ accountId }) => accountId === account)),
  passed: 0,
  trace: [],
})

/** Returns the time on the clock of the tenants. */
export const now = ({ passed }: World): number => Date.now() + passed * HOUR_MS

let words = 0
/** Returns words that no article and no post had before. */
export const newWords = (thing: 'Shed' | 'Post'): string => {
  words += 1
  return `${thing} ${words}x`
}

/** Returns the scope of a caller; a person without a page for a call makes it by a key that writes. */
export const scopeOf = (by: Caller): Scope => (by === 'person' ? 'write' : by)

import { rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { DamagedFile, makeFolder, textIn } from '../damaged-file.ts'
import type { Post, Stored } from './blog.ts'
import type { Delivery } from './deliveries.ts'

/** Work done for an idempotency key: a fingerprint of the content, and the resulting posts. */
export type Processed = { fingerprint: string; stored: Stored[] }
export type SavedState = { posts: Post[]; deliveries: Delivery[]; processed: [string, Processed][] }

type StateFile = {
  saved: SavedState
  /** Writes `current()` soon. Calls during a write are joined into one. */
  save: (current: () => SavedState) => void
  /** Waits until all requested writes are on disk. */
  flush: () => Promise<void>
}

const Shape = z.object({
  posts: z.array(z.looseObject({ slug: z.string(), title: z.string(), tags: z.array(z.string()) })),
  deliveries: z.array(z.looseObject({ number: z.int(), idempotency_key: z.nullable(z.string()) })),
  processed: z.array(z.tuple([z.string(), z.looseObject({ fingerprint: z.string(), stored: z.array(z.unknown()) })])),
})

const load = (path: string): SavedState | undefined => {
  const text = textIn(path)
  if (text === undefined) return undefined
  try {
    const state: unknown = JSON.parse(text)
    Shape.parse(state)
    return state as SavedState
  } catch {
    throw new DamagedFile(path, 'it does not hold posts, deliveries and keys as JSON')
  }
}

/** Returns the receiver's state in `dir/receiver.json`, replaced whole by rename. Without `dir`: nothing is kept. */
export const openStateFile = (dir: string | undefined): StateFile => {
  const empty: SavedState = { posts: [], deliveries: [], processed: [] }
  if (dir === undefined) return { saved: empty, save: () => {}, flush: async () => {} }
  makeFolder(dir)
  const path = join(dir, 'receiver.json')
  let wanted: (() => SavedState) | undefined
  let writing: Promise<void> | undefined

  const write = async (): Promise<void> => {
    while (wanted) {
      const text = JSON.stringify(wanted())
      wanted = undefined
      await writeFile(`${path}.new`, text)
      await rename(`${path}.new`, path)
    }
  }

  const save = (current: () => SavedState): void => {
    wanted = current
    writing ??= write()
      .catch((error: unknown) => console.error('The receiver could not save its state:', error))
      .finally(() => {
        writing = undefined
        if (wanted) save(wanted)
      })
  }

  const flush = async (): Promise<void> => {
    while (writing) await writing
  }

  const saved = load(path)
  // Written at the first start, so that a later start notices a missing file.
  if (!saved) save(() => empty)
  return { saved: saved ?? empty, save, flush }
}

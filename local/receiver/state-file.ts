import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { DamagedFile } from '../damaged-file.ts'
import type { Post, Stored } from './blog.ts'
import type { Delivery } from './deliveries.ts'

/** What was done for an idempotency key: the content it stood for and the posts it left. */
export type Processed = { fingerprint: string; stored: Stored[] }
export type SavedState = { posts: Post[]; deliveries: Delivery[]; processed: [string, Processed][] }

type StateFile = {
  saved: SavedState
  /** Writes `current()` soon; calls made while a write runs are joined into one. */
  save: (current: () => SavedState) => void
  /** Waits until everything asked for is on disk. */
  flush: () => Promise<void>
}

const Shape = z.object({
  posts: z.array(z.unknown()),
  deliveries: z.array(z.unknown()),
  processed: z.array(z.unknown()),
})

const load = (path: string): SavedState => {
  const empty: SavedState = { posts: [], deliveries: [], processed: [] }
  if (!existsSync(path)) return empty
  try {
    const state: unknown = JSON.parse(readFileSync(path, 'utf8'))
    Shape.parse(state)
    return state as SavedState
  } catch {
    throw new DamagedFile(path, 'it does not hold posts, deliveries and keys as JSON')
  }
}

/** The receiver's state in `dir/receiver.json`, replaced whole by rename. Without `dir`: nothing is kept. */
export const openStateFile = (dir: string | undefined): StateFile => {
  if (dir === undefined) {
    return { saved: { posts: [], deliveries: [], processed: [] }, save: () => {}, flush: async () => {} }
  }
  mkdirSync(dir, { recursive: true })
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

  return { saved: load(path), save, flush }
}

import type { RedisBackend } from './backend.ts'
import { createDispatcher } from './dispatch.ts'
import { createKeyspace, type Keyspace, liveKeys } from './keyspace.ts'
import { loadSnapshot, saveSnapshot } from './snapshot.ts'

const UPKEEP_EVERY_MS = 3000

/** Saves to `dir` when something changed since the last save; one save at a time. */
const createSaver = (db: Keyspace, dir: string): (() => Promise<void>) => {
  let savedChanges = db.changes
  let last: Promise<void> = Promise.resolve()
  const saveIfChanged = async (): Promise<void> => {
    const { changes } = db
    if (changes === savedChanges) return
    await saveSnapshot(db, dir)
    savedChanges = changes
  }
  return () => {
    last = last.catch(() => undefined).then(saveIfChanged)
    return last
  }
}

/**
 * A Redis in this process: single-threaded, so every command and script is atomic. With `dir` its state is loaded
 * from there, saved every few seconds when changed and on close. `now` is the clock in epoch milliseconds.
 */
export const createMemoryStore = (options: { dir?: string; now?: () => number } = {}): RedisBackend => {
  const db = createKeyspace(options.now ?? Date.now)
  const { dir } = options
  if (dir !== undefined) loadSnapshot(db, dir)
  const save = dir === undefined ? async () => undefined : createSaver(db, dir)
  const { execute, refusal } = createDispatcher(db)

  const upkeep = setInterval(() => {
    // Listing the live keys removes the expired ones that nobody asks for again, such as past rate-limit windows.
    liveKeys(db)
    save().catch((error) => console.error('redis: state not saved:', error))
  }, UPKEEP_EVERY_MS)
  upkeep.unref()

  return {
    run: async (command) => execute(command),
    multi: async (commands) => {
      const refused = commands.map(refusal).find((reply) => reply !== undefined)
      return refused ?? commands.map(execute)
    },
    close: async () => {
      clearInterval(upkeep)
      await save()
    },
  }
}

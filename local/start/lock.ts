import { linkSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join, sep } from 'node:path'
import { z } from 'zod'
import { makeFolder, textIn } from '../damaged-file.ts'
import { endLeftOvers, processesThat, runs } from './processes.ts'

/**
 * Owner of a data folder: its process, its address, and the processes it started.
 *
 * The address is '' until the service has one, and undefined if the lock cannot be read.
 */
const OwnerShape = z.object({ pid: z.int(), url: z.union([z.string(), z.undefined()]), children: z.array(z.int()) })

export type Owner = z.infer<typeof OwnerShape>

export type Lock = {
  /** Processes of a killed start that were still running and have been ended. */
  ended: number[]
  /** Stores changes of the owner. */
  update: (change: Partial<Owner>) => void
  release: () => void
}

/** Another service runs on the folder. */
export class FolderInUse extends Error {
  readonly owner: Owner
  constructor(dir: string, owner: Owner) {
    super(`A service already runs on ${dir} (process ${owner.pid})`)
    this.name = 'FolderInUse'
    this.owner = owner
  }
}

const OWNER_MARK = 'start.ts'

/**
 * Returns the owner in a lock file; undefined if the file names none. Throws a DamagedFile if it cannot be read as a
 * file.
 */
const readOwner = (file: string): Owner | undefined => {
  const text = textIn(file)
  try {
    return OwnerShape.safeParse(JSON.parse(text ?? '')).data
  } catch {
    return undefined
  }
}

/** Creates the file if there is none. A reader never sees half of it, and of two writers one wins. */
const claim = (file: string, owner: Owner): boolean => {
  const own = `${file}.${process.pid}`
  writeFileSync(own, JSON.stringify(owner))
  try {
    linkSync(own, file)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    return false
  } finally {
    rmSync(own, { force: true })
  }
}

/** Removes the lock of an owner that has ended, unless another start did so first. */
const removeStale = (file: string, stale: Owner | undefined): void => {
  const aside = `${file}.${process.pid}.stale`
  try {
    renameSync(file, aside)
  } catch {
    return
  }
  const taken = readOwner(aside)
  if (taken && taken.pid !== stale?.pid) {
    try {
      linkSync(aside, file)
    } catch {
      // A third start has taken the folder.
    }
  }
  rmSync(aside, { force: true })
}

/** Folders that a service's own database and Workers use. Other processes read the cache beside them. */
const WORKED_ON = ['data', 'workerd']

/**
 * Returns the owner of a folder whose lock cannot be read: the parent of the processes that use its data.
 *
 * Processes without such a parent are left over.
 */
const workersOn = (dir: string): { owner: Owner | undefined; leftOver: number[] } => {
  const paths = WORKED_ON.map((name) => ` ${join(dir, name)}${sep}`)
  const workers = processesThat(
    (command) => paths.some((path) => command.includes(path)) && !command.includes(OWNER_MARK),
  )
  const owned = workers.find(({ parent }) => runs(parent, OWNER_MARK))
  return {
    owner: owned && { pid: owned.parent, url: undefined, children: [] },
    leftOver: workers.map(({ pid }) => pid),
  }
}

/**
 * Takes the data folder for this process, and ends the processes that a killed owner left.
 *
 * Throws FolderInUse while another service uses the folder.
 */
export const acquireLock = async (dir: string): Promise<Lock> => {
  makeFolder(dir)
  const file = join(dir, 'lock.json')
  const owner: Owner = { pid: process.pid, url: '', children: [] }
  const leftOver = new Set<number>()
  while (!claim(file, owner)) {
    const present = readOwner(file)
    if (present && runs(present.pid, OWNER_MARK)) throw new FolderInUse(dir, present)
    const found = present ? { owner: undefined, leftOver: present.children } : workersOn(dir)
    if (found.owner) throw new FolderInUse(dir, found.owner)
    for (const pid of found.leftOver) leftOver.add(pid)
    removeStale(file, present)
  }
  const ended = await endLeftOvers([...leftOver], dir)
  return {
    ended,
    update: (change) => {
      Object.assign(owner, change)
      writeFileSync(`${file}.${process.pid}`, JSON.stringify(owner))
      renameSync(`${file}.${process.pid}`, file)
    },
    release: () => {
      try {
        if (readOwner(file)?.pid === process.pid) rmSync(file, { force: true })
      } catch {
        // Another process has replaced the lock. It is not ours to remove.
      }
    },
  }
}

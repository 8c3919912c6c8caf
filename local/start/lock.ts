import { execFileSync } from 'node:child_process'
import { existsSync, linkSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join, sep } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { makeFolder, textIn } from '../damaged-file.ts'

/** True if a process with this id exists. A zombie counts until its parent has collected it. */
const exists = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** Returns the command line of a process; undefined if it cannot be read, '' for a zombie. */
const commandOf = (pid: number): string | undefined => {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')
  } catch {
    try {
      return execFileSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' })
    } catch {
      return undefined
    }
  }
}

/** True if the process runs and its command line contains `mark`, because the system reuses ids for other programs. */
const runs = (pid: number, mark: string): boolean => exists(pid) && (commandOf(pid) ?? mark).includes(mark)

type Listed = { pid: number; parent: number; command: string }

const listedIn = (proc: string): Listed[] =>
  readdirSync(proc)
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        // The name in brackets may contain brackets and spaces, so the fields start after the last bracket.
        const [, parent] = readFileSync(`${proc}/${name}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? []
        return [{ pid: Number(name), parent: Number(parent), command: commandOf(Number(name)) ?? '' }]
      } catch {
        return []
      }
    })

const listedByPs = (): Listed[] =>
  execFileSync('ps', ['-axo', 'pid=,ppid=,command='], { encoding: 'utf8' })
    .split('\n')
    .flatMap((line) => {
      const [, pid, parent, command = ''] = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? []
      return pid === undefined ? [] : [{ pid: Number(pid), parent: Number(parent), command }]
    })

/**
 * Returns the processes with a matching command line, each with its parent. Empty if the system lists no processes.
 */
const processesThat = (matches: (command: string) => boolean): Listed[] => {
  try {
    const all = existsSync('/proc/self/stat') ? listedIn('/proc') : listedByPs()
    return all.filter(({ command }) => matches(command))
  } catch {
    return []
  }
}

/** Sends a signal to a process that may be gone by now. */
const signal = (pid: number, name: 'SIGTERM' | 'SIGKILL'): void => {
  try {
    process.kill(pid, name)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

const GRACE_MS = 5_000

/**
 * Ends the processes whose command line contains `mark`, by force after 5 s. Returns those that were running.
 */
const endLeftOvers = async (pids: readonly number[], mark: string): Promise<number[]> => {
  const found = pids.filter((pid) => runs(pid, mark))
  const giveUpAt = performance.now() + GRACE_MS
  for (const pid of found) signal(pid, 'SIGTERM')
  while (found.some((pid) => runs(pid, mark))) {
    if (performance.now() > giveUpAt) for (const pid of found) if (runs(pid, mark)) signal(pid, 'SIGKILL')
    await sleep(50)
  }
  return found
}

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
  try {
    writeFileSync(own, JSON.stringify(owner))
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

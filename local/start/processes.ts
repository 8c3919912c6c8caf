import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

/** True if a process of this id is there (a zombie counts until its parent has taken note). */
const exists = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** Returns the command line of a process; undefined where it cannot be read, '' for a zombie. */
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

/** True if the process runs and its command line holds `mark`: ids are given out again to other programs. */
export const runs = (pid: number, mark: string): boolean => exists(pid) && (commandOf(pid) ?? mark).includes(mark)

type Listed = { pid: number; parent: number; command: string }

const listedIn = (proc: string): Listed[] =>
  readdirSync(proc)
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        // The name before the last bracket may hold brackets and spaces itself.
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

/** Returns the processes that `carries` says of their command line, each with its parent; none where the system lists no processes. */
export const processesThat = (carries: (command: string) => boolean): Listed[] => {
  try {
    const all = existsSync('/proc/self/stat') ? listedIn('/proc') : listedByPs()
    return all.filter(({ command }) => carries(command))
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

/** Waits until the processes that carry `mark` have ended, and ends those that have not within 5 s. Returns those it found running. */
export const endLeftOvers = async (pids: readonly number[], mark: string): Promise<number[]> => {
  const found = pids.filter((pid) => runs(pid, mark))
  const giveUpAt = performance.now() + GRACE_MS
  for (const pid of found) signal(pid, 'SIGTERM')
  while (found.some((pid) => runs(pid, mark))) {
    if (performance.now() > giveUpAt) for (const pid of found) if (runs(pid, mark)) signal(pid, 'SIGKILL')
    await sleep(50)
  }
  return found
}

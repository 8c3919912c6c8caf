import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

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
export const runs = (pid: number, mark: string): boolean => exists(pid) && (commandOf(pid) ?? mark).includes(mark)

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
 * Returns the processes for whose command line `carries` is true, each with its parent. None if the system lists no
 * processes.
 */
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

/**
 * Ends those of the processes whose command line contains `mark`, after 5 s by force. Returns the ones that were
 * running.
 */
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

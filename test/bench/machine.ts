import { readdirSync, readFileSync } from 'node:fs'
import { cpus, loadavg, totalmem } from 'node:os'
import type { Sql } from './seed.ts'

/** The kernel's unit in /proc/<pid>/stat on every Linux that Node runs on, ms. */
const TICK_MS = 10

type Stat = { command: string; parent: number; cpuMs: number }

const statOf = (pid: number): Stat | undefined => {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1')
    // The command may hold spaces and parentheses itself.
    const end = text.lastIndexOf(')')
    const fields = text.slice(end + 2).split(' ')
    const cpuMs = (Number(fields[11]) + Number(fields[12])) * TICK_MS
    return { command: text.slice(text.indexOf('(') + 1, end), parent: Number(fields[1]), cpuMs }
  } catch {
    return undefined
  }
}

const childrenOf = (pid: number): number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && statOf(Number(name))?.parent === pid)
    .map(Number)

/** CPU time a process has used so far, ms; NaN when it cannot be seen (another machine, another system). */
export const cpuOf = (pid: number): number => statOf(pid)?.cpuMs ?? Number.NaN

/** Returns the same with microseconds, for work that takes only a few ticks. */
export const exactCpuOf = (pid: number): number => {
  try {
    const threads = readdirSync(`/proc/${pid}/task`)
    const nanoseconds = threads.map((thread) => readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'latin1'))
    return nanoseconds.reduce((sum, text) => sum + Number(text.split(' ')[0]), 0) / 1e6
  } catch {
    return Number.NaN
  }
}

/** CPU time of a process and its children, ms. */
export const cpuOfFamily = (pid: number): number =>
  [pid, ...childrenOf(pid)].reduce((sum, member) => sum + cpuOf(member), 0)

const memoryOf = (pid: number): number =>
  Number(/^Pss:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'latin1'))?.[1]) / 1024

const familyOf = (pid: number): number[] => [pid, ...childrenOf(pid).flatMap(familyOf)]

/**
 * Returns the memory of a process and its descendants, MiB by command. Shared memory is divided among them.
 *
 * Empty if it cannot be read.
 */
export const memoryOfFamily = (pid: number): Record<string, number> => {
  try {
    const members = familyOf(pid)
    return Object.fromEntries(members.map((one) => [`${statOf(one)?.command} ${one}`, memoryOf(one)]))
  } catch {
    return {}
  }
}

/** Returns the process that runs `command` as a child of this one, if there is one. */
export const childNamed = (part: string): number | undefined =>
  childrenOf(process.pid).find((pid) => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'latin1').includes(part)
    } catch {
      return false
    }
  })

/** Returns the PostgreSQL server's first process, when it runs on this machine. */
export const postmasterPid = async (sql: Sql): Promise<number | undefined> => {
  const [row] = await sql<{ pid: number }>('select pg_backend_pid() as pid')
  const stat = row && statOf(Number(row.pid))
  return stat?.command === 'postgres' || stat?.command === 'postmaster' ? stat.parent : undefined
}

/** Returns the Redis server's process, when it runs on this machine. `info` is the answer to INFO server. */
export const redisPid = (info: string): number | undefined => {
  const pid = Number(/process_id:(\d+)/.exec(info)?.[1])
  return statOf(pid)?.command.startsWith('redis-server') ? pid : undefined
}

/** Returns the facts of the machine that the figures were taken on. */
export const machineFacts = (): Record<string, unknown> => ({
  cores: cpus().length,
  processor: cpus()[0]?.model ?? 'unknown',
  memory_gib: Math.round(totalmem() / 2 ** 30),
  load: loadavg()[0]?.toFixed(1),
  node: process.version,
})

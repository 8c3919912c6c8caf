import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { DamagedFile } from '../damaged-file.ts'
import { DiskFull } from '../disk.ts'

export type NeonOptions = { port: number; dir?: string; template?: string; databaseUrl?: string }

export type NeonProcess = {
  url: string
  port: number
  pid: number
  backend: 'pglite' | 'postgres'
  close: () => Promise<void>
}

const KILL_AFTER_MS = 5000
/** Exit code of main.ts if the database in its folder cannot be opened. */
export const DAMAGED = 3
/** Exit code of main.ts if the disk of its folder is too full to open it. */
export const DISK_FULL = 4
const MAX_STDERR_CHARS = 8192

/** Limits V8's space for new objects: it would take up to 16 MB three times. With 4 MB the same work takes as long. */
const SMALL_YOUNG = '--max-semi-space-size=4'

/**
 * V8 compiles the engine's functions a second time after they have run a little. This setting delays that.
 *
 * It took each process 2.5 s of CPU and up to 400 MB, and made 6,000 queries half as long again. Functions that run
 * very often are still compiled again.
 */
const COMPILES_LATE = '--wasm-tiering-budget=200000000'

/**
 * Makes glibc return large pieces of memory when they are freed. Filling a database frees a hundred megabytes of them.
 */
const GIVES_BACK = { MALLOC_MMAP_THRESHOLD_: '131072', MALLOC_TRIM_THRESHOLD_: '131072' }

const argumentsOf = ({ port, dir, template, databaseUrl }: NeonOptions): string[] => [
  ...['--port', String(port)],
  ...(dir === undefined ? [] : ['--dir', dir]),
  ...(template === undefined ? [] : ['--template', template]),
  ...(databaseUrl === undefined ? [] : ['--database-url', databaseUrl]),
]

const hasExited = (child: ChildProcess) => child.exitCode !== null || child.signalCode !== null

const stop = async (child: ChildProcess): Promise<void> => {
  if (hasExited(child)) return
  const exited = once(child, 'exit')
  child.kill('SIGTERM')
  // While a statement runs in the embedded engine, the process does not see the signal.
  const timer = setTimeout(() => child.kill('SIGKILL'), KILL_AFTER_MS)
  await exited
  clearTimeout(timer)
}

const openingError = (dir: string | undefined, code: number | null, reason: string): Error => {
  if (dir !== undefined && code === DISK_FULL) return new DiskFull(dir)
  return dir !== undefined && code === DAMAGED ? new DamagedFile(dir, reason) : new Error(reason)
}

/**
 * Starts the Neon endpoint in a process of its own, because the embedded engine blocks the event loop it runs in.
 *
 * Resolves when it serves; rejects with its standard error if it ends before that. It ends with close() or with this
 * process.
 */
export const spawnNeon = (options: NeonOptions): Promise<NeonProcess> =>
  new Promise((resolve, reject) => {
    const main = fileURLToPath(new URL('./main.ts', import.meta.url))
    // Standard input is a pipe that is never written: its end tells the child that this process is gone.
    const env = { ...process.env, ...GIVES_BACK }
    const child = spawn(process.execPath, [SMALL_YOUNG, COMPILES_LATE, main, ...argumentsOf(options)], {
      stdio: 'pipe',
      env,
    })
    let out = ''
    let err = ''
    child.stderr.on('data', (chunk: Buffer) => {
      err = (err + chunk).slice(-MAX_STDERR_CHARS)
    })
    child.stdout.on('data', (chunk: Buffer) => {
      out += chunk
      const end = out.indexOf('\n')
      if (end === -1) return
      child.stdout.removeAllListeners('data').resume()
      const ready = JSON.parse(out.slice(0, end)) as Omit<NeonProcess, 'close' | 'pid'>
      resolve({ ...ready, pid: child.pid ?? 0, close: () => stop(child) })
    })
    child.once('error', reject)
    child.once('close', (code, signal) => {
      const reason = err.trim() || `the process ended with ${signal ?? code}`
      reject(openingError(options.dir, code, reason))
    })
  })

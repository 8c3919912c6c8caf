import { spawn } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { endWithParent } from '../end-with-parent.ts'

const NAMES = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome', 'chrome', 'microsoft-edge']

const PLACES = [
  '/usr/bin',
  '/usr/local/bin',
  '/snap/bin',
  '/opt/google/chrome',
  '/Applications/Google Chrome.app/Contents/MacOS',
  '/Applications/Chromium.app/Contents/MacOS',
]

const isExecutable = (path: string): boolean => {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/**
 * Returns the path of an installed Chromium or Chrome: that in CHROME_PATH, else one by its usual names.
 *
 * `CHROME_PATH=none` turns the browser off.
 */
export const findChromium = (env: NodeJS.ProcessEnv = process.env): string | undefined => {
  const named = env.CHROME_PATH ?? ''
  if (named !== '') return named !== 'none' && isExecutable(named) ? named : undefined
  const folders = [...(env.PATH ?? '').split(delimiter), ...PLACES]
  return folders
    .flatMap((folder) => [...NAMES, 'Google Chrome', 'Chromium'].map((name) => join(folder, name)))
    .find(isExecutable)
}

export type Chromium = {
  port: number
  /** Path of the DevTools connection of the whole browser. */
  path: string
  /** Resolves after the browser has ended and the removal of its profile was tried. Never rejects. */
  ended: Promise<void>
  kill: () => void
}

type Say = (line: string) => void

const ARGUMENTS = [
  '--headless=new',
  '--remote-debugging-port=0',
  '--disable-gpu',
  '--disable-dev-shm-usage',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-default-apps',
  '--disable-extensions',
  '--disable-sync',
  '--disable-popup-blocking',
  '--hide-scrollbars',
  '--mute-audio',
  '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--no-default-browser-check',
  '--no-first-run',
  'about:blank',
]

const START_MS = 30_000

/**
 * Name of a profile, with the id of the process that made it. So the next start finds the profiles of killed processes.
 */
const PROFILE = /^galley-chromium-(\d+)-/

/** Removes a profile. Helpers of the browser may still write to it; the next start removes what remains. */
const removeProfile = async (profile: string, say: Say): Promise<void> => {
  try {
    await rm(profile, { recursive: true, force: true, maxRetries: 5 })
  } catch (error) {
    say(`The browser's profile ${profile} could not be removed: ${(error as Error).message}`)
  }
}

const isRunning = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** Removes the profiles that earlier processes left behind. */
export const sweepProfiles = async (say: Say): Promise<void> => {
  const names = await readdir(tmpdir()).catch(() => [])
  const left = names.filter((name) => {
    const [, pid] = PROFILE.exec(name) ?? []
    return pid !== undefined && !isRunning(Number(pid))
  })
  await Promise.all(left.map((name) => removeProfile(join(tmpdir(), name), say)))
}

/** Kills a process and all that it started. */
const killGroup = (pid: number | undefined): void => {
  if (pid === undefined) return
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // All of them have ended.
  }
}

/**
 * Starts a browser with its own profile, which is removed afterwards. Rejects if the browser does not start to listen.
 */
export const launchChromium = async (executable: string, say: Say = () => {}): Promise<Chromium> => {
  const profile = await mkdtemp(join(tmpdir(), `galley-chromium-${process.pid}-`))
  // Chromium does not run its sandbox as root.
  const asRoot = process.getuid?.() === 0 ? ['--no-sandbox'] : []
  // In a process group of its own, so that its helpers end with it.
  const child = spawn(executable, [...asRoot, `--user-data-dir=${profile}`, ...ARGUMENTS], {
    stdio: ['ignore', 'ignore', 'pipe'],
    detached: true,
  })
  endWithParent(child)
  const kill = () => killGroup(child.pid)
  const ended = new Promise<void>((resolve) => {
    child.on('error', () => resolve())
    child.once('exit', () => resolve())
  }).then(() => {
    kill()
    return removeProfile(profile, say)
  })
  try {
    const [, port, path] = await new Promise<RegExpExecArray>((resolve, reject) => {
      let said = ''
      const timer = setTimeout(() => reject(new Error(`${executable} did not start in time`)), START_MS)
      child.stderr.on('error', () => {})
      child.stderr.on('data', (chunk: Buffer) => {
        said = (said + chunk).slice(-10_000)
        const found = /DevTools listening on ws:\/\/127\.0\.0\.1:(\d+)(\/\S+)/.exec(said)
        if (!found) return
        clearTimeout(timer)
        resolve(found)
      })
      void ended.then(() => {
        clearTimeout(timer)
        reject(new Error(`${executable} ended before it listened:\n${said}`))
      })
    })
    return { port: Number(port), path: path ?? '', ended, kill }
  } catch (error) {
    kill()
    throw error
  }
}

import { spawn } from 'node:child_process'
import { accessSync, constants, mkdtempSync, rmSync } from 'node:fs'
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

/** An installed Chromium or Chrome: the one CHROME_PATH names, else one by its usual names. `CHROME_PATH=none`: there is none. */
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
  ended: Promise<void>
  kill: () => void
}

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
  '--no-default-browser-check',
  '--no-first-run',
  'about:blank',
]

const START_MS = 30_000

/** Starts a browser of its own, with a profile that is gone afterwards. Rejects when it does not come to listen. */
export const launchChromium = async (executable: string): Promise<Chromium> => {
  const profile = mkdtempSync(join(tmpdir(), 'galley-chromium-'))
  // Chromium refuses its sandbox to root.
  const asRoot = process.getuid?.() === 0 ? ['--no-sandbox'] : []
  const child = spawn(executable, [...asRoot, `--user-data-dir=${profile}`, ...ARGUMENTS], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  endWithParent(child)
  const ended = new Promise<void>((resolve) => {
    const gone = () => {
      rmSync(profile, { recursive: true, force: true, maxRetries: 5 })
      resolve()
    }
    child.once('exit', gone)
    child.once('error', gone)
  })
  const kill = () => void child.kill('SIGKILL')
  try {
    const [, port, path] = await new Promise<RegExpExecArray>((resolve, reject) => {
      let said = ''
      const timer = setTimeout(() => reject(new Error(`${executable} did not start in time`)), START_MS)
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

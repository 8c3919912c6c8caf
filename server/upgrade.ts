import { setTimeout as sleep } from 'node:timers/promises'
import { bundleWorkers, endBuilding } from '../local/bundle.ts'
import { ROOT } from '../local/root.ts'
import { VERSION } from '../src/platform/lib/version.generated.ts'
import { backup } from './backup.ts'
import { stateOfService } from './control.ts'
import { examine } from './doctor.ts'
import { ServerFault } from './fault.ts'
import { pointTo } from './places.ts'
import { readSettings } from './settings.ts'
import { migrate } from './store.ts'

/** Parts that must be well before anything is changed. */
const NEEDED = ['redis', 'disk', 'service']

const READY_MS = 90_000
const LOOK_MS = 500

/** True if a release answers within the time, and finds its database and Redis. */
const isReady = async (data: string, root: string): Promise<boolean> => {
  const until = Date.now() + READY_MS
  while (Date.now() < until) {
    const state = await stateOfService(data)
    if (state?.root === root) {
      const answer = await fetch(`http://${state.address}/readyz`).catch(() => undefined)
      if (answer?.ok) return true
    }
    await sleep(LOOK_MS)
  }
  return false
}

/** Ends the running service, so that what starts services starts it again, as the release that is pointed to. */
const startAgain = async (data: string): Promise<void> => {
  const state = await stateOfService(data)
  if (state) process.kill(state.pid, 'SIGTERM')
}

/**
 * Replaces the running release by the one in this folder: checks, writes a backup, migrates while the old code runs, and
 * switches. If the new release does not get ready, the old one runs again; it fits the new tables.
 *
 * Throws a ServerFault if nothing was changed, or if the old release runs again.
 */
export const upgrade = async (data: string, say: (text: string) => void): Promise<void> => {
  const { DATABASE_URL: url } = readSettings(data)
  const before = await stateOfService(data)
  if (!before) throw new ServerFault('No service runs.', 'Nothing was changed. Start it, or run: galley-server migrate')
  if (before.root === ROOT)
    throw new ServerFault(
      `The service runs the release in ${ROOT} already.`,
      'Nothing was changed. Clone the new release into another folder, and run upgrade there.',
    )
  const ill = (await examine(data)).filter(({ name, isWell }) => NEEDED.includes(name) && !isWell)
  if (ill.length > 0)
    throw new ServerFault(`${ill.map(({ name, state }) => `${name}: ${state}`).join('; ')}.`, 'Nothing was changed.')
  say(`From ${before.release} in ${before.root} to ${VERSION} in ${ROOT}.`)
  await bundleWorkers(() => say('Building the Workers …'), data)
  await endBuilding()
  const { file } = await backup(data, {})
  say(`Backup: ${file}`)
  const applied = await migrate(url)
  say(applied.length === 0 ? 'No migration is missing.' : `Migrated: ${applied.join(', ')}`)
  pointTo(data, ROOT)
  await startAgain(data)
  if (await isReady(data, ROOT)) return say('The new release runs.')
  pointTo(data, before.root)
  await startAgain(data)
  const isBack = await isReady(data, before.root)
  throw new ServerFault(
    `The new release did not get ready. ${isBack ? 'The old one runs again.' : 'The old one is not ready either.'}`,
    `Look at journalctl -u galley and galley-server logs. The backup before the migrations is ${file}.`,
  )
}

import { setTimeout as sleep } from 'node:timers/promises'
import type { Galley, Ops } from '../../client/src/index.ts'
import { say } from './output.ts'

type Adoption = NonNullable<Ops['projectsAdoption']['result']['adoption']>

const POLL_MS = 2500

/**
 * Adopts every published post of a project's site, and waits for the end. Shows the progress on stderr, a line for each change.
 *
 * The same command goes on with an adoption that runs.
 */
export const adoptAll = async (galley: Galley, id: number): Promise<Adoption> => {
  const running = async () => (await galley.projectsAdoption({ path: { id } })).adoption
  if ((await running())?.status !== 'running') await galley.projectsAdopt({ path: { id }, body: { every_post: true } })
  for (let before = ''; ; await sleep(POLL_MS)) {
    const adoption = (await running()) as Adoption
    const { status, adopted, known, refused } = adoption
    const line = `${adopted} adopted, ${known} known, ${refused} refused`
    if (line !== before) say(line)
    before = line
    if (status !== 'running') return adoption
  }
}

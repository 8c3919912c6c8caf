import { renameSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'

/** Returns the paths of what a service has in the folder of its data. */
export const placesIn = (data: string) => ({
  run: join(data, 'run'),
  pictures: join(data, 'pictures'),
  /** Link to the folder of the release that runs. */
  release: join(data, 'release'),
  log: join(data, 'log', 'workers.log'),
})

/** Makes a folder of the project the release that the next start runs. */
export const pointTo = (data: string, root: string): void => {
  const { release } = placesIn(data)
  rmSync(`${release}.new`, { force: true })
  symlinkSync(root, `${release}.new`)
  renameSync(`${release}.new`, release)
}

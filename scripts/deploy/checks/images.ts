import { parseImageSettings } from '../../../src/runtime/env.ts'
import { DeployFault } from '../fault.ts'
import type { Settings } from '../settings.ts'

/** The settings of pictures are what the Workers will read, with a model that they can ask. Throws a DeployFault. */
export const checkImages = (settings: Settings): void => {
  try {
    parseImageSettings(settings)
  } catch (error) {
    throw new DeployFault((error as Error).message, 'Settings of pictures: docs/design/writer.md, Pictures.')
  }
}

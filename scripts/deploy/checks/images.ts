import { parseImageSettings } from '../../../src/platform/runtime/provider-env.ts'
import { DeployFault } from '../fault.ts'
import type { Settings } from '../settings.ts'

/** Checks the settings of pictures as the Workers read them. Throws a DeployFault if they name no usable model. */
export const checkImages = (settings: Settings): void => {
  try {
    parseImageSettings(settings)
  } catch (error) {
    throw new DeployFault((error as Error).message, 'Settings of pictures: docs/design/writer.md, Pictures.')
  }
}

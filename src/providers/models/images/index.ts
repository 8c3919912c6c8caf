import type { ImageMaker } from '../../../content/writing/pictures-port.ts'
import type { ImageSettings } from '../../../platform/runtime/env.ts'
import type { Outbound } from '../../../platform/runtime/outbound.ts'
import { openAiImages } from './openai.ts'
import { workersAiImages } from './workers-ai.ts'

/** Returns the maker of pictures the settings name; without a model one that makes none. */
export const imageMaker = (settings: ImageSettings, ai: unknown, outbound: Outbound): ImageMaker => {
  if (settings.provider === 'openai-compatible') return openAiImages(settings, outbound)
  if (settings.provider === 'workers-ai') return workersAiImages(settings.model, ai)
  return { make: async () => ({ kind: 'none' }) }
}

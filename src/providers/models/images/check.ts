import type { ImageMaker } from '../../../content/writing/pictures-port.ts'
import { listedModel, modelsRequest } from '../../../platform/jobs/model-list.ts'
import { judged, ok, wrong } from '../../../platform/jobs/provider-ask.ts'
import type { Checked } from '../../../platform/jobs/provider-check.ts'
import type { ImageSettings } from '../../../platform/runtime/env.ts'
import type { Outbound } from '../../../platform/runtime/outbound.ts'

const FIX = 'Check IMAGES_MODEL, IMAGES_API_KEY and IMAGES_BASE_URL.'

/** Looks for the model in the provider's list; with `isPaid` has it make one picture. */
export const checkImages = async (
  settings: ImageSettings,
  maker: ImageMaker,
  { outbound, isPaid }: { outbound: Outbound; isPaid: boolean },
): Promise<Checked> => {
  if (settings.provider === 'none') return wrong('no model is set', 'Set IMAGES_PROVIDER and IMAGES_MODEL.')
  if (isPaid) {
    const made = await maker.make('A plain blue square.')
    if (made.kind === 'made') return ok(`${settings.model} makes pictures`, '1 picture')
    return wrong(`${settings.model}: ${made.kind === 'failed' ? made.reason : 'no picture'}`, FIX, '1 picture')
  }
  if (settings.provider === 'workers-ai') return ok(`${settings.model}; with --paid it makes a picture`)
  const { model } = settings
  return await judged(outbound, { ...modelsRequest(settings), settings: 'IMAGES_API_KEY' }, (json) => {
    const found = listedModel(json, model)
    if (!found?.isListed) return wrong(`${model} is not in the list of models`, FIX)
    return ok(found.ends === undefined ? model : `${model}, ends on ${found.ends}`)
  })
}

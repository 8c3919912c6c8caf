import { judged, ok, wrong } from '../../jobs/provider-ask.ts'
import type { Checked } from '../../jobs/provider-check.ts'
import type { ImageSettings } from '../../runtime/env.ts'
import type { Outbound } from '../../runtime/outbound.ts'
import type { ImageMaker } from '../../writing/pictures-port.ts'

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
  const { baseUrl, apiKey, model } = settings
  const headers: Record<string, string> = apiKey === '' ? {} : { authorization: `Bearer ${apiKey}` }
  const request = { url: `${baseUrl.replace(/\/+$/, '')}/models`, headers, settings: 'IMAGES_API_KEY' }
  return await judged(outbound, request, (json) => {
    const { data = [] } = json as { data?: { id?: string; shutdown_date?: unknown }[] }
    const one = data.find(({ id }) => id === model)
    if (!one) return wrong(`${model} is not in the list of models`, FIX)
    return ok(typeof one.shutdown_date === 'string' ? `${model}, ends on ${one.shutdown_date.slice(0, 10)}` : model)
  })
}

import { requestIdHeader } from '../../platform/lib/request-scope.ts'
import { CARD_HEIGHT, CARD_WIDTH, type CardResult, type Cards } from './port.ts'
import { CardRefusal } from './wire.ts'

type Binding = { fetch: typeof fetch }

const TIMEOUT_MS = 20_000

/** A card that is larger would not be one of ours. */
const MAX_BYTES = 150_000

const away = (reason: string): CardResult => ({ kind: 'away', reason })

/** Returns the cards in their own Worker, over the service binding. */
export const cardsClient = (binding: Binding): Cards => ({
  render: async (input) => {
    try {
      const response = await binding.fetch('http://cards/render', {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...requestIdHeader() },
        body: JSON.stringify(input),
        signal: AbortSignal.timeout(TIMEOUT_MS),
      })
      if (response.status === 422) {
        const refusal = CardRefusal.safeParse(await response.json())
        return {
          kind: 'refused',
          reason: refusal.success ? refusal.data.reason : 'No card can be drawn of this title.',
        }
      }
      if (!response.ok) return away('The title card could not be drawn.')
      const png = new Uint8Array(await response.arrayBuffer())
      if (png.byteLength > MAX_BYTES) return { kind: 'refused', reason: 'The title card came out too large.' }
      return { kind: 'drawn', png, width: CARD_WIDTH, height: CARD_HEIGHT }
    } catch {
      return away('The title card was not drawn in time.')
    }
  },
})

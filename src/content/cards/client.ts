import * as z from 'zod/mini'
import { requestIdHeader } from '../../platform/lib/request-scope.ts'

/** Content of a title card. */
export type CardInput = {
  title: string
  /** `#rrggbb`. */
  brandColor: string
  /** Shown below the title; may be empty. */
  siteName: string
}

/**
 * Result of drawing a card. `refused`: the title can never be drawn. `away`: the Worker did not respond; a retry may succeed.
 */
type CardResult =
  | { kind: 'drawn'; png: Uint8Array<ArrayBuffer>; width: number; height: number }
  | { kind: 'refused'; reason: string }
  | { kind: 'away'; reason: string }

/** Draws title cards: a title on the brand's colour, 1200 × 630 pixels, below 150 KB. Never throws. */
export type Cards = { render: (input: CardInput) => Promise<CardResult> }

/** Size of a card, pixels. */
export const CARD_WIDTH = 1200
export const CARD_HEIGHT = 630

/** Request to the cards Worker. */
export const CardRequest = z.object({
  title: z.string().check(z.maxLength(2_000)),
  brandColor: z.string().check(z.regex(/^#[0-9a-f]{6}$/i)),
  siteName: z.string().check(z.maxLength(2_000)),
})

/** Response of the cards Worker if it draws no card (status 422). */
const CardRefusal = z.object({ reason: z.string() })

type Binding = { fetch: typeof fetch }

const TIMEOUT_MS = 20_000

/** Largest card accepted. A larger response is not a card of this service. */
const MAX_BYTES = 150_000

const away = (reason: string): CardResult => ({ kind: 'away', reason })

/** Returns a client of the cards Worker that uses its service binding. */
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

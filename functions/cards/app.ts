import { CardRequest } from '../../src/content/cards/client.ts'
import { drawCard } from '../../src/content/cards/draw.ts'
import type { Shaper } from '../../src/content/cards/shaper.ts'

/** Engine that turns text into shapes, and shapes into a picture (PNG). */
export type Engine = { shaper: Shaper; rasterise: (svg: string) => Uint8Array<ArrayBuffer> }

/** Answers `POST /render`. For other Workers only: it has no public route. */
export const renderCard = async (engine: () => Promise<Engine>, request: Request): Promise<Response> => {
  const input = CardRequest.safeParse(await request.json().catch(() => undefined))
  if (!input.success) return Response.json({ reason: 'The body is not a card request.' }, { status: 400 })
  const { shaper, rasterise } = await engine()
  const svg = await drawCard(shaper, input.data)
  if (svg === undefined)
    return Response.json({ reason: 'There is no font for the script of this title.' }, { status: 422 })
  return new Response(rasterise(svg), { headers: { 'content-type': 'image/png' } })
}

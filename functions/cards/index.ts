import { initWasm, Resvg } from '@resvg/resvg-wasm'
import { createShaper, type FontName, fontFile } from '../../src/content/cards/shaper.ts'
import { withRequestId } from '../../src/platform/lib/request-scope.ts'
import { createLog, errorFields } from '../../src/platform/runtime/log.ts'
import { type Engine, renderCard } from './app.ts'

const log = createLog({ worker: 'cards' })

const rasterise = (svg: string): Uint8Array<ArrayBuffer> => {
  const drawing = new Resvg(svg)
  try {
    const image = drawing.render()
    const png = new Uint8Array(image.asPng())
    image.free()
    return png
  } finally {
    drawing.free()
  }
}

/** Noto Sans Bold and Noto Emoji Bold in parts (see fonts/README.md). A part is read when a title first needs it. */
type Env = { FONTS: { fetch: typeof fetch } }

/** Reads a font. Throws if it does not exist. */
const read = async ({ FONTS }: Env, name: FontName): Promise<ArrayBuffer> => {
  const response = await FONTS.fetch(`http://fonts/${fontFile(name)}`)
  if (!response.ok) throw new Error(`the font ${name} answered ${response.status}`)
  return await response.arrayBuffer()
}

const start = async (env: Env): Promise<Engine> => {
  const [harfbuzz, resvg] = await Promise.all([import('harfbuzzjs/hb.wasm'), import('@resvg/resvg-wasm/index_bg.wasm')])
  await initWasm(resvg.default)
  const shaper = createShaper(await WebAssembly.instantiate(harfbuzz.default, {}), (name) => read(env, name))
  return { shaper, rasterise }
}

let engine: Promise<Engine> | undefined

const engineOf = (env: Env): Promise<Engine> => {
  engine ??= start(env).catch((error: unknown) => {
    engine = undefined
    throw error
  })
  return engine
}

export default {
  fetch: withRequestId(async (request, env: Env) => {
    try {
      return await renderCard(() => engineOf(env), request)
    } catch (error) {
      log('error', 'cards.failed', errorFields(error))
      return Response.json({ error: 'The card could not be drawn.' }, { status: 500 })
    }
  }),
} satisfies ExportedHandler<Env>

import { initWasm, Resvg } from '@resvg/resvg-wasm'
import type { FontName } from '../../src/cards/fonts.ts'
import { createShaper } from '../../src/cards/shaper.ts'
import { createLog, errorFields } from '../../src/runtime/log.ts'
import { traced } from '../../src/runtime/traced.ts'
import { type Engine, renderCard } from './app.ts'

const log = createLog({ worker: 'cards' })

type Data = Promise<{ default: ArrayBuffer }>

/** Noto Sans Bold and Noto Emoji Bold in parts (see fonts/README.md), each read when a title first needs it. */
const FONTS: Record<FontName, () => Data> = {
  latin: () => import('./fonts/latin.ttf'),
  arabic: () => import('./fonts/arabic.ttf'),
  armenian: () => import('./fonts/armenian.ttf'),
  bengali: () => import('./fonts/bengali.ttf'),
  devanagari: () => import('./fonts/devanagari.ttf'),
  emoji: () => import('./fonts/emoji.ttf'),
  ethiopic: () => import('./fonts/ethiopic.ttf'),
  georgian: () => import('./fonts/georgian.ttf'),
  gujarati: () => import('./fonts/gujarati.ttf'),
  gurmukhi: () => import('./fonts/gurmukhi.ttf'),
  han: () => import('./fonts/han.otf'),
  hangul: () => import('./fonts/hangul.otf'),
  hebrew: () => import('./fonts/hebrew.ttf'),
  kannada: () => import('./fonts/kannada.ttf'),
  khmer: () => import('./fonts/khmer.ttf'),
  lao: () => import('./fonts/lao.ttf'),
  malayalam: () => import('./fonts/malayalam.ttf'),
  myanmar: () => import('./fonts/myanmar.ttf'),
  sinhala: () => import('./fonts/sinhala.ttf'),
  tamil: () => import('./fonts/tamil.ttf'),
  telugu: () => import('./fonts/telugu.ttf'),
  thai: () => import('./fonts/thai.ttf'),
}

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

const load = async (name: FontName): Promise<ArrayBuffer> => (await FONTS[name]()).default

const start = async (): Promise<Engine> => {
  const [harfbuzz, resvg] = await Promise.all([import('harfbuzzjs/hb.wasm'), import('@resvg/resvg-wasm/index_bg.wasm')])
  await initWasm(resvg.default)
  return { shaper: createShaper(await WebAssembly.instantiate(harfbuzz.default, {}), load), rasterise }
}

let engine: Promise<Engine> | undefined

const engineOf = (): Promise<Engine> => {
  engine ??= start().catch((error: unknown) => {
    engine = undefined
    throw error
  })
  return engine
}

export default {
  fetch: traced(async (request) => {
    try {
      return await renderCard(engineOf, request)
    } catch (error) {
      log('error', 'cards.failed', errorFields(error))
      return Response.json({ error: 'The card could not be drawn.' }, { status: 500 })
    }
  }),
} satisfies ExportedHandler

import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { initWasm, Resvg } from '@resvg/resvg-wasm'
import { createShaper, type FontName, fontFile, type Shaper } from '../../../src/content/cards/shaper.ts'

type Instantiate = (bytes: Uint8Array, imports: object) => Promise<{ instance: unknown }>

// Node has it; its types leave it to the DOM's.
const { WebAssembly: wasm } = globalThis as unknown as { WebAssembly: { instantiate: Instantiate } }

const { resolve } = createRequire(import.meta.url)
const FONTS = new URL('../../../functions/cards/fonts/', import.meta.url).pathname

/** Returns a font's bytes, as the Worker reads them from its assets. */
export const readFont = async (name: FontName): Promise<ArrayBuffer> =>
  new Uint8Array(readFileSync(join(FONTS, fontFile(name)))).buffer

/** Returns the shaper as the Worker has it, on this process's files. */
export const testShaper = async (load = readFont): Promise<Shaper> => {
  const { instance } = await wasm.instantiate(readFileSync(resolve('harfbuzzjs/hb.wasm')), {})
  return createShaper(instance, load)
}

let ready: Promise<void> | undefined

/** An SVG as PNG and as pixels (RGBA). */
export const rasterise = async (svg: string): Promise<{ png: Uint8Array; pixels: Uint8Array }> => {
  ready ??= initWasm(readFileSync(resolve('@resvg/resvg-wasm/index_bg.wasm')))
  await ready
  const image = new Resvg(svg).render()
  return { png: image.asPng(), pixels: image.pixels }
}

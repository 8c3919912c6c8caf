import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { initWasm, Resvg } from '@resvg/resvg-wasm'
import type { FontName } from '../../src/cards/fonts.ts'
import { createShaper, type Shaper } from '../../src/cards/shaper.ts'

type Instantiate = (bytes: Uint8Array, imports: object) => Promise<{ instance: unknown }>

// Node has it; its types leave it to the DOM's.
const { WebAssembly: wasm } = globalThis as unknown as { WebAssembly: { instantiate: Instantiate } }

const { resolve } = createRequire(import.meta.url)
const FONTS = new URL('../../functions/cards/fonts/', import.meta.url).pathname

const fontFile = (name: FontName): string => {
  const file = readdirSync(FONTS).find((one) => one.startsWith(`${name}.`))
  if (!file) throw new Error(`no font ${name}`)
  return join(FONTS, file)
}

/** The shaper as the Worker has it, on this process's files. */
export const testShaper = async (): Promise<Shaper> => {
  const { instance } = await wasm.instantiate(readFileSync(resolve('harfbuzzjs/hb.wasm')), {})
  return createShaper(instance, async (name) => new Uint8Array(readFileSync(fontFile(name))).buffer)
}

let ready: Promise<void> | undefined

/** An SVG as PNG and as pixels (RGBA). */
export const rasterise = async (svg: string): Promise<{ png: Uint8Array; pixels: Uint8Array }> => {
  ready ??= initWasm(readFileSync(resolve('@resvg/resvg-wasm/index_bg.wasm')))
  await ready
  const image = new Resvg(svg).render()
  return { png: image.asPng(), pixels: image.pixels }
}

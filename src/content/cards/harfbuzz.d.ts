/** Types of the used parts of harfbuzzjs 0.3, which has no types. */
declare module 'harfbuzzjs/hbjs.js' {
  type Handle = { destroy: () => void }
  type Glyph = { g: number; cl: number; ax: number; dx: number; dy: number }
  type HarfBuzz = {
    createBlob: (bytes: ArrayBuffer) => Handle
    createFace: (blob: Handle, index: number) => Handle & { upem: number; collectUnicodes: () => Uint32Array }
    createFont: (face: Handle) => Handle & { glyphToPath: (glyph: number) => string }
    createBuffer: () => Handle & {
      addText: (text: string) => void
      guessSegmentProperties: () => void
      setDirection: (direction: 'ltr' | 'rtl') => void
      json: () => Glyph[]
    }
    shape: (font: Handle, buffer: Handle) => void
  }
  const hbjs: (instance: unknown) => HarfBuzz
  export default hbjs
}

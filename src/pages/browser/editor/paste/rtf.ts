const BLIP = { '\\pngblip': 'image/png', '\\jpegblip': 'image/jpeg' } as const

/** Returns the pictures in RTF, in their order, as files. Word puts them only there. */
export const picturesIn = (rtf: string): File[] => {
  const found: File[] = []
  for (let at = rtf.indexOf('\\pict'); at !== -1; at = rtf.indexOf('\\pict', at + 5)) {
    const end = rtf.indexOf('\\pict', at + 5)
    const part = rtf.slice(at, end === -1 ? undefined : end)
    const blip = Object.keys(BLIP).find((name) => part.includes(name)) as keyof typeof BLIP | undefined
    // The bytes follow the header, whose own numbers are shorter.
    const hex = part
      .match(/[\da-f\s]{64,}/gi)
      ?.at(-1)
      ?.replace(/\s+/g, '')
    if (!blip || !hex) continue
    const bytes = Uint8Array.from({ length: hex.length >> 1 }, (_, n) =>
      Number.parseInt(hex.slice(2 * n, 2 * n + 2), 16),
    )
    found.push(new File([bytes], `picture-${found.length + 1}`, { type: BLIP[blip] }))
  }
  return found
}

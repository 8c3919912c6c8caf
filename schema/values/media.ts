/** Formats an image can be hosted in, by the end of its address. */
export const IMAGE_EXTENSIONS = ['jpg', 'png', 'webp', 'gif'] as const

export type ImageExtension = (typeof IMAGE_EXTENSIONS)[number]

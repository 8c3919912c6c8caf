/** Formats an image can be hosted in, by the end of its address. */
export const IMAGE_EXTENSIONS = ['jpg', 'png', 'webp', 'gif'] as const
/** Formats a video can be hosted in, by the end of its address. */
export const VIDEO_EXTENSIONS = ['mp4', 'mov'] as const

export type ImageExtension = (typeof IMAGE_EXTENSIONS)[number]
export type VideoExtension = (typeof VIDEO_EXTENSIONS)[number]

import type { Cards } from '../cards/port.ts'
import type { VideoSearch } from './videos-port.ts'

/** `none`: no model is set up. `failed`: none was made this time; an article goes without it. */
export type PictureResult =
  | { kind: 'made'; bytes: Uint8Array<ArrayBuffer> }
  | { kind: 'none' }
  | { kind: 'failed'; reason: string }

/** Makes one landscape picture by a description. Never throws. */
export type ImageMaker = { make: (prompt: string) => Promise<PictureResult> }

/** Sources of an article's pictures: a model, cards that show its title, and videos of others. */
export type Pictures = { images: ImageMaker; cards: Cards; videos: VideoSearch }

/** The largest picture taken from a model, bytes: several are held at once. */
export const MAX_PICTURE_BYTES = 4 * 1024 * 1024

/** A video that is offered; what it is about is told by its title alone. */
export type VideoOffer = { id: string; title: string; isLive: boolean }

/** `closed`: no key is set up. `failed`: nobody answered, or not with videos. */
export type VideoOffers =
  | { kind: 'offers'; offers: VideoOffer[] }
  | { kind: 'closed' }
  | { kind: 'failed'; reason: string }

/** Searches for videos that may be embedded. Never throws. */
export type VideoSearch = { isOpen: boolean; search: (words: string, languageTag: string) => Promise<VideoOffers> }

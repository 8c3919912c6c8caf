export type CardInput = {
  title: string
  /** `#rrggbb`. */
  brandColor: string
  /** Stands below the title; may be empty. */
  siteName: string
}

/** `refused`: no card can be drawn of this title, whenever it is tried. `away`: nobody answered; the same call may succeed later. */
export type CardResult =
  | { kind: 'drawn'; png: Uint8Array<ArrayBuffer>; width: number; height: number }
  | { kind: 'refused'; reason: string }
  | { kind: 'away'; reason: string }

/** Draws title cards: a title on the brand's colour, 1200 × 630 pixels, below 150 KB. Never throws. */
export type Cards = { render: (input: CardInput) => Promise<CardResult> }

export const CARD_WIDTH = 1200
export const CARD_HEIGHT = 630

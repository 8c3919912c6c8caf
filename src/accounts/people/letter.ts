import { clip } from '../../platform/lib/text.ts'

/** Control characters, line ends, and the characters that change the direction of text. */
const UNSEEN = /[\p{Cc}\u061C\u200B\u200E\u200F\u2028-\u202E\u2066-\u2069\uFEFF]+/gu

/** Host names as mail programs turn them into links, with or without a scheme. */
const HOST = /(?:[\p{L}\p{M}\d_-]+\.)+[\p{L}\p{M}\d-]*\p{L}[\p{L}\p{M}\d-]*/gu

/** Returns text with addresses that no mail program turns into links. Readers still recognize them: `https[:]//evil[.]example`. */
const unlinked = (text: string): string =>
  text
    .replaceAll('://', '[:]//')
    .replace(/\b(mailto|tel|data|javascript):/gi, '$1[:]')
    .replace(HOST, (host) => host.replaceAll('.', '[.]'))

/** Returns text as one line, without control characters and characters that change its direction. */
export const oneLine = (text: string): string => text.replace(UNSEEN, ' ').replace(/\s+/g, ' ').trim()

/** Returns foreign text, such as a title, for a mail: one line, with addresses that are no links. */
export const foreign = (text: string): string => unlinked(oneLine(text))

/** Returns lines of foreign text for a mail. Each is marked as a quotation, and its addresses are no links. */
export const quoted = (text: string): string =>
  text
    .split('\n')
    .map((line) => `> ${foreign(line)}`.trimEnd())
    .join('\n')

/** Longest subject of a mail, in characters. */
const MAX_SUBJECT = 200

/** Returns the subject of a mail as one line. */
export const subjectOf = (text: string): string => clip(oneLine(text), MAX_SUBJECT)

let kept: Intl.Segmenter | undefined
/** Made when a line is first broken, not while the Worker starts. */
const words = (): Intl.Segmenter => {
  kept ??= new Intl.Segmenter('und', { granularity: 'word' })
  return kept
}

/** Scripts that are written without spaces between words. */
const UNSPACED =
  /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}\uff00-\uffef]/u
const NEVER_FIRST =
  /^[\p{Pe}\p{Pf}\p{Po}\p{M}\u3005\u30fc\u3041\u3043\u3045\u3047\u3049\u3063\u3083\u3085\u3087\u30c3\u30e3\u30e5\u30e7]/u
const NEVER_LAST = /[\p{Ps}\p{Pi}]$/u
const AFTER_HYPHEN = /[\p{L}\p{N}][-\u2013\u2014/]$/u

const mayBreak = (before: string, after: string): boolean =>
  !NEVER_FIRST.test(after) &&
  !NEVER_LAST.test(before) &&
  (UNSPACED.test(before.slice(-1)) || UNSPACED.test(after) || (AFTER_HYPHEN.test(before) && /^\p{L}/u.test(after)))

/**
 * Returns the offsets in a word at which a line may begin: after hyphens and slashes, and by ICU's dictionaries in scripts
 * without spaces.
 */
export const breaksIn = (word: string): number[] =>
  Array.from(words().segment(word))
    .filter(({ index, segment }) => index > 0 && mayBreak(word.slice(0, index), segment))
    .map(({ index }) => index)

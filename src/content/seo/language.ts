import { languageOf, tagOfLanguage } from '../../platform/lib/languages.ts'
import { COMMON_WORDS } from './language-words.ts'

/** Scripts, by a name for people, and the tags of the languages that use them. */
const SCRIPTS: readonly (readonly [name: string, letters: () => RegExp, tags: string])[] = [
  ['Cyrillic', () => /\p{sc=Cyrillic}/gu, 'ru uk bg sr'],
  ['Greek', () => /\p{sc=Greek}/gu, 'el'],
  ['Arabic', () => /\p{sc=Arabic}/gu, 'ar fa'],
  ['Hebrew', () => /\p{sc=Hebrew}/gu, 'he'],
  ['Devanagari', () => /\p{sc=Devanagari}/gu, 'hi'],
  ['Bengali', () => /\p{sc=Bengali}/gu, 'bn'],
  ['Thai', () => /\p{sc=Thai}/gu, 'th'],
  ['Korean', () => /\p{sc=Hangul}/gu, 'ko'],
  ['Chinese or Japanese', () => /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]/gu, 'zh ja'],
]
const KANA = () => /[\p{sc=Hiragana}\p{sc=Katakana}]/gu

/** Characters of a text that are compared. */
const MAX_TEXT = 50_000
/** Letters below which nothing can be said. */
const MIN_LETTERS = 120
/** Share of the letters that the script of a text has. */
const MAIN = 0.7
/** Share of words that are common ones, from which a language is recognized. */
const SURE = 0.12
/** Shares of the best language's common words from which a text may be, and is, in the own language. Close languages share many. */
const [CLOSE, SAME] = [0.6, 0.85]
/** Words below which a language is not recognized by its common ones. */
const MIN_WORDS = 30
/** Shares of kana in Chinese characters up to which a text is Chinese, and from which it is Japanese. */
const [CHINESE, JAPANESE] = [0.02, 0.1]

const countOf = (text: string, letters: RegExp): number => text.match(letters)?.length ?? 0

const baseOf = (tag: string): string => tag.split('-')[0] ?? ''

type Script = { name: string; letters: () => RegExp; tags: readonly string[] }

/** Returns the script that most letters of a text have; undefined if none has, or if there are few letters. */
const scriptOf = (text: string): Script | undefined => {
  const all = countOf(text, /\p{L}/gu)
  if (all < MIN_LETTERS) return undefined
  const scripts = SCRIPTS.map(([name, letters, tags]) => ({ name, letters, tags: tags.split(' ') }))
  const elsewhere = new Set(scripts.flatMap(({ tags }) => tags))
  const latin = Object.keys(COMMON_WORDS).filter((tag) => !elsewhere.has(tag) || tag === 'sr')
  return [...scripts, { name: 'Latin', letters: () => /\p{sc=Latin}/gu, tags: latin }].find(
    ({ letters }) => countOf(text, letters()) >= MAIN * all,
  )
}

/** Returns the share of words that are common ones of each language. */
const sharesIn = (words: readonly string[], tags: readonly string[]): Map<string, number> =>
  new Map(
    tags.map((tag) => {
      const common = new Set(COMMON_WORDS[tag]?.split(' '))
      return [tag, words.filter((word) => common.has(word)).length / words.length]
    }),
  )

/** Returns the tag of a Chinese or Japanese text; undefined if it may be either. */
const eastAsian = (text: string, letters: () => RegExp): string | undefined => {
  const kana = countOf(text, KANA()) / Math.max(1, countOf(text, letters()))
  return kana >= JAPANESE ? 'ja' : kana <= CHINESE ? 'zh' : undefined
}

/** Comparison of a text's language with the wanted one. `other` names another language. */
export type LanguageFound = { kind: 'own' } | { kind: 'unknown' } | { kind: 'other'; other: string }

/** Returns the tag of the language with most common words, or the own one if it has nearly as many; undefined if it cannot be told. */
const recognized = (text: string, tags: readonly string[], own: string): string | undefined => {
  const words = text.toLowerCase().match(/[\p{L}\p{M}]+/gu) ?? []
  if (words.length < MIN_WORDS) return undefined
  const shares = sharesIn(words, tags)
  const [best = '', share = 0] = [...shares].sort(([, a], [, b]) => b - a)[0] ?? []
  const likeness = (shares.get(own) ?? 0) / share
  if (share < SURE || (likeness >= CLOSE && likeness < SAME)) return undefined
  return likeness >= SAME ? own : best
}

const tagIn = (text: string, { letters, tags }: Script, own: string): string | undefined => {
  if (tags.length === 1) return tags[0]
  return tags.includes('ja') ? eastAsian(text, letters) : recognized(text, tags, own)
}

/** Compares the language of a text with a language. Short texts, mixtures and unknown words are `unknown`. */
export const compareLanguage = (given: string, language: string): LanguageFound => {
  const text = given.slice(0, MAX_TEXT)
  const own = baseOf(tagOfLanguage(language))
  const script = scriptOf(text)
  if (!script) return { kind: 'unknown' }
  const tag = tagIn(text, script, own)
  if (tag === own) return { kind: 'own' }
  if (tag !== undefined) return { kind: 'other', other: languageOf(tag)?.replace(/ \(.*$/, '') ?? script.name }
  return script.tags.includes(own)
    ? { kind: 'unknown' }
    : { kind: 'other', other: `a language in ${script.name} letters` }
}

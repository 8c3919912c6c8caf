import { LANGUAGES, tagOfLanguage } from './languages.ts'
import { letterTable, romanize, romanizeChinese } from './romanize.ts'
import { plainLetters, type SlugChoice, slugOfLatin, toLatin } from './slug.ts'

/** Writes lower-case letters of a language as its readers write them in Latin letters. Other letters stay. */
type Rule = (text: string) => string

type Replacement = readonly [RegExp, string | ((found: string) => string)]

/** Returns a rule that makes the replacements in order. */
const by =
  (...replacements: readonly Replacement[]): Rule =>
  (text) =>
    replacements.reduce((written, [pattern, to]) => written.replace(pattern, to as string), text)

const letters = (table: string): Replacement => {
  const pairs = letterTable(table)
  return [new RegExp(`[${[...pairs.keys()].join('')}]`, 'gu'), (letter) => pairs.get(letter) ?? '']
}

/** Letters with two dots, for languages that never write them as `ae`, `oe`, `ue`, as German does. */
const PLAIN = letters('äa öo üu')
const plain = by(PLAIN)
const scandinavian = by(letters('æae øoe åaa äae öoe üu'))

/** Pattern for the beginning of a word. */
const START = "(?<![\\p{L}’'ʼ])"

/** Rules of languages that differ from the usual letters, by language tag. */
const RULES: Readonly<Record<string, Rule>> = {
  ...Object.fromEntries(
    'cs es et fi fr hr hu it lt lv nl pl pt ro sk sl sv tr vi'.split(' ').map((tag) => [tag, plain]),
  ),
  ar: by(letters('عa ةa ىa أa إi آa ئy ؤw')),
  // The law on transliteration of 2009.
  bg: by([/ия(?!\p{L})/gu, 'ia'], letters('щsht ъa ьy хh цts юyu яya йy жzh')),
  ca: by([/l[·.•]l/gu, 'll'], PLAIN),
  da: scandinavian,
  // ELOT 743.
  el: by(
    [/[αάεέηή][υύ](?=[θκξπσςτφχψ]|(?!\p{L}))/gu, (pair) => `${pair.charAt(0)}f`],
    [/[αάεέηή][υύ]/gu, (pair) => `${pair.charAt(0)}v`],
    [/ο[υύ]/gu, 'ou'],
    [/γγ/gu, 'ng'],
    [/γξ/gu, 'nx'],
    [/γχ/gu, 'nch'],
    [new RegExp(`${START}μπ|μπ(?!\\p{L})`, 'gu'), 'b'],
    letters('χch υy ύy ϋy ΰy'),
  ),
  fa: by(letters('عa ةe ىa آa')),
  no: scandinavian,
  // Serbian has a Latin alphabet of its own.
  sr: by(letters('ђdj đdj џdz љlj њnj ћc чc шs жz цc хh')),
  // The resolution of the government of 2010.
  uk: by(
    [/зг/gu, 'zgh'],
    [new RegExp(`${START}[єїйюя]`, 'gu'), (letter) => ({ є: 'ye', ї: 'yi', й: 'y', ю: 'yu', я: 'ya' })[letter] ?? ''],
    [/(?<=\p{L})[’'ʼ](?=\p{L})/gu, ''],
    letters('гh ґg єie иy іi їi йi хkh цts щshch юiu яia'),
    [/ь/gu, ''],
  ),
  zh: romanizeChinese,
}

/** Returns the rule of a language; undefined if it uses the usual letters. */
const ruleOf = (language: string): Rule | undefined => {
  const tag = tagOfLanguage(language)
  return Object.hasOwn(RULES, tag) ? RULES[tag] : undefined
}

/** True if too little of a text could be transliterated to represent it: a number, a letter, the endings of words. */
const isLeftover = (text: string, latin: string): boolean => {
  const lost = latin.match(/[^\P{L}a-z]/giu)?.length ?? 0
  if (lost === 0) return false
  const kept = (text.match(/\p{L}/gu)?.length ?? 0) - lost
  return kept < 2 || kept < lost
}

const slugBy = (rule: Rule | undefined, text: string): string => {
  const lower = plainLetters(text).normalize('NFC').toLowerCase()
  const latin = toLatin(romanize(rule ? rule(lower) : lower))
  return isLeftover(lower, latin) ? '' : slugOfLatin(latin)
}

/**
 * Returns a URL slug of a text, with Latin letters as the language writes them. Empty if almost nothing is left.
 *
 * It has at most 80 characters and is cut between words.
 */
export const slugIn = (language: string, text: string): string => slugBy(ruleOf(language), text)

/** True if a text is the same in all languages. */
const isAscii = (text: string): boolean => !/[^\0-\x7F]/.test(text)

/** Returns the slugs, for every language, of the first text that has one. The project's language is read later. */
export const slugChoice = (texts: readonly string[]): SlugChoice => {
  const first = (rule: Rule | undefined): string => {
    for (const text of texts) {
      const slug = slugBy(rule, text)
      if (slug !== '') return slug
    }
    return ''
  }
  const usual = first(undefined)
  if (texts.every(isAscii)) return { usual, byLanguage: {} }
  // Most languages share one rule.
  const slugs = new Map<Rule | undefined, string>([[undefined, usual]])
  const byLanguage: Record<string, string> = {}
  for (const language of LANGUAGES) {
    const rule = ruleOf(language)
    const slug = slugs.get(rule) ?? first(rule)
    slugs.set(rule, slug)
    if (slug !== usual) byLanguage[language] = slug
  }
  return { usual, byLanguage }
}

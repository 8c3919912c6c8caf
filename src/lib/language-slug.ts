import { LANGUAGES, tagOfLanguage } from './languages.ts'
import { romanize, romanizeChinese } from './romanize.ts'
import { plainLetters, type SlugChoice, slugOfLatin, toLatin } from './slug.ts'

/** Replacements of letters, the first that fits; small and capital letters alike, since slugs are lower case. */
type Rule = readonly (readonly [RegExp, string | ((...found: string[]) => string)])[]

const letters = (table: string): Rule[number] => {
  const pairs = new Map(table.split(' ').map((pair) => [pair.charAt(0), pair.slice(1)]))
  return [new RegExp(`[${[...pairs.keys()].join('')}]`, 'gu'), (letter) => pairs.get(letter) ?? '']
}

/** Two dots above a letter set vowels apart or make them other letters, but never `ae`, `oe`, `ue` as in German. */
const PLAIN = letters('äa öo üu')

/** Letter or combination at the beginning of a word and elsewhere. */
const START = "(?<![\\p{L}’'ʼ])"

/** How each language writes itself in Latin letters, where that differs from the usual; by language tag. */
const RULES: Record<string, Rule> = {
  ar: [letters('عa ةa ىa أa إi آa ئy ؤw')],
  // The law on transliteration of 2009.
  bg: [[/ия(?!\p{L})/gu, 'ia'], letters('щsht ъa ьy хh цts юyu яya йy жzh')],
  ca: [[/l[·.•]l/gu, 'll'], PLAIN],
  da: [letters('æae øoe åaa äae öoe üu')],
  // ELOT 743.
  el: [
    [/[αάεέηή][υύ](?=[θκξπσςτφχψ]|(?!\p{L}))/gu, (pair) => `${pair.charAt(0)}f`],
    [/[αάεέηή][υύ]/gu, (pair) => `${pair.charAt(0)}v`],
    [/ο[υύ]/gu, 'ou'],
    [/γγ/gu, 'ng'],
    [/γξ/gu, 'nx'],
    [/γχ/gu, 'nch'],
    [new RegExp(`${START}μπ|μπ(?!\\p{L})`, 'gu'), 'b'],
    letters('χch υy ύy ϋy ΰy'),
  ],
  fa: [letters('عa ةe ىa آa')],
  no: [letters('æae øoe åaa äae öoe üu')],
  // Serbian has a Latin alphabet of its own.
  sr: [letters('ђdj đdj џdz љlj њnj ћc чc шs жz цc хh')],
  // The resolution of the government of 2010.
  uk: [
    [/зг/gu, 'zgh'],
    [new RegExp(`${START}[єїйюя]`, 'gu'), (letter) => ({ є: 'ye', ї: 'yi', й: 'y', ю: 'yu', я: 'ya' })[letter] ?? ''],
    [/(?<=\p{L})[’'ʼ](?=\p{L})/gu, ''],
    letters('гh ґg єie иy іi їi йi хkh цts щshch юiu яia'),
    [/ь/gu, ''],
  ],
}
for (const tag of [
  'cs',
  'es',
  'et',
  'fi',
  'fr',
  'hr',
  'hu',
  'it',
  'lt',
  'lv',
  'nl',
  'pl',
  'pt',
  'ro',
  'sk',
  'sl',
  'sv',
  'tr',
  'vi',
])
  RULES[tag] = [PLAIN]

/** The rule of a language; undefined where the usual letters do. Chinese has readings instead of a rule. */
const ruleOf = (tag: string): string | undefined => (tag === 'zh' || Object.hasOwn(RULES, tag) ? tag : undefined)

/**
 * True if so little of a text could be written that it does not stand for it: a number, a letter, the endings of words.
 */
const isLeftover = (text: string, latin: string): boolean => {
  const lost = latin.match(/[^\P{L}a-z]/giu)?.length ?? 0
  if (lost === 0) return false
  const kept = (text.match(/\p{L}/gu)?.length ?? 0) - lost
  return kept < 2 || kept < lost
}

const slugBy = (rule: string | undefined, text: string): string => {
  const lower = plainLetters(text).normalize('NFC').toLowerCase()
  let written = rule === 'zh' ? romanizeChinese(lower) : lower
  for (const [pattern, by] of rule === undefined ? [] : (RULES[rule] ?? []))
    written = written.replace(pattern, by as string)
  const latin = toLatin(romanize(written))
  return isLeftover(lower, latin) ? '' : slugOfLatin(latin)
}

/**
 * A URL slug of a text as the language writes itself in Latin letters, at most 80 characters cut at a word. Empty when next
 * to nothing is left.
 */
export const slugIn = (language: string, text: string): string => slugBy(ruleOf(tagOfLanguage(language)), text)

/** True if all languages write a text alike. */
const isAscii = (text: string): boolean => !/[^\0-\x7F]/.test(text)

/** The slug of the first of some texts that has one, for every language: what the project's is, is read later. */
export const slugChoice = (texts: readonly string[]): SlugChoice => {
  const first = (rule: string | undefined): string => {
    for (const text of texts) {
      const slug = slugBy(rule, text)
      if (slug !== '') return slug
    }
    return ''
  }
  const usual = first(undefined)
  if (texts.every(isAscii)) return { usual, byLanguage: {} }
  const byRule = new Map<string | undefined, string>([[undefined, usual]])
  const byLanguage: Record<string, string> = {}
  for (const language of LANGUAGES) {
    const rule = ruleOf(tagOfLanguage(language))
    const slug = byRule.get(rule) ?? first(rule)
    byRule.set(rule, slug)
    if (slug !== usual) byLanguage[language] = slug
  }
  return { usual, byLanguage }
}

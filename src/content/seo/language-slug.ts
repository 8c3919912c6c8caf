import { LANGUAGES, tagOfLanguage } from '../../platform/lib/languages.ts'
import { plainLetters, type SlugChoice, slugOfLatin, toLatin } from '../../platform/lib/slug.ts'
import { PINYIN } from './pinyin.generated.ts'

/** Returns a map from each letter of a table to its replacement: `あa いi` has two. */
const letterTable = (table: string): Map<string, string> =>
  new Map(table.split(' ').map((pair) => [pair.charAt(0), pair.slice(1)]))

/** Initial sounds, vowels and final sounds of Hangul, in the order of Unicode. `LINKED`: final sounds before a vowel. */
const INITIALS = 'g kk n d tt r m b pp s ss  j jj ch k t p h'.split(' ')
const VOWELS = 'a ae ya yae eo e yeo ye o wa wae oe yo u wo we wi yu eu ui i'.split(' ')
const FINALS = ' k k k n n n t l k m l l l p l m p p t t ng t t k t p t'.split(' ')
const LINKED = ' g kk ks n nj n d r lg lm lb ls lt lp r m b bs s ss ng j ch k t p '.split(' ')
const NO_SOUND = 11
const RIEUL = 5

/** Writes Hangul in the Revised Romanization. A final sound moves to the vowel after it. */
const romanizeHangul = (text: string): string =>
  text.replace(/[가-힣]+/gu, (run) => {
    const codes = [...run].map((syllable) => (syllable.codePointAt(0) ?? 0) - 0xac00)
    return codes
      .map((code, n) => {
        const last = code % 28
        const next = codes[n + 1]
        const following = next === undefined ? undefined : Math.floor(next / 588)
        const initial = Math.floor(code / 588)
        const before = n > 0 ? (codes[n - 1] ?? 0) % 28 : 0
        const first = initial === RIEUL && before === 8 ? 'l' : INITIALS[initial]
        return `${first}${VOWELS[Math.floor((code % 588) / 28)]}${following === NO_SOUND ? LINKED[last] : FINALS[last]}`
      })
      .join('')
  })

/** Hiragana in the Hepburn system. Katakana has the same sounds at other code points. */
const KANA = letterTable(
  'あa いi うu えe おo かka きki くku けke こko がga ぎgi ぐgu げge ごgo さsa しshi すsu せse そso ざza じji ずzu ぜze ぞzo ' +
    'たta ちchi つtsu てte とto だda ぢji づzu でde どdo なna にni ぬnu ねne のno はha ひhi ふfu へhe ほho ばba びbi ぶbu べbe ぼbo ' +
    'ぱpa ぴpi ぷpu ぺpe ぽpo まma みmi むmu めme もmo やya ゆyu よyo らra りri るru れre ろro わwa ゐi ゑe をo んn ゔvu ' +
    'ぁa ぃi ぅu ぇe ぉo ゃya ゅyu ょyo ゎwa',
)
const SMALL = /[ぁぃぅぇぉゃゅょ]/u

/** Writes one sound. A small sign replaces the vowel of the sign before it (`きゃ` is `kya`, `しゃ` `sha`, `ティ` `ti`). */
const kanaSound = (first: string, small: string): string => {
  const base = KANA.get(first) ?? ''
  const added = KANA.get(small) ?? ''
  if (!small) return base
  const stem = base.slice(0, -1)
  return /(?:sh|ch|j)$/.test(stem) ? stem + added.replace('y', '') : stem + added
}

const romanizeKana = (text: string): string =>
  text.replace(/[ぁ-ゖァ-ヺー]+/gu, (run) => {
    const hiragana = run
      .replace(/[ァ-ヶ]/gu, (letter) => String.fromCodePoint((letter.codePointAt(0) ?? 0) - 0x60))
      .replaceAll('ー', '')
    let written = ''
    let doubled = false
    for (const [, first = '', small = ''] of hiragana.matchAll(/(.)([ぁぃぅぇぉゃゅょ]?)/gu)) {
      if (first === 'っ') {
        doubled = !SMALL.test(small)
        continue
      }
      const sound = kanaSound(first, small)
      written += doubled ? (sound.startsWith('ch') ? 't' : sound.charAt(0)) + sound : sound
      doubled = false
    }
    return written
  })

/** Vowels of Devanagari and Bengali, by position in the Unicode block. Both blocks have the same order. */
const INDIC_VOWELS: Record<number, string> = {
  5: 'a',
  6: 'a',
  7: 'i',
  8: 'i',
  9: 'u',
  10: 'u',
  11: 'ri',
  13: 'e',
  14: 'e',
  15: 'e',
  16: 'ai',
  17: 'o',
  18: 'o',
  19: 'o',
  20: 'au',
}
const INDIC_CONSONANTS =
  'k kh g gh ng ch chh j jh n t th d dh n t th d dh n n p ph b bh m y r r l l l v sh sh s h'.split(' ')
const INDIC_SIGNS: Record<number, string> = {
  62: 'a',
  63: 'i',
  64: 'i',
  65: 'u',
  66: 'u',
  67: 'ri',
  69: 'e',
  70: 'e',
  71: 'e',
  72: 'ai',
  73: 'o',
  74: 'o',
  75: 'o',
  76: 'au',
  77: '',
}
const DOTTED: Record<string, string> = { k: 'q', j: 'z', d: 'r', dh: 'rh', ph: 'f' }
const INDIC_OTHERS: Record<number, string> = { 1: 'n', 2: 'n', 3: 'h', 78: 't' }

/** Writes the letters of one word. A consonant is followed by `a`, unless another vowel sign follows or the word ends. */
const indicWord = (word: string): string => {
  const places = [...word.replaceAll('ং', 'ঙ্')].map((letter) => (letter.codePointAt(0) ?? 0) & 0x7f)
  let written = ''
  for (let n = 0; n < places.length; n += 1) {
    const place = places[n] ?? 0
    const consonant = INDIC_CONSONANTS[place - 0x15]
    if (place >= 0x66 && place <= 0x6f) written += String(place - 0x66)
    else if (consonant === undefined) written += INDIC_VOWELS[place] ?? INDIC_SIGNS[place] ?? INDIC_OTHERS[place] ?? ''
    else {
      const isDotted = places[n + 1] === 0x3c
      if (isDotted) n += 1
      const next = places[n + 1]
      const hasOwn = next !== undefined && INDIC_SIGNS[next] === undefined && next <= 0x65
      written += (isDotted ? (DOTTED[consonant] ?? consonant) : consonant) + (hasOwn ? 'a' : '')
    }
  }
  return written
}

const THAI = letterTable(
  'กk ขkh ฃkh คkh ฅkh ฆkh งng จch ฉch ชch ซs ฌch ญy ฎd ฏt ฐth ฑth ฒth ณn ดd ตt ถth ทth ธth นn บb ปp ผph ฝf พph ฟf ภph มm ยy รr ' +
    'ฤrue ลl ฦlue วw ศs ษs สs หh ฬl อo ฮh ะa ัa าa ำam ิi ีi ึue ืue ุu ูu เe แae โo ใai ไai ๐0 ๑1 ๒2 ๓3 ๔4 ๕5 ๖6 ๗7 ๘8 ๙9',
)

/** Writes Thai letter by letter. A vowel written before a consonant is put after it; silenced consonants are left out. */
const romanizeThai = (text: string): string =>
  text.replace(/[\u0e01-\u0e5b]+/gu, (run) =>
    [
      ...run
        .replace(/[ก-ฮ][\u0e34-\u0e3a]?์/gu, '')
        .replace(/ไ([ก-ฮ])ย/gu, 'ไ$1')
        .replace(/([เ-ไ])([ก-ฮ])/gu, '$2$1'),
    ]
      .map((letter) => THAI.get(letter) ?? '')
      .join(''),
  )

const HEBREW = letterTable('אa בb גg דd הh וv זz חh טt יy ךk כk לl םm מm ןn נn סs עa ףp פp ץts צts קk רr שsh תt')
const romanizeHebrew = (text: string): string =>
  text.replace(/[\u0591-\u05c7]/gu, '').replace(/[א-ת]/gu, (letter) => HEBREW.get(letter) ?? '')

/** Cyrillic letters of Kazakh, Uzbek, Tajik, Tatar and other languages that Russian does not have. */
const CYRILLIC = letterTable('әa ғg қk ңn өo ұu үu һh ўo ҷj ҳh ӣi ӯu җj ҡq ҙz ҫs ӑa ӗe')

/** Writes Hangul, kana, Devanagari, Bengali, Thai, Hebrew and rare Cyrillic in Latin letters; other letters stay. */
const romanize = (given: string): string => {
  const text = given.replace(/[\u045e\u0492-\u04ef]/gu, (letter) => CYRILLIC.get(letter) ?? letter)
  if (!/[\u0590-\u05ff\u0900-\u09ff\u0e00-\u0e7f\u3040-\u30ff\uac00-\ud7a3]/u.test(text)) return text
  const words = text.normalize('NFC').replace(/[\u0900-\u0963\u0966-\u097f]+|[\u0980-\u09fe]+/gu, indicWord)
  return romanizeHebrew(romanizeThai(romanizeKana(romanizeHangul(words))))
}

let readings: Map<string, string> | undefined

/** Returns the reading of each Chinese character in `PINYIN`. Built on first use. */
const readingsOf = (): Map<string, string> => {
  readings ??= new Map(
    PINYIN.split(' ').flatMap((line) => {
      const [, reading = '', letters = ''] = /^([a-z]+)(.*)$/u.exec(line) ?? []
      return [...letters].map((letter): [string, string] => [letter, reading])
    }),
  )
  return readings
}

/** Writes Chinese characters as pinyin without tones, each as its own word. Characters without a reading stay. */
const romanizeChinese = (text: string): string =>
  text.replace(/\p{Script=Han}/gu, (letter) => {
    const reading = readingsOf().get(letter)
    return reading === undefined ? letter : ` ${reading} `
  })

/** Writes lower-case letters of a language as its readers write them in Latin letters. Other letters stay. */
type Rule = (text: string) => string

/** Chinese characters stay: their readings depend on the word. */
const japanese: Rule = (text) => text

const KANA_SIGN = /[ぁ-ヺ]/u

/** True if the Chinese characters of a text are read as Japanese, which no table can do. */
const isJapanese = (rule: Rule | undefined, text: string): boolean => rule === japanese || KANA_SIGN.test(text)

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
  ja: japanese,
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
  const written = rule ? rule(lower) : lower
  const latin = toLatin(romanize(isJapanese(rule, lower) ? written : romanizeChinese(written)))
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

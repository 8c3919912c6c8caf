import { PINYIN } from './pinyin.generated.ts'

/** Returns a map from each letter of a table to its replacement: `あa いi` has two. */
export const letterTable = (table: string): Map<string, string> =>
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
export const romanize = (given: string): string => {
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
export const romanizeChinese = (text: string): string =>
  text.replace(/\p{Script=Han}/gu, (letter) => {
    const reading = readingsOf().get(letter)
    return reading === undefined ? letter : ` ${reading} `
  })

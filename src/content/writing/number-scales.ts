/** Words after digits that multiply them, in the supported languages. A word ends where its letters end. */
const WORDS: readonly (readonly [factor: number, words: string])[] = [
  [
    1e3,
    'k|thousand|tausend|mille|mil[ae]?|duizend|tus(?:en|ind)e?|tuha(?:t|tta|nnen)|tis(?:íce?|uć[uae])|tisoč|tysi(?:ąc|ące|ęcy)|hiljad[uae]|mie|mii|ezer|ribu|bin|nghìn|ngàn|tūkst\\p{L}+|тыс(?:\\.|яч\\p{L}*)|тис(?:\\.|яч\\p{L}*)|хиля\\p{L}+|хиљад\\p{L}+|χ[ίι]λι\\p{L}+|χιλιάδες|ألف|ألفا|آلاف|هزار|אלף|אלפים|हजार|हज़ार|হাজার',
  ],
  [1e4, 'vạn'],
  [1e5, 'lakhs?|lac|लाख|লাখ|লক্ষ'],
  [
    1e6,
    'mio\\.?|mn|mln|млн\\.?|millions?|millionen|millioner|mill[oó]n(?:es)?|mili(?:ó|ón|on[aiuye]?|onů|onów|óny?|ónov|óna|ons)|milione|milh(?:ão|ões)|milioane|mil(?:ij)un\\p{L}*|milijon\\p{L}*|milj(?:oen|on(?:er|it|s|u|i)?|oonaa?)|millió|milyon|juta|triệu|миллион\\p{L}*|милион\\p{L}*|мільйон\\p{L}*|εκατομμύρι\\p{L}+|مليون|ملايين|میلیون|מיליוני?|मिलियन',
  ],
  [1e7, 'crores?|करोड़|কোটি'],
  [
    1e9,
    'mrd\\.?|bn|mld|млрд\\.?|billions?|bilh(?:ão|ões)|bilion|mill?iard(?:er?|en|s|o|i|a|u|y|ów|e)?|milliárd|miliárd\\p{L}*|milj?ij?ard\\p{L}*|miljard\\p{L}*|miliar|milyar|tỷ|tỉ|миллиард\\p{L}*|милиард\\p{L}*|мільярд\\p{L}*|милијард\\p{L}*|δισεκατομμύρι\\p{L}+|مليار|مليارات|میلیارد|מיליארד|अरब',
  ],
  [1e12, 'trillions?|billones|billón|billionen'],
]
const BY_WORD = WORDS.map(([factor, words]): [RegExp, number] => [
  new RegExp(`^[\\s-]?(?:${words})(?![\\p{L}\\p{M}\\p{N}])`, 'iu'),
  factor,
])

/** Signs that multiply, in scripts without spaces. Several in a row are one factor: `5千万`. */
const SIGNS: Record<string, number> = {
  ...{ 十: 10, 百: 100, 千: 1e3, 万: 1e4, 萬: 1e4, 亿: 1e8, 億: 1e8 },
  ...{ 십: 10, 백: 100, 천: 1e3, 만: 1e4, 억: 1e8 },
  ...{ สิบ: 10, ร้อย: 100, พัน: 1e3, หมื่น: 1e4, แสน: 1e5, ล้าน: 1e6 },
}
const SIGN = Object.keys(SIGNS).join('|')
/** Signs that belong to the next word, such as kilograms. */
const IN_SIGNS = new RegExp(`^\\s?(?:${SIGN}){1,2}(?![克米瓦卡ธ])`, 'u')
const EACH_SIGN = new RegExp(SIGN, 'gu')

/** Letters that multiply an amount of money: `$1.2m`. */
const MONEY: Record<string, number> = { m: 1e6, mn: 1e6, b: 1e9, t: 1e12, tn: 1e12 }

/** Factor after digits, and the length of its words. */
export type Scale = { length: number; factor: number }

const signScale = (behind: string): Scale | undefined => {
  const written = IN_SIGNS.exec(behind)?.[0] ?? ''
  const factor = (written.match(EACH_SIGN) ?? []).reduce((product, sign) => product * (SIGNS[sign] ?? 1), 1)
  return factor >= 1e3 ? { length: written.length, factor } : undefined
}

/** Returns the scale at the start of the text behind digits, in any supported language. */
export const scaleAt = (behind: string): Scale | undefined => {
  // `M` is a million, `m` is metres.
  if (/^M(?![\p{L}\p{N}])/u.test(behind)) return { length: 1, factor: 1e6 }
  for (const [pattern, factor] of BY_WORD) {
    const written = pattern.exec(behind)?.[0]
    if (written !== undefined) return { length: written.length, factor }
  }
  return signScale(behind)
}

/** Returns the scale of letters directly behind an amount of money. */
export const moneyScaleAt = (before: string, behind: string): Scale | undefined => {
  const [, letters = ''] = (/[$€£¥₹]\s?$/u.test(before) && /^\s?([bmt]n?)(?![\p{L}\p{N}])/iu.exec(behind)) || []
  const factor = MONEY[letters.toLowerCase()]
  return factor === undefined ? undefined : { length: behind.indexOf(letters) + letters.length, factor }
}

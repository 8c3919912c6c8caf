/** Spelled-out number: a count, or a part `of` a whole. Percentages are parts of 100. */
export type SpelledNumber = { start: number; end: number; value: number; of?: number; isDecimal?: boolean }

/** Returns a collection of numbers that do not overlap. The first one at a place wins. */
export const spans = (length: number): { found: SpelledNumber[]; add: (one: SpelledNumber) => void } => {
  const found: SpelledNumber[] = []
  const taken = new Uint8Array(length)
  const add = (one: SpelledNumber) => {
    if (taken.subarray(one.start, one.end).includes(1)) return
    taken.fill(1, one.start, one.end)
    found.push(one)
  }
  return { found, add }
}

/** Number characters of a script without spaces between words. */
type Runs = {
  units: Record<string, number>
  scales: Record<string, number>
  /** Pattern for runs that are numbers by themselves. Other runs are numbers only next to a word for percent. */
  proof: RegExp
  /** Character after a run that makes it a name: `十二月` is December. */
  name?: RegExp
}

const digits = (signs: string, first = 0): Record<string, number> =>
  Object.fromEntries([...signs].map((sign, index) => [sign, index + first]))

const HAN: Runs = {
  units: { ...digits('零一二三四五六七八九'), 〇: 0, 两: 2, 兩: 2 },
  scales: { 十: 10, 百: 100, 千: 1e3, 万: 1e4, 萬: 1e4, 亿: 1e8, 億: 1e8 },
  proof: /(?<!第)[一二三四五六七八九两兩][十百千万萬亿億]|^十[一二三四五六七八九]/u,
  name: /^[月日号號]/u,
}

const RUNS: Record<string, Runs> = {
  zh: HAN,
  ja: HAN,
  ko: {
    units: digits('영일이삼사오육칠팔구'),
    scales: { 십: 10, 백: 100, 천: 1e3, 만: 1e4, 억: 1e8 },
    proof: /[이삼사오육칠팔구][십백]|[십백]만/u,
  },
  th: {
    units: { ...digits(''), ศูนย์: 0, หนึ่ง: 1, เอ็ด: 1, สอง: 2, ยี่: 2, สาม: 3, สี่: 4, ห้า: 5, หก: 6, เจ็ด: 7, แปด: 8, เก้า: 9 },
    scales: { สิบ: 10, ร้อย: 100, พัน: 1e3, หมื่น: 1e4, แสน: 1e5, ล้าน: 1e6 },
    proof: /(?:สอง|ยี่|สาม|สี่|ห้า|หก|เจ็ด|แปด|เก้า)(?:สิบ|ร้อย|พัน|หมื่น|แสน|ล้าน)|สิบ(?:เอ็ด|สอง|สาม|สี่|ห้า|หก|เจ็ด|แปด|เก้า)/u,
  },
}

/** Native Korean tens, followed by a unit. They count people and things up to 99. */
const KOREAN_TENS: Record<string, number> = {
  스물: 20,
  스무: 20,
  서른: 30,
  마흔: 40,
  예순: 60,
  일흔: 70,
  여든: 80,
  아흔: 90,
  열: 10,
}
const KOREAN_UNITS: Record<string, number> = {
  하나: 1,
  한: 1,
  둘: 2,
  두: 2,
  셋: 3,
  세: 3,
  넷: 4,
  네: 4,
  다섯: 5,
  여섯: 6,
  일곱: 7,
  여덟: 8,
  아홉: 9,
}
const KOREAN_OWN =
  /(?<!\p{L})(?:(스물|스무|서른|마흔|예순|일흔|여든|아흔)(하나|한|둘|두|셋|세|넷|네|다섯|여섯|일곱|여덟|아홉)?|(열)(두|다섯|여섯|일곱|여덟|아홉))/gu

const runValue = (run: string, { units, scales }: Runs): number => {
  let total = 0
  for (const [word] of run.matchAll(new RegExp(alternatives({ ...units, ...scales }), 'gu'))) {
    const scale = scales[word]
    if (scale === undefined) total += units[word] ?? 0
    else total = Math.floor(total / scale) * scale + Math.max(1, total % scale) * scale
  }
  return total
}

const alternatives = (words: Record<string, number>): string =>
  Object.keys(words)
    .sort((a, b) => b.length - a.length)
    .join('|')

/** Character for tenths: `八成`, `八割`. */
const TENTH_SIGN = '(?:成(?![功为為员員立本长長熟就果都品交分语語人年效绩績见見型])|割(?!り))'
const TENTHS = new RegExp(`([一二三四五六七八九])${TENTH_SIGN}`, 'gu')
const HALF: Record<string, RegExp> = {
  zh: /一半|半[数數]/gu,
  ja: /半数/gu,
  ko: /절반/gu,
  th: /ครึ่งหนึ่งของ/gu,
}
const HAN_RUN = '[零〇一二三四五六七八九十百千万]{1,9}'
const KOREAN_COUNT = '열|아홉|여덟|일곱|여섯|다섯|네|세|두|한'
/** Patterns for shares. `isWholeFirst` is true if the whole comes before the part. */
const SHARES: Record<string, { pattern: RegExp; isWholeFirst: boolean }[]> = {
  zh: [
    { pattern: new RegExp(`(${HAN_RUN})分之(${HAN_RUN})`, 'gu'), isWholeFirst: true },
    {
      pattern: new RegExp(`(${HAN_RUN})(?:个人|個人|个|個|人|家|名)?[中里裡](?:就|便)?有(${HAN_RUN})`, 'gu'),
      isWholeFirst: true,
    },
  ],
  ja: [
    { pattern: new RegExp(`(${HAN_RUN})分の(${HAN_RUN})`, 'gu'), isWholeFirst: true },
    { pattern: new RegExp(`(${HAN_RUN})(?:人|社|軒|件|個|つ)?(?:中|のうち)(${HAN_RUN})`, 'gu'), isWholeFirst: true },
    // "One person in three": both numbers have the same counter. So "one piece for three persons" is not a share.
    ...['人', '社', '軒', '世帯', '件'].map((counter) => ({
      pattern: new RegExp(`(${HAN_RUN})${counter}に(${HAN_RUN})(?=${counter})`, 'gu'),
      isWholeFirst: true,
    })),
  ],
  ko: [
    { pattern: /([이삼사오육칠팔구십백]{1,9})분의\s?([일이삼사오육칠팔구십]{1,9})/gu, isWholeFirst: true },
    {
      pattern: new RegExp(
        `(${KOREAN_COUNT})\\s?(?:명|개|곳|사람|가구)\\s?중\\s?(${KOREAN_COUNT})(?=\\s?(?:명|개|곳|사람|가구))`,
        'gu',
      ),
      isWholeFirst: true,
    },
  ],
  th: [{ pattern: /((?:หนึ่ง|สอง|สาม|สี่|ห้า|หก|เจ็ด|แปด|เก้า))ใน((?:สอง|สาม|สี่|ห้า|สิบ))(?!วัน|เดือน|ปี)/gu, isWholeFirst: false }],
}

const isPercentBefore = (text: string, at: number): boolean =>
  /(?:百分之|ร้อยละ)$/u.test(text.slice(Math.max(0, at - 6), at))

/** Year in digits: `二〇二四年`. */
const HAN_YEAR = /[一二][〇零一二三四五六七八九]{3}(?=年)/gu
/** Decimal point, and large scales after decimals. `三点五分` is a time. */
const POINT = '[点點]|\\s?점\\s?|จุด'

/** Returns a pattern for a number with decimals and a large scale. Bounded, because a text may be one long run. */
const decimals = ({ units, scales }: Runs): RegExp => {
  const digit = alternatives(units)
  const large = alternatives(Object.fromEntries(Object.entries(scales).filter(([, factor]) => factor >= 1e4)))
  return new RegExp(
    `((?:${alternatives({ ...units, ...scales })}){1,20})(?:${POINT})((?:(?:${digit})(?:\\s(?=${digit}))?){1,12})(?![十百千分刻半钟鐘時时])(${large})?`,
    'gu',
  )
}

const digitsOf = (digits: string, { units }: Runs): string =>
  (digits.match(new RegExp(alternatives(units), 'gu')) ?? []).map((digit) => units[digit]).join('')

const countOf = (word: string, runs: Runs): number => KOREAN_UNITS[word] ?? KOREAN_TENS[word] ?? runValue(word, runs)

/** Returns the spelled-out numbers of a text in a script without spaces; undefined for languages with other scripts. */
export const runsIn = (text: string, tag: string, percentAt: (end: number) => number): SpelledNumber[] | undefined => {
  const runs = RUNS[tag]
  if (!runs) return undefined
  const { found, add: addSpan } = spans(text.length)
  const add = (start: number, end: number, number: Omit<SpelledNumber, 'start' | 'end'>) =>
    addSpan({ start, end, ...number })
  for (const { 0: written, 1: whole = '', 2: digits = '', 3: scale = '', index } of text.matchAll(decimals(runs))) {
    const end = index + written.length
    const decimal = Number(`${runValue(whole, runs)}.${digitsOf(digits, runs)}`)
    const isPercent = percentAt(end) > 0 || isPercentBefore(text, index)
    if (isPercent) add(index, end, { value: decimal, of: 100 })
    else if (scale !== '' || text[end] === '倍')
      add(index, end, { value: Math.round(decimal * (runs.scales[scale] ?? 1) * 1e6) / 1e6, isDecimal: true })
  }
  for (const { pattern, isWholeFirst } of SHARES[tag] ?? [])
    for (const { 0: written, 1: a = '', 2: b = '', index } of text.matchAll(pattern)) {
      const [first, second] = [countOf(a, runs), countOf(b, runs)]
      const [whole, part] = isWholeFirst ? [first, second] : [second, first]
      if (part > 0 && part < whole) add(index, index + written.length, { value: part, of: whole })
    }
  for (const { 0: written, index } of text.matchAll(HALF[tag] ?? /(?!)/gu))
    add(index, index + written.length, { value: 1, of: 2 })
  if (runs === HAN)
    for (const { 0: written, 1: unit = '', index } of text.matchAll(TENTHS))
      add(index, index + written.length, { value: (HAN.units[unit] ?? 0) * 10, of: 100 })
  if (runs === HAN)
    for (const { 0: written, index } of text.matchAll(HAN_YEAR))
      add(index, index + written.length, { value: Number([...written].map((sign) => HAN.units[sign]).join('')) })
  const run = new RegExp(`(?:${alternatives({ ...runs.units, ...runs.scales })})+`, 'gu')
  for (const { 0: written, index } of text.matchAll(run)) {
    const end = index + written.length
    const isPercent = percentAt(end) > 0 || isPercentBefore(text, index)
    if (tag === 'ko' && /\p{L}$/u.test(text.slice(Math.max(0, index - 1), index))) continue
    const isNumber = runs.proof.test(written) && !runs.name?.test(text.slice(end, end + 1)) && text[index - 1] !== '第'
    if (isPercent || isNumber) add(index, end, { value: runValue(written, runs), ...(isPercent ? { of: 100 } : {}) })
  }
  if (tag === 'ko')
    for (const { 0: written, 1: ten, 2: unit, 3: bareTen, 4: more, index } of text.matchAll(KOREAN_OWN))
      add(index, index + written.length, {
        value: (KOREAN_TENS[ten ?? bareTen ?? ''] ?? 0) + (KOREAN_UNITS[unit ?? more ?? ''] ?? 0),
      })
  return found.sort((a, b) => a.start - b.start)
}

/** Characters after a scale that make it another word, such as kilograms or species. */
const OTHER_WORDS: Record<string, string> = { 千: '(?![克米瓦卡])', พัน: '(?!ธ)' }

/** Returns the characters that multiply the digits before them, alone or in pairs (`5千万`); undefined for other scripts. */
export const runScales = (tag: string): [sign: string, factor: number][] | undefined => {
  const scales = Object.entries(RUNS[tag]?.scales ?? {})
  if (scales.length === 0) return undefined
  const large = scales.filter(([, factor]) => factor >= 1_000)
  const pairs = scales.flatMap(([sign, factor]) =>
    large
      .filter(([, other]) => other > factor && other >= 10_000)
      .map(([other, times]): [string, number] => [`${sign}${other}`, factor * times]),
  )
  return [...pairs, ...large.map(([sign, factor]): [string, number] => [`${sign}${OTHER_WORDS[sign] ?? ''}`, factor])]
}

/** True if the language's script has no spaces. Its numbers need no end of a word after them. */
export const isRun = (tag: string): boolean => RUNS[tag] !== undefined

/** Returns the length of a character for tenths at the start of a text, as in `2割`; 0 if there is none. */
export const tenthsAt = (text: string, tag: string): number =>
  RUNS[tag] === HAN ? (new RegExp(`^${TENTH_SIGN}`, 'u').exec(text)?.[0].length ?? 0) : 0

import { nearestName } from './text.ts'

/** Countries and territories, ISO 3166-1 alpha-2. */
const CODES =
  'AD AE AF AG AI AL AM AO AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BW BY BZ CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO FR GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GT GU GW GY HK HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE JM JO JP KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS MT MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY QA RE RO RS RU RW SA SB SC SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TG TH TJ TK TL TM TN TO TR TT TV TW TZ UA UG US UY UZ VA VC VE VG VI VN VU WF WS YE YT ZA ZM ZW'

/** Other common names, in comparable form. */
const ALSO: Record<string, string> = {
  usa: 'US',
  america: 'US',
  'united states of america': 'US',
  uk: 'GB',
  'great britain': 'GB',
  britain: 'GB',
  england: 'GB',
  scotland: 'GB',
  wales: 'GB',
  'northern ireland': 'GB',
  holland: 'NL',
  uae: 'AE',
  emirates: 'AE',
  czechia: 'CZ',
  'czech republic': 'CZ',
  turkey: 'TR',
  turkiye: 'TR',
  'ivory coast': 'CI',
  'cote divoire': 'CI',
  korea: 'KR',
  'republic of korea': 'KR',
  burma: 'MM',
  myanmar: 'MM',
  'hong kong': 'HK',
  macau: 'MO',
  macao: 'MO',
  macedonia: 'MK',
  'viet nam': 'VN',
  'russian federation': 'RU',
  palestine: 'PS',
}

/** Returns a name in comparable form: lower-case letters without accents, one blank between words. */
const comparable = (text: string): string =>
  text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[.'’]/g, '')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .replace(/^the /, '')
    .trim()

/** Country codes by comparable name, for each language. Built on first use. */
const kept = new Map<string, ReadonlyMap<string, string>>()

const namesIn = (tag: string): ReadonlyMap<string, string> => {
  const known = kept.get(tag)
  if (known) return known
  const names = new Intl.DisplayNames([tag], { type: 'region', fallback: 'none' })
  const made = new Map(
    CODES.split(' ').flatMap((code) => {
      const name = names.of(code)
      return name === undefined ? [] : [[comparable(name), code] as const]
    }),
  )
  kept.set(tag, made)
  return made
}

const isCode = (text: string): boolean => /^[A-Za-z]{2}$/.test(text) && CODES.includes(text.toUpperCase())

/** Returns the country (ISO 3166-1 alpha-2) for a name or code, in English or in the language of `tag`. */
export const countryNamed = (text: string, tag = 'en'): string | undefined => {
  const name = comparable(text)
  const named = ALSO[name] ?? namesIn('en').get(name) ?? namesIn(tag === '' ? 'en' : tag).get(name)
  return named ?? (isCode(text) ? text.toUpperCase() : undefined)
}

/**
 * Returns the country (ISO 3166-1 alpha-2) for a code, a name in English or in the language of `tag`, or another common name.
 *
 * In `Austin, United States` the last part counts. Undefined for texts such as `Worldwide`.
 */
export const countryOf = (text: string, tag = 'en'): string | undefined => {
  const given = text.trim()
  const last = given.split(',').at(-1)?.trim() ?? ''
  return countryNamed(given, tag) ?? countryNamed(last, tag)
}

let english: Intl.DisplayNames | undefined
const englishNames = (): Intl.DisplayNames => {
  english ??= new Intl.DisplayNames(['en'], { type: 'region' })
  return english
}

/** Returns a country's name in English. */
export const countryName = (code: string): string => englishNames().of(code) ?? code

/** Returns the English names of all countries, sorted. */
export const countryNames = (): string[] => CODES.split(' ').map(countryName).sort()

/** Value of `keyword_region` for the whole world. */
export const WORLDWIDE = 'Worldwide'
const WORLD = /^(worldwide|world|global|international|everywhere|any)$/i

/** True if a region means the whole world. */
export const isWorldwide = (region: string): boolean => WORLD.test(region.trim())

/**
 * Returns the English name of the country that a text probably means: by the last part of `Austin, United States`, or a near
 * spelling.
 */
export const nearestCountry = (text: string): string | undefined => {
  const code = countryOf(text)
  return code === undefined ? nearestName(text, CODES.split(' ').map(countryName)) : countryName(code)
}

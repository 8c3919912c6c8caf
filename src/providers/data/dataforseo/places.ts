import type { Market } from '../../../insights/keywords/market.ts'

/**
 * Countries of DataForSEO Labs with the languages it has keywords in: ISO code, the number of its location code (2000 and the
 * country's ISO number), languages. By its list of locations and languages; those marked `*` are the fullest of their language.
 */
const PLACES =
  'AL 8 sq*|DZ 12 ar fr|AO 24 pt|AR 32 es|AM 51 hy*|AU 36 en|AT 40 de|AZ 31 az*|BH 48 ar|BD 50 bn*|BE 56 nl fr de|BO 68 es|BA 70 bs*|BR 76 pt*|BG 100 bg*|BF 854 fr|KH 116 en|CM 120 fr|CA 124 en fr|CL 152 es|CO 170 es|CR 188 es|CI 384 fr|HR 191 hr*|CY 196 en el|CZ 203 cs*|DK 208 da*|EC 218 es|EG 818 ar* en|SV 222 es|EE 233 et*|FI 246 fi*|FR 250 fr*|DE 276 de*|GH 288 en|GR 300 en el*|GT 320 es|HK 344 zh-TW en|HU 348 hu*|IN 356 en hi*|ID 360 en id*|IE 372 en|IL 376 ar he*|IT 380 it*|JP 392 ja*|JO 400 ar|KZ 398 ru|KE 404 en|LV 428 lv*|LT 440 lt*|MY 458 en ms*|MT 470 en|MX 484 es|MD 498 ro|MC 492 fr|MA 504 ar fr|MM 104 en|NL 528 nl*|NZ 554 en|NI 558 es|NG 566 en|MK 807 mk*|NO 578 nb*|PK 586 en ur*|PA 591 es|PY 600 es|PE 604 es|PH 608 en tl*|PL 616 pl*|PT 620 pt|RO 642 ro*|SA 682 ar|SN 686 fr|RS 688 sr*|SG 702 zh-CN* en|SK 703 sk*|SI 705 sl*|ZA 710 en|KR 410 ko*|ES 724 es*|LK 144 en|SE 752 sv*|CH 756 fr de it|TW 158 zh-TW*|TH 764 th*|TN 788 ar|TR 792 tr*|UA 804 ru* uk*|AE 784 ar en|GB 826 en|US 840 en* es|UY 858 es|VE 862 es|VN 704 en vi*'

type Place = { country: string; location: number; languages: readonly string[]; fullest: readonly string[] }

const parsed = (line: string): Place => {
  const [country = '', number = '', ...languages] = line.split(' ')
  return {
    country,
    location: 2_000 + Number(number),
    languages: languages.map((language) => language.replace('*', '')),
    fullest: languages.filter((language) => language.endsWith('*')).map((language) => language.slice(0, -1)),
  }
}

let places: Place[] | undefined

const all = (): Place[] => {
  places ??= PLACES.split('|').map(parsed)
  return places
}

/** True if Labs has keywords in a language for a location code. */
export const hasPlace = (location: unknown, language: unknown): boolean =>
  all().some((place) => place.location === location && place.languages.includes(String(language)))

/**
 * Returns the place to query Labs for a market: the country if it has the language, else the language's fullest country.
 *
 * Undefined for languages that Labs has no list of.
 */
export const placeFor = ({ country, language }: Market): { country: string; location: number } | undefined => {
  return (
    all().find((place) => place.country === country && place.languages.includes(language)) ??
    all().find((place) => place.fullest.includes(language))
  )
}

import { countryOf, isWorldwide } from '../../platform/lib/countries.ts'
import { DEFAULT_LANGUAGE, type LANGUAGES, tagOfLanguage } from '../../platform/lib/languages.ts'

type Label = (typeof LANGUAGES)[number]

/** Country and language of a search: an ISO 3166-1 code, and the language code that search services use. */
export type Market = { country: string; language: string }

/** Language code of each project language, and the country to use if no region is given. */
const MARKETS: Record<Label, readonly [language: string, home: string]> = {
  'English (US)': ['en', 'US'],
  'English (UK)': ['en', 'GB'],
  'English (AU)': ['en', 'AU'],
  'English (CA)': ['en', 'CA'],
  English: ['en', 'US'],
  Arabic: ['ar', 'EG'],
  Bengali: ['bn', 'BD'],
  Bulgarian: ['bg', 'BG'],
  Catalan: ['ca', 'ES'],
  'Chinese (Simplified)': ['zh-CN', 'SG'],
  'Chinese (Traditional)': ['zh-TW', 'TW'],
  Croatian: ['hr', 'HR'],
  Czech: ['cs', 'CZ'],
  Danish: ['da', 'DK'],
  Dutch: ['nl', 'NL'],
  Estonian: ['et', 'EE'],
  Finnish: ['fi', 'FI'],
  French: ['fr', 'FR'],
  'French (CA)': ['fr', 'CA'],
  German: ['de', 'DE'],
  Greek: ['el', 'GR'],
  Hebrew: ['he', 'IL'],
  Hindi: ['hi', 'IN'],
  Hungarian: ['hu', 'HU'],
  Indonesian: ['id', 'ID'],
  Italian: ['it', 'IT'],
  Japanese: ['ja', 'JP'],
  Korean: ['ko', 'KR'],
  Latvian: ['lv', 'LV'],
  Lithuanian: ['lt', 'LT'],
  Malay: ['ms', 'MY'],
  Norwegian: ['nb', 'NO'],
  Persian: ['fa', 'IR'],
  Polish: ['pl', 'PL'],
  Portuguese: ['pt', 'PT'],
  'Portuguese (BR)': ['pt', 'BR'],
  Romanian: ['ro', 'RO'],
  Russian: ['ru', 'RU'],
  Serbian: ['sr', 'RS'],
  Slovak: ['sk', 'SK'],
  Slovenian: ['sl', 'SI'],
  Spanish: ['es', 'ES'],
  'Spanish (MX)': ['es', 'MX'],
  Swedish: ['sv', 'SE'],
  Thai: ['th', 'TH'],
  Turkish: ['tr', 'TR'],
  Ukrainian: ['uk', 'UA'],
  Vietnamese: ['vi', 'VN'],
}

/**
 * Returns the market of a project's language and region. Without a country, it uses the country of the language.
 *
 * `isKnown` is false if the region names no country and is not the whole world.
 */
export const marketOf = (language: string, region: string): Market & { isKnown: boolean } => {
  const [code, home] = MARKETS[language as Label] ?? MARKETS[DEFAULT_LANGUAGE]
  const country = isWorldwide(region) ? undefined : countryOf(region, tagOfLanguage(language))
  return { country: country ?? home, language: code, isKnown: country !== undefined || isWorldwide(region) }
}

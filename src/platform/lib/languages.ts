/** Content languages a project can be set to. */
export const LANGUAGES = [
  'English (US)',
  'English (UK)',
  'English (AU)',
  'English (CA)',
  'English',
  'Arabic',
  'Bengali',
  'Bulgarian',
  'Catalan',
  'Chinese (Simplified)',
  'Chinese (Traditional)',
  'Croatian',
  'Czech',
  'Danish',
  'Dutch',
  'Estonian',
  'Finnish',
  'French',
  'French (CA)',
  'German',
  'Greek',
  'Hebrew',
  'Hindi',
  'Hungarian',
  'Indonesian',
  'Italian',
  'Japanese',
  'Korean',
  'Latvian',
  'Lithuanian',
  'Malay',
  'Norwegian',
  'Persian',
  'Polish',
  'Portuguese',
  'Portuguese (BR)',
  'Romanian',
  'Russian',
  'Serbian',
  'Slovak',
  'Slovenian',
  'Spanish',
  'Spanish (MX)',
  'Swedish',
  'Thai',
  'Turkish',
  'Ukrainian',
  'Vietnamese',
] as const

/** Language of a project without a setting. */
export const DEFAULT_LANGUAGE = 'English (US)'

type Language = (typeof LANGUAGES)[number]

/** Labels by language tag (BCP 47). The tag has a region or script only if that gives another label. */
const BY_TAG: Record<string, Language> = {
  en: 'English',
  'en-us': 'English (US)',
  'en-gb': 'English (UK)',
  'en-au': 'English (AU)',
  'en-ca': 'English (CA)',
  ar: 'Arabic',
  bn: 'Bengali',
  bg: 'Bulgarian',
  ca: 'Catalan',
  zh: 'Chinese (Simplified)',
  'zh-hans': 'Chinese (Simplified)',
  'zh-hant': 'Chinese (Traditional)',
  'zh-tw': 'Chinese (Traditional)',
  'zh-hk': 'Chinese (Traditional)',
  'zh-mo': 'Chinese (Traditional)',
  hr: 'Croatian',
  cs: 'Czech',
  da: 'Danish',
  nl: 'Dutch',
  et: 'Estonian',
  fi: 'Finnish',
  fr: 'French',
  'fr-ca': 'French (CA)',
  de: 'German',
  el: 'Greek',
  he: 'Hebrew',
  hi: 'Hindi',
  hu: 'Hungarian',
  id: 'Indonesian',
  it: 'Italian',
  ja: 'Japanese',
  ko: 'Korean',
  lv: 'Latvian',
  lt: 'Lithuanian',
  ms: 'Malay',
  no: 'Norwegian',
  nb: 'Norwegian',
  nn: 'Norwegian',
  fa: 'Persian',
  pl: 'Polish',
  pt: 'Portuguese',
  'pt-br': 'Portuguese (BR)',
  ro: 'Romanian',
  ru: 'Russian',
  sr: 'Serbian',
  sk: 'Slovak',
  sl: 'Slovenian',
  es: 'Spanish',
  'es-mx': 'Spanish (MX)',
  sv: 'Swedish',
  th: 'Thai',
  tr: 'Turkish',
  uk: 'Ukrainian',
  vi: 'Vietnamese',
}

/** Returns a BCP 47 tag in its canonical form (`iw` is `he`, `fra` is `fr`); undefined if the text is not a tag. */
const localeOf = (tag: string): Intl.Locale | undefined => {
  try {
    return new Intl.Locale(tag.trim().replaceAll('_', '-'))
  } catch {
    return undefined
  }
}

/** Returns the label of a language tag: of the whole tag, else of language and script or region, else of the language. */
const labelOfTag = (tag: string): Language | undefined => {
  const locale = localeOf(tag)
  if (!locale) return undefined
  const { language, script, region } = locale
  const parts = [locale.baseName, script && `${language}-${script}`, region && `${language}-${region}`, language]
  const known = parts.find((part) => part !== undefined && Object.hasOwn(BY_TAG, part.toLowerCase()))
  return known === undefined ? undefined : BY_TAG[known.toLowerCase()]
}

/** Returns the label of a page's language tag. Undefined if it has none, and for English without a known variant. */
export const languageOfTag = (tag: string): Language | undefined => {
  const label = labelOfTag(tag)
  return label === 'English' ? undefined : label
}

/** Returns the language of a label (in any case) or of a BCP 47 tag. */
export const languageOf = (text: string): Language | undefined =>
  LANGUAGES.find((label) => label.toLowerCase() === text.toLowerCase()) ?? labelOfTag(text)

const withoutRegion = (label: string): string => label.replace(/ \(.*\)$/, '')

/** Returns the language of a label or of a page's language tag, without its region; empty if it has none. */
export const baseLanguage = (text: string): string => {
  const label = languageOf(text)
  if (label) return withoutRegion(label)
  const language = localeOf(text)?.language ?? 'und'
  return language === 'und' ? '' : language
}

/** Returns the BCP 47 tag of a label, or a tag in its canonical form. Undefined if the text is neither. */
export const tagOf = (text: string): string | undefined => {
  const label = LANGUAGES.find((one) => one.toLowerCase() === text.toLowerCase())
  const tag = label === undefined ? text : Object.keys(BY_TAG).find((key) => BY_TAG[key] === label)
  const locale = tag === undefined ? undefined : localeOf(tag)
  return locale?.language === 'und' ? undefined : locale?.baseName
}

let tags: Map<string, string> | undefined

/** Returns the tag of each language by its label without a region. Built on first use. The first tag of a language wins. */
const tagsByLabel = (): Map<string, string> => {
  tags ??= new Map(
    Object.entries(BY_TAG)
      .filter(([tag]) => !tag.includes('-'))
      .map(([tag, label]): [string, string] => [withoutRegion(label), tag])
      .reverse(),
  )
  return tags
}

/** Returns the language part of a label's tag, which selects stop words and templates. */
export const tagOfLanguage = (label: string): string =>
  label.startsWith('English') ? 'en' : (tagsByLabel().get(withoutRegion(label)) ?? '')

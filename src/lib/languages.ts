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

type Language = (typeof LANGUAGES)[number]

/** Labels by language tag (BCP 47): with region or script where that makes another label. */
const BY_TAG: Record<string, Language> = {
  'en-us': 'English (US)',
  'en-gb': 'English (UK)',
  'en-au': 'English (AU)',
  'en-ca': 'English (CA)',
  ar: 'Arabic',
  bn: 'Bengali',
  bg: 'Bulgarian',
  ca: 'Catalan',
  zh: 'Chinese (Simplified)',
  'zh-hant': 'Chinese (Traditional)',
  'zh-tw': 'Chinese (Traditional)',
  'zh-hk': 'Chinese (Traditional)',
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
  iw: 'Hebrew',
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

/** The label of a page's language tag; undefined for a tag we have none for, and for `en` alone, which says no variant. */
export const languageOfTag = (tag: string): Language | undefined => {
  const [primary = '', ...rest] = tag.trim().toLowerCase().replaceAll('_', '-').split('-')
  for (const part of rest) {
    const label = BY_TAG[`${primary}-${part}`]
    if (label) return label
  }
  return BY_TAG[primary]
}

/** The language tag's first part of a label: what stop words and templates are kept by. */
export const tagOfLanguage = (label: string): string => {
  if (label.startsWith('English')) return 'en'
  const plain = label.replace(/ \(.*\)$/, '')
  return (
    Object.entries(BY_TAG).find(([tag, name]) => !tag.includes('-') && name.replace(/ \(.*\)$/, '') === plain)?.[0] ??
    ''
  )
}

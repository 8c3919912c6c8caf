/** The few words an assembled article needs of its own, by language. Languages without an entry go without words. */
type Words = { related: string; more: string; visit: string }

const WORDS: Record<string, Words> = {
  English: { related: 'Related', more: 'More from', visit: 'Visit' },
  German: { related: 'Siehe auch', more: 'Mehr von', visit: 'Jetzt besuchen:' },
  French: { related: 'À lire aussi', more: 'En savoir plus :', visit: 'Visitez' },
  Spanish: { related: 'Relacionado', more: 'Más de', visit: 'Visite' },
  Italian: { related: 'Leggi anche', more: 'Di più da', visit: 'Visita' },
  Portuguese: { related: 'Veja também', more: 'Mais de', visit: 'Visite' },
  Dutch: { related: 'Zie ook', more: 'Meer van', visit: 'Bezoek' },
  Swedish: { related: 'Läs också', more: 'Mer från', visit: 'Besök' },
  Danish: { related: 'Læs også', more: 'Mere fra', visit: 'Besøg' },
  Norwegian: { related: 'Les også', more: 'Mer fra', visit: 'Besøk' },
  Polish: { related: 'Zobacz też', more: 'Więcej:', visit: 'Odwiedź:' },
}

/** Returns the words of a project's language, by its label; undefined where we have none, so that nothing is in another language. */
export const wordsOf = (language: string): Words | undefined => WORDS[language.replace(/ \(.*\)$/, '')]

const TAGS: Record<string, string> = {
  English: 'en',
  German: 'de',
  French: 'fr',
  Spanish: 'es',
  Italian: 'it',
  Portuguese: 'pt',
  Dutch: 'nl',
  Swedish: 'sv',
  Polish: 'pl',
}

/** Returns the tag stop words are kept by, of a project's language; '' for languages without a list. */
export const languageTagOf = (language: string): string => TAGS[language.replace(/ \(.*\)$/, '')] ?? ''

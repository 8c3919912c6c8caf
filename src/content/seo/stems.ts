import { stemmer as arabic } from '@orama/stemmers/arabic'
import { stemmer as danish } from '@orama/stemmers/danish'
import { stemmer as dutch } from '@orama/stemmers/dutch'
import { stemmer as english } from '@orama/stemmers/english'
import { stemmer as finnish } from '@orama/stemmers/finnish'
import { stemmer as french } from '@orama/stemmers/french'
import { stemmer as german } from '@orama/stemmers/german'
import { stemmer as greek } from '@orama/stemmers/greek'
import { stemmer as hungarian } from '@orama/stemmers/hungarian'
import { stemmer as hindi } from '@orama/stemmers/indian'
import { stemmer as indonesian } from '@orama/stemmers/indonesian'
import { stemmer as italian } from '@orama/stemmers/italian'
import { stemmer as lithuanian } from '@orama/stemmers/lithuanian'
import { stemmer as norwegian } from '@orama/stemmers/norwegian'
import { stemmer as portuguese } from '@orama/stemmers/portuguese'
import { stemmer as romanian } from '@orama/stemmers/romanian'
import { stemmer as russian } from '@orama/stemmers/russian'
import { stemmer as serbian } from '@orama/stemmers/serbian'
import { stemmer as spanish } from '@orama/stemmers/spanish'
import { stemmer as swedish } from '@orama/stemmers/swedish'
import { stemmer as turkish } from '@orama/stemmers/turkish'
import { stemmer as ukrainian } from '@orama/stemmers/ukrainian'
import { foldLetters } from '../../platform/lib/fold.ts'

type Stemmer = (word: string) => string

/** Languages with a stemmer, by name without a region. */
const STEMMERS: Record<string, Stemmer> = {
  Arabic: arabic,
  Danish: danish,
  Dutch: dutch,
  English: english,
  Finnish: finnish,
  French: french,
  German: german,
  Greek: greek,
  Hindi: hindi,
  Hungarian: hungarian,
  Indonesian: indonesian,
  Italian: italian,
  Lithuanian: lithuanian,
  Malay: indonesian,
  Norwegian: norwegian,
  Portuguese: portuguese,
  Romanian: romanian,
  Russian: russian,
  Serbian: serbian,
  Spanish: spanish,
  Swedish: swedish,
  Turkish: turkish,
  Ukrainian: ukrainian,
}

/** British spellings, with the American ones: patterns for folded letters. Most results are no words, so they match nothing else. */
const AMERICAN: readonly (readonly [RegExp, string])[] = [
  [/(?<=[a-z]{3})our(?=$|s$|ed$|ing|ful|less|able|ite|ist|hood|y$)/, 'or'],
  [/(?<=[a-z]{3})is(?=(?:e[drs]?|ers|ing|ations?|able)$)/, 'iz'],
  [/(?<=[a-z]{3})ys(?=(?:e[drs]?|ers|ing)$)/, 'yz'],
  [/(?<=^(?:kilo|centi|milli|theat|mil)?(?:cen|me|li|thea|fi|cali|lus|spec))([tb])re(?=s?$)/, '$1er'],
  [/(?<=[a-z]{4})ogue(?=s?$)/, 'og'],
  [/(?<=^(?:def|off|lic|pret))enc(?=e[ds]?$|ing$)/, 'ens'],
  [/^gre(?=y|ish)/, 'gra'],
  [/^tyre(?=s?$)/, 'tire'],
  [/^aluminium/, 'aluminum'],
  [/^jewellery$/, 'jewelry'],
  [/^mould/, 'mold'],
  [/^plough/, 'plow'],
  [/^pyjama/, 'pajama'],
  [/^moustache/, 'mustache'],
  [/^sceptic/, 'skeptic'],
  [/^cosy$/, 'cozy'],
  [/^programme(?=s?$)/, 'program'],
  [/^fulfil(?=s?$|ment)/, 'fulfill'],
  [/^enrol(?=s?$|ment)/, 'enroll'],
  [/^(an|gyn|h|orthop|p|encyclop)ae/, '$1e'],
]

const american = (word: string): string =>
  AMERICAN.reduce((form, [found, written]) => form.replace(found, written), word)

/** Languages that join words into compounds: people search for `Kaffeemaschine` as `kaffee maschine`. */
const COMPOUNDING: ReadonlySet<string> = new Set(
  'Danish Dutch English Estonian Finnish German Hungarian Norwegian Swedish'.split(' '),
)

const plainName = (language: string): string => language.replace(/ \(.*\)$/, '')

/** True if the forms of words are known in this language. */
export const hasStems = (language: string): boolean => Object.hasOwn(STEMMERS, plainName(language))

/** True if the language joins words into compounds. */
export const makesCompounds = (language: string): boolean => COMPOUNDING.has(plainName(language))

/** Arabic prefixes of words: the article, "and", "with", "for". */
const ARABIC_PREFIX = /^(?:[وف]?(?:[بک]?ال|لل)|[وفبکل])(?=\p{L}{3})/u
/** One Hebrew prefix letter: "and", "the", "in", "as", "to", "from", "that". */
const HEBREW_PREFIX = /^[ושהבכלמ](?=\p{L}{3})/u
const MAX_PREFIXES = 3
/** Hebrew word of two letters with prefixes: `העץ`. */
const PREFIXED_PAIR = /^[ושהבכלמ]{1,3}(?=\p{L}{2}$)/u

/**
 * Returns the two-letter word that a word of a text may be without its prefix.
 *
 * Only for words of texts. Two longer words with the same last letters are not forms of one word.
 */
export const pairWithin = (word: string): string[] => {
  const folded = foldLetters(word)
  const pair = folded.replace(PREFIXED_PAIR, '')
  return pair === folded ? [] : [pair]
}

/** Endings that Snowball keeps: the Scandinavian article, and plurals of words that end with a vowel. */
const ENDINGS: Record<string, RegExp> = {
  Swedish: /(?:arna|erna|orna|en|et|ar|or|er|na|n|t)$/u,
  Norwegian: /(?:ene|en|et|er|a)$/u,
  Danish: /(?:erne|ene|en|et|er)$/u,
  Dutch: /(?:jes?|s)$/u,
  French: /[sx]$/u,
}
const MIN_STEM = 3

/** Irregular forms that a stemmer does not unite: patterns for folded letters, with their replacements. */
const FORMS: Record<string, readonly (readonly [RegExp, string])[]> = {
  // Irregular plurals, also at the end of longer words: `bookshelves`, `policewomen`.
  English: [
    [/men$/, 'man'],
    [/children$/, 'child'],
    [/feet$/, 'foot'],
    [/teeth$/, 'tooth'],
    [/geese$/, 'goose'],
    [/mice$/, 'mouse'],
    [/^lice$/, 'louse'],
    [/^dice$/, 'die'],
    [/^oxen$/, 'ox'],
    [/people$/, 'person'],
    [/quizzes$/, 'quiz'],
    [/(?<=shel|wol|lea|hal|loa|cal|thie|sel|scar|hoo)ves$/, 'f'],
    [/(?<=kni|wi|^li|ali)ves$/, 'fe'],
    [/(?<=[^s]us)es$/, ''],
    [/(?<=criteri|phenomen)a$/, 'on'],
    [/(?<=dat|medi|bacteri|curricul|spectr|strat|errat|addend|memorand|millenni|symposi|stadi)a$/, 'um'],
    [/(?<=cact|fung|nucle|stimul|alumn|syllab|radi|foc|loc|termin|bacill)i$/, 'us'],
    [/(?<=analy|hypothe|synthe|prosthe|parenthe|diagno|cri|the|ba|oa|ellip|empha|neuro|paraly)ses$/, 'sis'],
    [/^axes$/, 'axis'],
    [/(?<=ind|vert|vort|cod|cort|ap)ices$/, 'ex'],
    [/(?<=matr|append)ices$/, 'ix'],
  ],
  // Plurals of foreign words (`Autos`, `Kameras`, `Themen`, `Museen`), and of words with `-el` (`Hanteln`).
  German: [
    [/(?<=\p{L}(?:[^aeiou][aioy]|[ei]o))s$/u, ''],
    [/(?<=\p{L}m)a$|(?<=\p{L}{2}[^a])(?<!^[wd]ar|chs?t)um$/u, 'en'],
    [/(?<=[^aeiou]el)n$/, ''],
  ],
  Dutch: [
    [/(?<=kind|lied|rund|volk|blad|good|^ei)eren$/, ''],
    [/steden$/, 'stad'],
    [/schepen$/, 'schip'],
    [/leden$/, 'lid'],
  ],
  Swedish: [[/bocker$/, 'bok']],
  Danish: [
    [/born$/, 'barn'],
    [/maend$/, 'mand'],
  ],
  Norwegian: [[/menn$/, 'mann']],
  French: [
    [/(?<=trav|vitr|cor|em|soupir|vant|^b)aux$/, 'ail'],
    [/^yeux$/, 'oeil'],
  ],
  Italian: [[/uomini$/, 'uomo']],
  Arabic: [[/(?<=\p{L}{3})ات$/u, 'ة']],
  Spanish: [[/ces$/, 'z']],
  Portuguese: [
    [/(?:oes|aes)$/, 'ao'],
    [/(?<=\p{L}{2})([aeou])is$/u, '$1l'],
    [/(?<=\p{L}{2})il$|(?<=\p{L}{2}[^aeou])is$/u, 'el'],
    [/(?<=\p{L}{2})ns$/u, 'm'],
  ],
  Catalan: [
    [/ques$/, 'ca'],
    [/gues$/, 'ga'],
    [/ges?$/, 'ja'],
  ],
  // Consonant gradation: `kauppa`, `kaupat`; `kenkä`, `kengät`. The mark `~` keeps `kuka` and `kukka` different.
  Finnish: [
    [/([kpt])\1([aeiouy]+)$/, '$1$2~'],
    [/nk([aeiouy]+)$/, 'ng$1~'],
    [/(?<=[aeiouy])[tn]$/, '~'],
  ],
}

const otherForm = (word: string, language: string): string =>
  (FORMS[language] ?? []).reduce((form, [found, written]) => form.replace(found, written), word)

/** Returns a German word with its umlauts spelled as two letters. */
const spelled = (word: string): string =>
  word.replace(/[äöü]/g, (letter) => ({ ä: 'ae', ö: 'oe', ü: 'ue' })[letter] ?? letter)

/**
 * Endings of languages without a stemmer, in folded letters. They unite most forms of nouns and adjectives.
 *
 * A text gets credit for such forms, but too many are missed for a missing keyword to be an error.
 */
const LIGHT: Record<string, string> = {
  Bengali: 'গুলোর|গুলো|গুলি|দের|য\u09bcের|ের|টির|টার|টি|টা|কে|তে|রা|র|য\u09bc',
  Bulgarian: 'ията|иите|ият|ия|ята|ите|ата|ото|ето|ът|ят|та|то|те|ове|еве|ища|а|я|и|е|о|ю',
  Catalan: 'es|os|s|a|e|o',
  Croatian: 'ovima|evima|oga|ega|omu|emu|ima|ama|ovi|evi|ova|eva|ove|eve|om|em|og|eg|oj|ih|im|ah|a|e|i|o|u',
  Czech: 'ymi|imi|eho|emu|ych|ich|ami|emi|ovi|ove|ech|ach|ata|em|um|om|am|ou|ym|im|ej|a|e|i|o|u|y',
  Estonian: '[aeiu]?(?:dega|dele|dest|des|de|ne|se[dt]?|sse|st|ga|ks|le|lt|ni|na|ta|[dtls])|[aeiu]',
  Hebrew: 'יים|ים|יות|ות|ית|ה|ת|י',
  Persian: 'هایی|های|ها',
  Latvian: 'ajam|ajai|ajas|ajos|iem|am|ai|as|is|us|em|im|ej|os|es|ie|a|e|i|o|s|u',
  Polish: 'i?ego|i?emu|[iy]ch|[iy]mi|i?ami|i?ach|i?om|i?em|owie|owi|ow|[iy]m|i?ej|i?[aeou]|ii|[iy]',
  Slovak: 'ymi|imi|eho|ieho|emu|iemu|ych|ich|i?ami|ovi|ov|och|iach|ach|om|em|am|ou|ym|im|ej|i?[aeou]|i|y',
  Slovenian: 'ovoma|ega|emu|ima|ama|ovi|ove|ov|om|em|oma|im|ih|ah|a|e|i|o|u',
}
/** Vowel that only some forms have: `domek`, `domky`; `bokor`, `bokrok`. Short words (`bor`, `bár`) keep theirs. */
const FLEETING = /(?<=[aeiouyаеиіоуыюя][^aeiouyаеиіоуыюя]{1,3})[aeoео]([lnrkcлнркц])$/u
/** Changes of a stem in some forms of a word, by language: `подарок`, `подарки`; `kaupunki`, `kaupungissa`; `βιβλίο`, `βιβλία`. */
const STEM_CHANGES: Record<string, readonly [RegExp, string]> = {
  Finnish: [/nk$/, 'ng'],
  Greek: [/ι$/u, ''],
  Hungarian: [FLEETING, '$1'],
  Russian: [FLEETING, '$1'],
  Ukrainian: [FLEETING, '$1'],
}
const HEBREW_FINALS: Record<string, string> = { ך: 'כ', ם: 'מ', ן: 'נ', ף: 'פ', ץ: 'צ' }

/** Returns a word without its ending; undefined if the language's endings are not known. */
const lightStem = (folded: string, language: string): string | undefined => {
  const endings = LIGHT[language]
  if (endings === undefined) return undefined
  return folded
    .replace(new RegExp(`(?<=.{${MIN_STEM}})(?:${endings})$`, 'u'), '')
    .replace(FLEETING, '$1')
    .replace(/[ךםןףץ]$/u, (letter) => HEBREW_FINALS[letter] ?? letter)
}

/** Returns the word without its prefixes. In Hebrew, one result for each removed letter. */
const unprefixed = (folded: string): string[] => {
  const arabic = folded.replace(ARABIC_PREFIX, '')
  if (arabic !== folded) return [arabic]
  const rests: string[] = []
  let rest = folded
  while (rests.length < MAX_PREFIXES && HEBREW_PREFIX.test(rest)) {
    rest = rest.slice(1)
    rests.push(rest)
  }
  return rests
}

/** Returns a stem that all forms of a word share: `cykel` and `cyklar` give `cykl`, `huis` and `huizen` give `huis`. */
const evened = (stem: string): string =>
  stem
    .replace(/(?<=[^aeiouy])e([lnr])$/u, '$1')
    .replace(/([^aeiouy])\1/gu, '$1')
    .replace(/z$/u, 's')
    .replace(/v$/u, 'f')

/** Returns the keys of a word: itself without accents, and its stems. Two words with a common key are forms of one word. */
export const stemKeys = (word: string, language: string): string[] => {
  const name = plainName(language)
  const stem = Object.hasOwn(STEMMERS, name) ? STEMMERS[name] : undefined
  const folded = foldLetters(word)
  const keys = new Set([folded, ...unprefixed(folded)])
  if (!/[\p{L}\p{M}]$/u.test(word)) return [...keys]
  if (!stem) return [...keys].flatMap((key) => [key, lightStem(otherForm(key, name), name) ?? key])
  const spellings = name === 'German' ? [spelled(word)] : name === 'English' ? [american(folded)] : []
  const forms = [...new Set([word, folded, otherForm(folded, name), ...spellings, ...unprefixed(folded)])]
  for (const form of forms) keys.add(foldLetters(stem(form)))
  const change = STEM_CHANGES[name]
  if (change) for (const key of [...keys]) keys.add(key.replace(...change))
  const ending = ENDINGS[name]
  if (ending) {
    const cut = folded.replace(ending, '')
    for (const form of [cut.length >= MIN_STEM ? cut : folded, ...forms.map(stem)]) keys.add(evened(foldLetters(form)))
  }
  return [...keys].filter((key) => key !== '')
}

/** Endings of names in Cyrillic and Greek letters, shared by all languages of the script. */
const CYRILLIC = /^(?:а|я|у|ю|ом|ем|ём|ой|ей|е|ы|и|і|ов|ев|ів|ам|ям|ами|ями|ах|ях|ою|ею|ові|еві|та|ът)$/u
const GREEK = /^(?:ς|σ|υ|ν|ου|ον|ων|ες|εσ|οι)$/u

/** Endings of names in languages with Latin letters, in folded letters, by language code. */
const LATIN: Record<string, RegExp> = {
  de: /^s$/,
  nl: /^s$/,
  sv: /^s$/,
  no: /^s$/,
  da: /^s$/,
  fi: /^(?:i?(?:n|in|a|ssa|sta|lla|lle|lta|ksi|na|tta)|in|en|an|on|un|ista|illa|ille)$/,
  et: /^(?:[aeiu]?(?:le|lt|l|st|s|sse|ks|ga|ta|ni|na|t)|[aeiu])$/,
  hu: /^(?:t|[aeo]t|nak|nek|[bv]a[nl]|[bv]e[nl]|ban|ben|bol|ba|be|rol|ra|re|on|en|nal|nel|tol|hoz|hez|ert|kent|[aeo]k)$/,
  pl: /^(?:a|u|owi|em|iem|ie|y|i|e|ow|om|ami|ach|o)$/,
  cs: /^(?:a|u|ovi|em|e|y|i|ou|o|um|ech|ich)$/,
  sk: /^(?:a|u|ovi|om|e|y|i|ou|o|och|ach)$/,
  hr: /^(?:a|u|om|em|e|i|o|ima|ama)$/,
  sr: /^(?:a|u|om|em|e|i|o|ima|ama)$/,
  sl: /^(?:a|u|om|em|e|i|o|ov|ih|ah)$/,
  lt: /^(?:o|ui|a|u|e|as|os|ai|us|is|io|yje|je|ame)$/,
  lv: /^(?:a|am|u|s|as|ai|e|ei|i|is|im)$/,
  ro: /^(?:ul|ului|le|lui|a|ei)$/,
  tr: /^(?:[dt][ae]n?|n?[iu]n|y?[iae]|l[ae]|y?l[ae]|l[ae]r)$/,
}

const isCyrillic = /\p{Script=Cyrillic}$/u
const isGreek = /\p{Script=Greek}$/u

/** True if `rest` is an ending that the language adds to a word that ends with `left`. */
export const isEnding = (left: string, rest: string, language: string): boolean => {
  if (isCyrillic.test(left)) return CYRILLIC.test(rest)
  if (isGreek.test(left)) return GREEK.test(rest)
  return LATIN[language.slice(0, 2).replace('nb', 'no')]?.test(rest) ?? false
}

/** Endings of a name's base form that its other forms replace, in folded letters. */
const FIRST_FORM: Record<string, RegExp> = {
  pl: /[aeoy]$/,
  cs: /[aeoy]$/,
  sk: /[aeoy]$/,
  hr: /[aeo]$/,
  sr: /[aeo]$/,
  sl: /[aeo]$/,
  lt: /(?:[aiuy]s|[aeo])$/,
  lv: /(?:[iu]?s|[aei])$/,
}
/** Stem endings that change in some forms of a name: `Biedronka`, `w Biedronce`; `Marimekko`, `Marimekon`. */
const SOFTENED: Record<string, readonly (readonly [RegExp, string])[]> = {
  pl: [
    [/ka$/, 'ce'],
    [/ga$/, 'dze'],
    [/ra$/, 'rze'],
    [/ta$/, 'cie'],
    [/da$/, 'dzie'],
  ],
  cs: [
    [/ka$/, 'ce'],
    [/[gh]a$/, 'ze'],
  ],
  sk: [],
  uk: [
    [/ка$/u, 'ці'],
    [/га$/u, 'зі'],
    [/ха$/u, 'сі'],
  ],
  fi: [[/([kpt])\1(?=[aeiouy]$)/, '$1']],
}

/** Returns the forms of a word with a changed stem. */
const softened = (word: string, tag: string): string[] =>
  (SOFTENED[tag] ?? []).map(([end, soft]) => word.replace(end, soft)).filter((form) => form !== word)

const MIN_STEM = 3

/** Another form of a name, in folded letters. `isWhole`: false if it occurs only with an ending after it. */
export type OtherForm = { letters: string; isWhole: boolean }

/** Returns the stems of a name's other forms, such as `Газет` of `Газета` and `Allegr` of `Allegro`, and forms with a changed stem. */
export const otherForms = (letters: string, language: string): OtherForm[] => {
  const tag = language.slice(0, 2)
  const first = FIRST_FORM[tag]
  const stem =
    /[аяоеьйыи]$/u.test(letters) && letters.length > 4 ? letters.slice(0, -1) : letters.replace(first ?? /$^/, '')
  return [
    ...(stem !== letters && stem.length >= MIN_STEM ? [{ letters: stem, isWhole: false }] : []),
    ...softened(letters, tag).map((form) => ({ letters: form, isWhole: tag !== 'fi' })),
  ]
}

/** Endings of a word inside a name, in its base form and in all its forms, in folded letters. */
type Forms = { own: RegExp; all: RegExp }

const WEST_SLAVIC: Forms = {
  own: /[aeiyo]$/,
  all: /^(?:[aeiyou]|ou|i?ej|i?ego|i?eho|i?emu|[iy]m|[iy]ch|[iy]mi|om|ovi|owi|i?em|ie|ow|ami|ach|ech)?$/,
}
const SOUTH_SLAVIC: Forms = { own: /[aeio]$/, all: /^(?:[aeiou]|og|oga|eg|ega|om|omu|em|emu|im|ih|oj|ov|ah|ima|ama)?$/ }

const INSIDE: Record<string, Forms> = {
  de: { own: /(?:e[rs]?)$/, all: /^(?:e[mnrs]?|[ns])?$/ },
  pl: WEST_SLAVIC,
  cs: WEST_SLAVIC,
  sk: WEST_SLAVIC,
  hr: SOUTH_SLAVIC,
  sr: SOUTH_SLAVIC,
  sl: SOUTH_SLAVIC,
  lt: { own: /(?:[aiu]s|[aeo])$/, all: /^(?:[aiuoe]|[aiuoe]s|ai|ui|iai|io|oji|ojo|ajam|[ai]me|oje|eje|yje)?$/ },
  lv: { own: /(?:[ai]?s|[aei])$/, all: /^(?:[aeiu]|[aei]s|am|ai|ei|ie|aja|iem)?$/ },
  ro: { own: /(?:ul|[aeu])$/, all: /^(?:[aeu]|ei|ii|ul|ului|le|lor)?$/ },
  fi: { own: /$/, all: /^(?:i?(?:n|a|ssa|sta|lla|lle|lta|ksi|na|tta)|en|an|on|un)?$/ },
}
const CYRILLIC_INSIDE: Forms = {
  own: /(?:ая|яя|[иы]й|ой|[оеыи]е|[аяоеьйыиі])$/u,
  all: /^(?:[аяоеыиіуюьй]|[ая]я|[ую]ю|[оеіи]й|[ыи]й|[оеыи]е|[ое]ю|[ое]го|[ое]му|[ыио]м|ем|[ыиі]х|[ыиі]ми|[ое]в|ів|[ая]м|[ая]ми|[ая]х|ью|ої|ії|ього|ьому|ът|та|то|те|ата|ото|ите)?$/u,
}
const GREEK_INSIDE: Forms = {
  own: /(?:[οαηι]σ|ουσ|[οαηι])$/u,
  all: /^(?:[οαηιε]|[οαη]σ|[οαη]ν|ου|ουσ|οι|εσ|ων|ιου|ια)?$/u,
}

/** Minimum length of the part that all forms of a word share. */
const MIN_ROOT = 3

/** True if two words are forms of the same word, as words inside a name take the endings that a sentence needs. */
export const areInflections = (word: string, said: string, language: string): boolean => {
  if (word === said || softened(word, language.slice(0, 2)).includes(said)) return true
  const forms = isCyrillic.test(word)
    ? CYRILLIC_INSIDE
    : isGreek.test(word)
      ? GREEK_INSIDE
      : INSIDE[language.slice(0, 2).replace('nb', 'no')]
  const root = forms ? word.replace(forms.own, '') : word
  return root.length >= MIN_ROOT && said.startsWith(root) && forms?.all.test(said.slice(root.length)) === true
}

/** Words that Hebrew and Arabic attach to the word after them. */
const HEBREW_BEFORE = /^ו?(?:כש|מש|ש)?[הבכלמ]?$/u
const ARABIC_BEFORE = /^[وف]?[بکل]?$/u
/** Minimum length of a name after such a prefix. A shorter name may be the end of another word. */
const MIN_PREFIXED = 4

/** True if a name can follow the letters that its word begins with. */
export const isPrefix = (prefix: string, name: string): boolean => {
  if (name.length < MIN_PREFIXED) return false
  if (/^\p{Script=Hebrew}/u.test(name)) return HEBREW_BEFORE.test(prefix)
  return /^\p{Script=Arabic}/u.test(name) && ARABIC_BEFORE.test(prefix)
}

/** Returns a name as Arabic writes it after `for`, which merges with the article. */
export const joinedForm = (letters: string): string | undefined =>
  letters.length > MIN_PREFIXED && letters.startsWith('ال') ? `لل${letters.slice(2)}` : undefined

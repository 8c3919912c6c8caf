/** Endings of names in Cyrillic and Greek letters, which every language of the script shares. */
const CYRILLIC = /^(?:а|я|у|ю|ом|ем|ём|ой|ей|е|ы|и|і|ов|ев|ів|ам|ям|ами|ями|ах|ях|ою|ею|ові|еві|та|ът)$/u
const GREEK = /^(?:ς|σ|υ|ν|ου|ον|ων|ες|εσ|οι)$/u

/** Endings of the languages in which names change, in folded letters, by the code of the language. */
const LATIN: Record<string, RegExp> = {
  de: /^s$/,
  nl: /^s$/,
  sv: /^s$/,
  no: /^s$/,
  da: /^s$/,
  fi: /^(?:i?(?:n|a|ssa|sta|lla|lle|lta|ksi|na|tta)|in|en|an|on|un|ista|illa|ille)$/,
  et: /^(?:i|e|a|u|le|lt|l|st|s|sse|ks|ga|ta|ni|na)$/,
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

/** True if `rest` is an ending that the language writes onto a word that ends with `left`. */
export const isEnding = (left: string, rest: string, language: string): boolean => {
  if (isCyrillic.test(left)) return CYRILLIC.test(rest)
  if (isGreek.test(left)) return GREEK.test(rest)
  return LATIN[language.slice(0, 2).replace('nb', 'no')]?.test(rest) ?? false
}

/** Returns a name without the vowel that its other forms put endings in the place of: `Газет` of `Газета`. */
export const nameStem = (letters: string): string | undefined =>
  letters.length > 4 && /[аяоеьйыи]$/u.test(letters) ? letters.slice(0, -1) : undefined

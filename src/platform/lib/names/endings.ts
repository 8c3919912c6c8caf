/** Returns the words of a text. */
const list = (text: string): string[] => text.split(' ')

/** Legal forms after a company's name, as `compact` writes them. */
const BEHIND = new Set([
  ...list(
    'inc incorporated corp corporation co company llc llp lp lllp ltd limited plc pllc cic opc jsc ojsc cjsc pjsc',
  ),
  ...list('publiclimitedcompany limitedliabilitycompany unlimitedcompany uc dac teoranta cyf'),
  ...list(
    'pty ptyltd proprietarylimited pvt pvtltd pltd privatelimited privateltd pte pteltd fze fzco fzllc wll bsc sae sal',
  ),
  ...list(
    'gmbh ggmbh mbh gesmbh ag kg kgaa ug gug ughaftungsbeschränkt gughaftungsbeschränkt ohg og gbr egbr gesbr ek ev eg se',
  ),
  ...list('partg partgmbb partmbb aktiengesellschaft gesellschaftmitbeschränkterhaftung'),
  ...list('sa sas sasu sarl sàrl eurl eirl snc sca scs sci scop selarl selas gie sociétéanonyme'),
  ...list('srl srls spa sapa scarl sl sll slu sau sac saa sadecv sabdecv sapidecv sderl sderldecv'),
  ...list('sociedadlimitada sociedadanónima societàperazioni societàaresponsabilitàlimitata'),
  ...list('ltda limitada lda unipessoal eireli epp mei'),
  ...list('bv nv bvba sprl bvbasprl cvba vof asbl vzw nvsa sanv'),
  ...list('as asa aps ivs oy oyj oyab ky tmi osakeyhtiö ab abpubl abp aktiebolag hb kb ehf oü tü sia uab'),
  ...list('aktieselskab aksjeselskap anpartsselskab spółkaakcyjna spółkazoo spółkazograniczonąodpowiedzialnością'),
  ...list('korlátoltfelelősségűtársaság akciováspolečnost'),
  ...list('spzoo spj spk spp ska sro spolsro vos doo jdoo dd kft zrt nyrt bt kkt pfa'),
  ...list('aş anonimşirketi ltdşti limitedşirketi tic ticaret sanvetic sanayiveticaret ead eood ood'),
  ...list('ад еад оод еоод ооо оао зао пао ао тов пп чп тоо прат пат'),
  ...list('αε επε ικε οε εε αβεε μονοπρόσωπη'),
  ...list('tbk perserotbk persero sdnbhd bhd berhad kk'),
  ...list('בעמ חברהבעמ شمم ذمم شذمم شمع شمل المحدودة محدودة سهامیخاص سهامیعام'),
  ...list('प्राइवेटलिमिटेड लिमिटेड प्रालि लि লিমিটেড লি จำกัด จำกัดมหาชน มหาชน'),
  ...list('株式会社 有限会社 合同会社 合資会社 合名会社 株 有 주식회사 유한회사 유한책임회사 합자회사 주 유'),
  ...list('股份有限公司 有限责任公司 有限責任公司 有限公司 股份公司 集团 集團'),
])
/** Legal forms that would be ordinary words without their full stops or slashes: `I/S`, `P.C.`. */
const SIGNED = new Set(list('is ks ans da hf pc eu il sc ad sp zs ops dno gk cv na pa scoop שח'))
/** Legal forms before a company's name. */
const BEFORE = new Set([
  ...list('ооо оао зао пао ао ип тов тзов прат пат ат пп чп фоп тоо pt cv uab sia oü sarl sàrl eurl sasu selarl'),
  ...list(
    'شركة مؤسسة شرکت شرکتسهامی חברת côngty côngtytnhh côngtytnhhmtv côngtytnhhmộtthànhviên côngtycổphần côngtycp ctcp',
  ),
  ...list('株式会社 有限会社 合同会社 株 有 주식회사 유한회사 주 유 บริษัท หจก บมจ บจก ห้างหุ้นส่วนจำกัด'),
])
/** Legal forms that scripts without blanks attach to a name. */
const JOINED =
  /^(?:株式会社|有限会社|合同会社|주식회사|유한회사|บริษัท|(?:บมจ|บจก|หจก)\.|[(（][株有주유][)）]|[㈱㈲㈜])|(?:(?<=\S)(?:株式会社|有限会社|合同会社|주식회사|유한회사|股份有限公司|有限责任公司|有限責任公司|有限公司|股份公司|控股|集团|集團|จำกัด)|[(（][株有주유][)）]|[㈱㈲㈜])$/gu
/** Legal forms at both ends of a Romanian name: `SC Acme SRL`. */
const ROMANIAN = /^S\.?C\.?\s+(?=\S.*\sS\.?(?:R\.?L|A)\.?$)/iu
/** Legal form of an Italian partnership, with the names of its partners: `S.n.c. di Rossi & C.` */
const PARTNERS = /\sS\.?\s?[an]\.?\s?[cs]\.?\s+di\s.*$/iu
/** An `and` that remains at the end without its legal form: `Smith & Co.` */
const LOOSE_AND = /(?<!\s)\s+(?:&|\+|und|and|et)$/iu
const QUOTES = /^["'“”„«»‹›「」]+|(?<!["'“”„«»‹›「」])["'“”„«»‹›「」]+$/gu
const LONE_ARTICLE = /^(?:the|an?|l[aeo]s?|el|los|il|gli|i|de|het|os?|as|els|der|die|das)$/iu
const [ROUNDS, MAX_WORDS] = [6, 7]

/** Returns the letters of a legal form, without the full stops, blanks and brackets that people use differently. */
const compact = (words: string): string => words.toLowerCase().replace(/\u0307|[\s.,/()（）&"'’״׳-]/gu, '')

const isBehind = (words: string): boolean => {
  const form = compact(words)
  return BEHIND.has(form) || (SIGNED.has(form) && /[./]/.test(words))
}

/** Returns a name without the longest legal form at one of its ends. */
const withoutOne = (name: string): string => {
  const words = [...name.matchAll(/[^\s,]+/gu)].map(({ 0: word, index }) => ({
    start: index,
    end: index + word.length,
  }))
  for (let n = Math.max(1, words.length - MAX_WORDS); n < words.length; n += 1)
    if (isBehind(name.slice(words[n]?.start))) return name.slice(0, words[n - 1]?.end)
  for (let n = Math.min(words.length, MAX_WORDS) - 1; n > 0; n -= 1)
    if (BEFORE.has(compact(name.slice(0, words[n - 1]?.end)))) return name.slice(words[n]?.start)
  return name.replace(JOINED, '')
}

/** Returns a name without its legal form; the name itself if only an article would remain. */
export const withoutLegalForm = (name: string): string => {
  let plain = name.replace(/[™®℠]/gu, '').trim().replace(ROMANIAN, '').replace(PARTNERS, '')
  for (let round = 0; round < ROUNDS; round += 1) {
    const next = withoutOne(plain).trim().replace(LOOSE_AND, '').replace(QUOTES, '').trim()
    if (next === plain || !/[\p{L}\p{N}]/u.test(next) || LONE_ARTICLE.test(next)) break
    plain = next
  }
  return plain
}

const ARTICLE =
  /^(?:the|an?|le|la|les|el|los|las|il|lo|gli|i|de|het|o|os|as|els|η|ο|το|οι|τα)\s+(?=\S{3})|^(?:l['’])(?=\p{L}{3})|^(?:der|die|das)\s+(?=\S+\s)/iu

/** Returns a name without its leading article. A German article stays before a single noun, because every text contains that noun. */
export const withoutArticle = (name: string): string => name.replace(ARTICLE, '')

/** Endings of names in Cyrillic and Greek letters, shared by all languages of the script. */
const CYRILLIC = /^(?:а|я|у|ю|ом|ем|ём|ой|ей|е|ы|и|і|ов|ев|ів|ам|ям|ами|ями|ах|ях|ою|ею|ові|еві|та|ът)$/u
const GREEK = /^(?:[συνοηαε]|[οηα][σν]|ου|ων|εσ|οι)$/u

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
  sl: /^(?:j?(?:a|u|em|e|i)|om|o|ov|ih|ah)$/,
  lt: /^(?:o|ui|a|u|e|as|os|ai|us|is|io|yje|oje|eje|je|ame)$/,
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
const GREEK_END = /(?:[οαηι]σ|ουσ|[οαηι])$/u
const MIN_STEM = 3

/**
 * Returns the stem to which the endings of a name's other forms are added: `Газет` of `Газета`, `Allegr` of `Allegro`, `Γερμαν` of
 * `Γερμανός`; undefined if it is the name itself.
 */
export const stemOf = (letters: string, language: string): string | undefined => {
  const end =
    /[аяоеьйыи]$/u.test(letters) && letters.length > 4
      ? /.$/u
      : GREEK_END.test(letters)
        ? GREEK_END
        : FIRST_FORM[language.slice(0, 2)]
  const stem = end ? letters.replace(end, '') : letters
  return stem !== letters && stem.length >= MIN_STEM ? stem : undefined
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

/** Returns the words of a text. */
const list = (text: string): string[] => text.split(' ')

/** Legal forms after a company's name, as `compact` writes them. */
const BEHIND = new Set([
  ...list(
    'inc incorporated corp corporation co company llc llp lp lllp ltd limited plc pllc cic opc jsc ojsc cjsc pjsc',
  ),
  ...list('pty ptyltd proprietarylimited pvt pvtltd privatelimited pte pteltd fze fzco fzllc wll bsc sae sal'),
  ...list(
    'gmbh ggmbh mbh gesmbh ag kg kgaa ug ughaftungsbeschränkt ohg og gbr egbr ek ev eg se partg partgmbb partmbb',
  ),
  ...list('sa sas sasu sarl sàrl eurl eirl snc sca scs sci scop selarl selas gie'),
  ...list('srl srls spa sapa scarl sl sll slu sau sac saa sadecv sabdecv sapidecv sderl sderldecv'),
  ...list('ltda limitada lda unipessoal eireli epp mei'),
  ...list('bv nv bvba sprl bvbasprl cvba vof asbl vzw'),
  ...list('as asa aps ivs oy oyj oyab ky tmi ab abpubl hb kb ehf oü tü sia uab'),
  ...list('spzoo spj spk spp ska sro spolsro vos doo jdoo dd kft zrt nyrt bt kkt pfa'),
  ...list('aş ltdşti tic ticaret sanvetic sanayiveticaret ead eood ood'),
  ...list('ад еад оод еоод ооо оао зао пао ао тов пп чп тоо прат пат'),
  ...list('αε επε ικε οε εε αβεε μονοπρόσωπη'),
  ...list('tbk perserotbk persero sdnbhd bhd berhad kk'),
  ...list('בעמ חברהבעמ شمم ذمم شمع شمل المحدودة محدودة سهامیخاص سهامیعام'),
  ...list('प्राइवेटलिमिटेड लिमिटेड प्रालि लि লিমিটেড লি จำกัด จำกัดมหาชน มหาชน'),
  ...list('株式会社 有限会社 合同会社 合資会社 合名会社 株 有 주식회사 유한회사 유한책임회사 합자회사 주 유'),
  ...list('股份有限公司 有限责任公司 有限責任公司 有限公司 股份公司 集团 集團'),
])
/** Legal forms that would be ordinary words without their full stops or slashes: `I/S`, `P.C.`. */
const SIGNED = new Set(list('is ks ans da hf pc eu il sc ad sp zs ops dno gk cv'))
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
  /^(?:株式会社|有限会社|合同会社|주식회사|유한회사|บริษัท|[(（][株有주유][)）]|[㈱㈲㈜])|(?:(?<=\S)(?:株式会社|有限会社|合同会社|주식회사|유한회사|股份有限公司|有限责任公司|有限責任公司|有限公司|股份公司|控股|集团|集團|จำกัด)|[(（][株有주유][)）]|[㈱㈲㈜])$/gu
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
  let plain = name.replace(/[™®℠]/gu, '').trim()
  for (let round = 0; round < ROUNDS; round += 1) {
    const next = withoutOne(plain).trim().replace(LOOSE_AND, '').replace(QUOTES, '').trim()
    if (next === plain || !/[\p{L}\p{N}]/u.test(next) || LONE_ARTICLE.test(next)) break
    plain = next
  }
  return plain
}

const ARTICLE =
  /^(?:the|an?|le|la|les|el|los|las|il|lo|gli|i|de|het|o|os|as|els)\s+(?=\S{3})|^(?:l['’])(?=\p{L}{3})|^(?:der|die|das)\s+(?=\S+\s)/iu

/** Returns a name without its leading article. A German article stays before a single noun, because every text contains that noun. */
export const withoutArticle = (name: string): string => name.replace(ARTICLE, '')

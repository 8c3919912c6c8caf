/** Legal forms behind a company's name. */
const BEHIND =
  'inc|incorporated|corp|corporation|co|company|llc|llp|lp|ltd|limited|plc|gmbh|ggmbh|mbh|ag|kg|kgaa|ug|ohg|gbr|e\\.? ?k|e\\.? ?v|eg|se|s\\.?a\\.?r\\.?l|s\\.?a\\.?s|sasu|eurl|s\\.?a|s\\.?r\\.?l|s\\.?p\\.?a|s\\.?n\\.?c|s\\.?l|s\\.?l\\.?u|s\\.?a\\.? de c\\.?v|s\\.? de r\\.?l|ltda|s/a|eireli|lda|b\\.?v|n\\.?v|bvba|v\\.?o\\.?f|a/s|a\\.?s|asa|aps|i/s|oyj?|ky|tmi|ab|hb|kb|oü|sia|uab|pty(?: ltd)?|pvt(?: ltd)?|private limited|pte(?: ltd)?|sdn\\.? bhd|bhd|tbk|k\\.?k|sp\\.? ?z\\.? ?o\\.? ?o|sp\\.? ?j|s\\.? ?r\\.? ?o|spol\\. s r\\.? ?o|d\\.?o\\.?o|d\\.?d|kft|zrt|nyrt|bt|a\\.?ş|ltd\\.? şti|eood|ood|ад|оод|еоод|ооо|оао|зао|пао|ао|тов|пп|α\\.?ε|ε\\.?π\\.?ε|ι\\.?κ\\.?ε|ο\\.?ε|בע["״\']?מ|ش\\.?م\\.?م|ذ\\.?م\\.?م|प्राइवेट लिमिटेड|लिमिटेड|লিমিটেড|株式会社|有限会社|合同会社|주식회사|유한회사|股份有限公司|有限责任公司|有限公司|集团|集團|\\(주\\)|\\(株\\)'
const AFTER = () =>
  new RegExp(
    `(?:(?<![\\s,])[\\s,]+(?:${BEHIND})\\.?|(?<=\\p{L})(?:株式会社|有限会社|合同会社|주식회사|유한회사|股份有限公司|有限责任公司|有限公司|\\(주\\)|\\(株\\)))$`,
    'iu',
  )
/** Legal forms in front of a company's name. */
const BEFORE = () =>
  /^(?:株式会社|有限会社|合同会社|주식회사|유한회사|\(주\)|\(株\)|㈱|㈜)\s*|^(?:ооо|оао|зао|пао|ао|ип|тов|пп|pt|cv|uab|sia|oü|شركة|شرکت|บริษัท|công ty(?: tnhh| cổ phần)?)\s+/iu
/** An `and` that the law's words leave at the end: `Smith & Co.` */
const LOOSE_AND = /(?<!\s)\s+(?:&|\+|und|and|et)$/iu
const QUOTES = /^["'“”„«»‹›「」]+|(?<!["'“”„«»‹›「」])["'“”„«»‹›「」]+$/gu
const ROUNDS = 4

/** Returns a name without its legal form; the name itself where nothing else is left. */
export const withoutLegalForm = (name: string): string => {
  let plain = name.trim()
  for (let round = 0; round < ROUNDS; round += 1) {
    const next = plain.replace(AFTER(), '').replace(BEFORE(), '').replace(LOOSE_AND, '').replace(QUOTES, '').trim()
    if (next === plain || next === '') break
    plain = next
  }
  return plain
}

const ARTICLE =
  /^(?:the|an?|le|la|les|el|los|las|il|lo|gli|i|de|het|o|os|as|els)\s+(?=\S{3})|^(?:l['’])(?=\p{L}{3})|^(?:der|die|das)\s+(?=\S+\s)/iu

/** Returns a name without the article in front; a German one stays before a single noun, which every text has. */
export const withoutArticle = (name: string): string => name.replace(ARTICLE, '')

import { sentencesOf } from '../../platform/lib/sentences.ts'

const SOURCES = 'sources?|results?|data|documents?|articles?|context|search|searches'
const SAY = 'mention|contain|cover|reference|list|include|cite|name|return|discuss'
const ABOUT =
  'information|info|details?|data|results?|mentions?|records?|references?|evidence|anything|knowledge|sources?'
/** Words that turn such a sentence into praise: "could not find a better shop", "could not find any hidden fees". */
const PRAISE =
  '(?!.{0,30}\\b(?:better|cheaper|finer|nicer|fees?|costs?|faults?|flaws?|issues?|problems?|complaints?|downsides?|drawbacks?|bad word)\\b)'
const BETTER = '(?!.{0,30}(?:probl|besser|mieux|meilleur|mejor|melhor|m[ei]gli|beter|nada como))'

const pattern = (text: string): RegExp => new RegExp(text, 'iu')

/** Languages, by their tag, in which the sentences below are recognized. */
const LANGUAGES = new Set(['', 'en', 'de', 'fr', 'es', 'it', 'pt', 'nl'])

/** True if sentences which report that nothing is known are recognized in a language. True if the language is not known. */
export const knowsIgnorance = (language: string): boolean => LANGUAGES.has(language.slice(0, 2).toLowerCase())

/** Returns patterns for sentences which report that nothing is known or was found of a business. */
const patterns = (): RegExp[] => [
  pattern(
    `(?:could ?n[o']?t|can(?:no|')t|did ?n[o']?t|(?:was|were|am) ?n[o']?t able to|unable to|failed to|have ?n[o']?t been able to)\\s+(?:\\w+\\s+){0,3}?(?:find|found|locate|verify|confirm|identify|access|retrieve|provide)\\b${PRAISE}`,
  ),
  pattern(
    `(?:\\b(?:no\\b|not any|lacks?)|n't (?:\\w+ )?(?:any|enough|much)|\\bnot have|n't have)\\s*(?:[\\w-]+\\s+){0,3}?(?:${ABOUT})\\b.{0,40}\\b(?:about|on|for|of|regarding|named|called)\\b`,
  ),
  pattern(
    `(?:\\b(?:not(?! many| every| all)|never)|n't) (?:\\w+ ){0,2}?(?:familiar with|aware of|heard of|know (?:of|about)|come across|recogni[sz]e)\\b${PRAISE}`,
  ),
  pattern(`\\bI do(?: not|n't) (?:\\w+ )?know\\b(?!.{0,30}\\b(?:who|why|how|if|what|where|whether)\\b)${PRAISE}`),
  pattern(
    `\\b(?:${SOURCES})(?: (?:I|we|you) (?:have )?\\w+| \\w+ed| above| here)? (?:do|does|did)(?: not|n't) (?:\\w+ )?(?:${SAY})\\b|\\bnone of (?:the|my|these) .{0,30}(?:${SAY})`,
  ),
  pattern(
    `(?:\\b(?:not|never)|n't) (?:\\w+ ){0,2}?(?:appear|listed|mentioned|found|included) (?:in|among) (?:\\w+ ){0,4}?(?:${SOURCES}|I reviewed)\\b`,
  ),
  pattern(
    `\\b(?:returned|yielded|produced|found) (?:no|nothing|zero)\\b|\\bnothing (?:came|comes|turned) up|\\bthere (?:is|are) (?:only |very )?(?:limited|little) (?:\\w+ )?(?:${ABOUT})\\b|\\bmy knowledge of .{0,40}\\bis (?:\\w+ )?limited`,
  ),
  pattern(
    `\\b(?:unknown|not (?:\\w+ )?(?:known|familiar)) to me|\\bno (?:\\w+ )?(?:company|business|brand|firm|shop|product) (?:called|named)\\b|^if you (?:can|could|have|meant)`,
  ),
  pattern(
    `\\bis(?: not|n't) an? (?:\\w+ )?(?:company|brand|name|business|product) (?:that )?I(?:'\\w+)? (?:\\w+ )?(?:know|recogni[sz]e|familiar)|n't something (?:that )?I (?:have|know)\\b`,
  ),
  pattern(
    `\\b(?:keine?n?r?|nicht)\\b.{0,60}\\b(?:informationen|angaben|details|daten|hinweise|ergebnisse)\\b|\\b(?:kann|konnte|habe)\\b${BETTER}.{0,60}\\b(?:nicht|nichts|keine?n?)\\b.{0,60}\\b(?:finden|gefunden)`,
  ),
  pattern(
    `\\b(?:mir|ich)\\b.{0,60}\\b(?:nicht|nichts|keine?n?|nie)\\b(?! nur).{0,40}\\b(?:bekannt|gehört)\\b|\\bkenne .{0,40} nicht|\\bnicht (?:erwähnt|aufgeführt)`,
  ),
  pattern(
    `\\b(?:aucune?|pas d[e']) ?(?:informations?|donnée|détails?|résultats?|mention|trace)|\\bje n'ai (?:rien|pas).{0,30}trouv${BETTER}`,
  ),
  pattern(
    `\\bne (?:re)?connais (?:pas|aucune?)${BETTER}|jamais entendu parler d${BETTER}|\\bne figure pas|\\bm'est (?:pas connu|inconnu)`,
  ),
  pattern(
    `\\bno (?:pude|puedo|he podido|he encontrado|encontr\\p{L}*|tengo|hay)${BETTER}.{0,50}\\b(?:informaci[oó]n|datos|resultados|encontrar|nada)`,
  ),
  pattern(
    `\\bno conozco${BETTER}|nunca (?:he )?o[íi](?:do)? hablar de${BETTER}|\\bno aparece\\b.{0,40}(?:resultados|fuentes)`,
  ),
  pattern(
    `\\bnon (?:ho|sono|riesco|ci sono)${BETTER}.{0,50}(?:trovat|trovare|informazioni|dati|risultati)|\\bnessun[ao]? (?:informazion|risultat)`,
  ),
  pattern(
    `\\bnon conosco${BETTER}|mai sentito parlare di${BETTER}|\\bnon so (?:nulla|niente) (?:di|su)|\\bnon mi è not[ao]`,
  ),
  pattern(`\\bn[ãa]o (?:consegui|encontrei|tenho|h[áa])${BETTER}.{0,50}(?:encontr|informaç|dados|resultados|nada)`),
  pattern(
    `\\b(?:desconheço|não conheço)${BETTER}|nunca ouvi falar d${BETTER}|\\bn[ãa]o aparece\\b.{0,40}(?:resultados|fontes)`,
  ),
  pattern(
    `\\b(?:geen|niets?)\\b.{0,50}\\b(?:informatie|gegevens|resultaten|vinden|gevonden|bekend)\\b${BETTER}|\\bken .{0,40} niet\\b|nooit van .{1,40} gehoord${BETTER}`,
  ),
]

/** Longest question that the sentence after it answers. */
const MAX_QUESTION = 100

/** Returns a text without the sentences which report that nothing is known or was found. */
export const withoutIgnorance = (text: string): string => {
  const ignorance = patterns()
  const known: string[] = []
  for (const { start, end } of sentencesOf(text)) {
    const sentence = text.slice(start, end)
    const said = sentence.replace(/[’‘]/g, "'").slice(0, 2_000)
    const isUnknown = ignorance.some((one) => one.test(said.trimStart()))
    // "Acme? I have no data on that company."
    if (isUnknown && (known.at(-1)?.length ?? 0) <= MAX_QUESTION && /[?？]\s*$/.test(known.at(-1) ?? '')) known.pop()
    known.push(isUnknown ? '\n\n' : sentence)
  }
  return known.join('')
}

import { getDomain, getDomainWithoutSuffix, parse } from 'tldts'
import type { Citation } from '../../../schema/values/visibility.ts'
import { urlsIn, withoutLinks } from '../../platform/lib/links.ts'
import { withoutLegalForm } from '../../platform/lib/names/endings.ts'
import { hasUmlauts, type Letters, lettersOf } from '../../platform/lib/names/letters.ts'
import { type Name, nameOfLabel, namesOf, type Span, spansOf } from '../../platform/lib/names/names.ts'
import { sentencesOf } from '../../platform/lib/sentences.ts'
import { clip, storableText } from '../../platform/lib/text.ts'
import { withoutThoughts } from '../../platform/lib/thoughts.ts'
import { isOfSite, isReservedHost, pageKey, withoutTrackers } from '../../platform/lib/urls.ts'
import type { Judged, Looked, Said, ToMatch } from './port.ts'

/** Words for things that can be found or known about a business. */
const ABOUT =
  'information|info|details?|data|results?|mentions?|records?|references?|evidence|anything|listing|knowledge|sources?|reviews?'

const SOURCES = 'sources?|results?|data|documents?|articles?|context|search|searches'
const SAY = 'mention|contain|cover|reference|list|include|cite|name|return|discuss'

/** Patterns for sentences which report that a business is not in the sources of an answer, or that its author does not know it. */
const NOT_IN_SOURCES = () => [
  new RegExp(
    `\\b(?:${SOURCES})(?: (?:that )?(?:I|we|you)(?: have)? \\w+| \\w+ed| above| below| here)? (?:do|does|did)(?: not|n't) (?:\\w+ )?(?:${SAY})\\b`,
    'iu',
  ),
  new RegExp(`\\b(?:none of (?:the|my|these|those)|no) (?:\\w+ )?(?:${SOURCES}) (?:\\w+ )?(?:${SAY})`, 'iu'),
  new RegExp(
    `(?:\\b(?:not|never)|n't) (?:\\w+ ){0,2}?(?:appear|show up|come up|listed|mentioned|found|included|featured|covered) (?:in|among|by) (?:\\w+ ){0,4}?(?:${SOURCES}|I (?:found|have|know|reviewed))\\b`,
    'iu',
  ),
  /\b(?:my|our) knowledge (?:of|about|on) .{0,40}\bis (?:\w+ )?(?:limited|incomplete)|\b(?:not|never|n't) (?:\w+ )?come across\b(?!.{0,20}\bbetter)|\bnothing (?:came|comes|turned|showed) up|\b(?:returned|yielded|produced) (?:no|zero) (?:\w+ )?(?:results|matches|hits)|\bunclear (?:if|whether)\b.{0,40}\b(?:exist|real)/iu,
  /\bI can(?:no|')t (?:\w+ )?(?:say|tell you|share) (?:anything|much)\b(?!.{0,12}\b(?:bad|negative|but))|(?:\bnot|n't) an? (?:\w+ )?(?:company|brand|name|business|firm|product|shop|tool|service) (?:that |which )?(?:I|we)(?:'\w+)? (?:\w+ )?(?:know|recogni[sz]e|familiar|aware)/iu,
  /\b(?:ich|mir|uns|wir)\b.{0,30}\bnichts (?!\p{L}*es )(?:\p{L}+ ){0,2}(?:bekannt|gefunden|finden)|\bsagt mir nichts|\b(?:quellen|ergebnissen|treffern|suche|daten)\b.{0,40}\bnicht (?:erwähnt|genannt|aufgeführt|vor\b|auf\b)|\bnicht (?:in|unter) (?:\p{L}+ ){0,2}(?:quellen|ergebnissen|treffern)/iu,
  /\b(?:ne (?:figure|ressort)|n['’]?(?:e )?appara[iî]t|n['’]est) pas .{0,30}(?:sources|résultats|recherche)|\bm['’]est (?:pas connu|inconnu)|\bje ne sais rien (?:de|sur)/iu,
  /\bno (?:aparece|figura|se menciona|me? ?consta)\b.{0,40}(?:resultados|fuentes|búsqueda|datos|empresa)|\bno s[eé] nada (?:de|sobre)/iu,
  /\bnon (?:compare|appare|figura|(?:è|viene) (?:menzionat|citat)\p{L})\b.{0,40}(?:risultati|fonti|ricerca)|\bnon so (?:nulla|niente) (?:di|su)/iu,
  /\bn[ãa]o (?:aparece|consta|figura|é mencionad\p{L})\b.{0,40}(?:resultados|fontes|busca|pesquisa)|\bn[ãa]o sei nada (?:sobre|d[aeo])/iu,
  /\bniets (?:over|van) .{0,40}(?:gevonden|vinden|bekend)|\bweet niets (?:over|van)|\bniet (?:voor |genoemd |vermeld )?in .{0,20}(?:resultaten|bronnen)/iu,
  /\bnic nie wiem o|\bnie (?:pojawia się|występuje|jest wymienion\p{L}).{0,40}(?:wynik|źród)/iu,
  /ничего не (?:знаю|наш[её]л|нашла|известно)|нічого не (?:знаю|знайш)|не (?:упоминается|встречается|фигурирует|згадується).{0,40}(?:источник|результат|поиск|джерел)/iu,
  /(?:nämns|förekommer|nævnes|nevnes|finns|findes|finnes) (?:inte|ikke) .{0,30}(?:källor|resultat|kilder)|\b(?:vet|ved) (?:ingenting|inget|intet) om/iu,
  /(?:出典|情報源|検索結果).{0,30}(?:含まれて|記載されて|登場し|出て)(?:い?ません)|何も(?:知り|分かり|わかり)ません|(?:来源|來源|搜索结果|搜尋結果|资料).{0,20}(?:未|没有|沒有)(?:提到|提及|包含)|(?:출처|검색 결과).{0,30}(?:언급되지|나오지|포함되지) 않/u,
]

const BETTER =
  '(?!.{0,30}(?:probl|better|besser|mieux|meilleur|mejor|melhor|migli|beter|bättre|bedre|parem|lep|jobb|mai bun))'

/** Patterns for "I have never heard of X" in each language. */
const NEVER_HEARD = () => [
  new RegExp(
    `(?:jamais entendu parler d|nunca (?:he |había )?o[íi](?:do)? hablar de|mai sentito (?:parlare di|nominare)|nunca ouvi falar d|nooit (?:eerder )?van .{1,40} gehoord|aldrig (?:hört (?:talas )?om|hørt om)|aldri hørt om|koskaan kuullut|nigdy nie słysza|nikdy ne(?:slyše|poču)|(?:nikada|nikad) nis(?:am|em) čul?|никога не съм чувал|hiç duymad|sosem hallottam|n['’]?-?am auzit niciodată de|belum pernah men?dengar|tidak pernah mendengar|ch[ưu]a (?:từng|bao giờ) nghe)${BETTER}`,
    'iu',
  ),
  /(?:聞いた|耳にした)ことが(?:ありません|ない)|(?:从未|从来没|从没|從未|從沒)(?:有)?(?:听说|聽說|听过|聽過)|들어 ?본 적이? ?없|لم أسمع .{0,15}عن|לא שמעתי .{0,10}על|कभी नहीं सुना|ไม่เคยได้ยิน/u,
]

/**
 * Returns patterns for sentences which report that nothing is known about a business.
 *
 * A word like `better` turns such a sentence into praise.
 */
const IGNORANCE = () => [
  /(?:could ?n[o']?t|cannot|can ?n[o']?t|can't|did ?n[o']?t|was ?n[o']?t able to|were ?n[o']?t able to|am ?n[o']?t able to|unable to|not able to|failed to|have ?n[o']?t been able to)\s+(?:\w+\s+){0,3}?(?:find|found|locate|verify|confirm|identify|access|retrieve|provide|give|offer|see)\b(?!\s+(?:a|an|any|anything|anyone|something)?\s*(?:better|cheaper|finer|nicer|more|other|faster))(?!.{0,30}\b(?:fees?|costs?|faults?|flaws?|issues?|problems?|complaints?|downsides?|drawbacks?)\b)/iu,
  new RegExp(
    `(?:\\b(?:no\\b|not any|without any|lack(?:s|ing)?(?: any)?)|n't (?:\\w+ )?(?:any|enough|much)|\\bnot have (?:any|enough|much)?)\\s*(?:[\\w-]+\\s+){0,3}?(?:${ABOUT})\\b.{0,40}\\b(?:about|on|for|of|regarding|concerning|named|called|related)\\b`,
    'iu',
  ),
  /(?:\b(?:not(?! many| every| all)|never)|n't) (?:\w+ ){0,2}?(?:familiar with|aware of|heard of(?!.{0,20}\bbetter)|know (?:of|about|anything)|find any(?!.{0,30}\b(?:fees?|costs?|faults?|flaws?|issues?|problems?|complaints?|downsides?|drawbacks?)\b))\b|\bcould not be (?:found|verified)|\bunfamiliar with|^if you (?:can|could|have|tell|share|provide|give|meant)|^(?:can|could) you (?:tell|share|provide|give|clarify)/iu,
  /\b(?:keine?n?r?|nicht)\b.{0,60}\b(?:informationen|angaben|details|daten|hinweise|ergebnisse|einträge)\b.{0,30}\b(?:über|zu|von|für)\b|\b(?:konnte|kann|habe|haben|konnten)\b.{0,80}\b(?:nicht|keine?n?)\b.{0,60}\b(?:finden|gefunden|ermitteln|bestätigen)|\b(?:nicht bekannt|kenne .{0,40} nicht|nie gehört)/iu,
  /\b(?:aucune?|pas d[e'’])\s?(?:informations?|donnée|détails?|résultats?|mention|renseignements?|trace)|(?:n['’]ai|n['’]avons|ne) .{0,30}(?:pas|rien|aucune?).{0,30}(?:trouv|connais|connaiss)/iu,
  /\bno (?:pude|puedo|he podido|encontr\p{L}*|tengo|dispongo|hay|conozco|existe)\b(?!.{0,20}\b(?:mejor|nada como)).{0,50}\b(?:informaci[oó]n|datos|detalles|resultados|encontrar|nada|referencias|sobre|de esa)/iu,
  /\bnon (?:ho|sono|riesco|posso|conosco|ci sono|abbiamo|dispongo)\b(?!.{0,20}\b(?:meglio|miglior)).{0,50}(?:trovat|trovare|informazioni|dati|dettagli|risultati|nulla|conosco)/iu,
  /\bn[ãa]o (?:consegui|encontrei|tenho|h[áa]|foi poss[íi]vel|conheço|existem?|disponho)\b(?!.{0,20}\bmelhor).{0,50}(?:encontr|informaç|dados|detalhes|resultados|nada|sobre)/iu,
  /\b(?:geen|niet)\b.{0,50}\b(?:informatie|gegevens|resultaten|vinden|gevonden|bekend)\b|\bken .{0,40} niet\b/iu,
  /\b(?:inte|ingen|inga|ikke|ingen|intet)\b.{0,50}(?:information|informasjon|oplysninger|opplysninger|uppgifter|hitta|finne|funnet|finde|fundet|kjent|bekant|kender)/iu,
  /(?:\bnie\b.{0,50}(?:znalaz|znaleź|informacji|danych|znam))|brak (?:informacji|danych)/iu,
  /\bne(?:našel|našla|podařilo|mám|znám|můžu|mohu|máme)\b.{0,50}(?:informac|najít|údaj|žádn)?|žádné informace/iu,
  /не (?:удалось|смог|смогла|нашел|нашёл|нашла|найден|найдено|могу найти|знаком|располагаю|вдалося|знайш|знайдено|маю|можу знайти).{0,60}|нет (?:никакой )?(?:информации|данных|сведений)|немає (?:жодної )?(?:інформації|даних)|у меня нет/iu,
  /(?:bilgi|sonuç|kayıt|veri)\p{L}*.{0,40}(?:bulamad|bulunamad|bulunmuyor|yok|sahip değil)|bulamadım/iu,
  /(?:情報|詳細|データ|結果).{0,15}(?:見つかりません|見つけられません|ありません|確認できません)|見つかりませんでした|存じません/u,
  /(?:没有|沒有|未能|无法|無法|找不到|未).{0,8}(?:找到|查到|信息|資訊|资料|資料|相关|相關|确认|確認)|找不到/u,
  /(?:정보|결과|자료|내용)\p{L}{0,2}.{0,12}(?:찾을 수 없|찾지 못|없습니다)|찾을 수 없/u,
  /(?:لم|لا) (?:أجد|أعثر|أتمكن|أستطع|توجد|يوجد|أملك|تتوفر|يمكنني).{0,50}|لیس لدي|ليس لدي/u,
  /לא (?:מצאתי|הצלחתי|נמצא|קיים|מכיר|ידוע).{0,40}|אין (?:לי )?מידע/u,
  /(?:اطلاعاتی|اطلاعات).{0,60}(?:پیدا نکردم|یافت نشد|ندارم|نیست)|پیدا نکردم/u,
  /(?:जानकारी|सूचना).{0,40}(?:नहीं|नही)|(?:তথ্য|ফলাফল|জানা).{0,40}(?:নেই|পাইনি|যায়নি|যায়নি)/u,
  /\bsearch(?:es)?\b.{0,60}\b(?:returned|yielded|gave|produced|turned up|brought up|found) (?:no|nothing|zero)\b|\b(?:seem|appear)s?\b.{0,40}\bdoes(?: not|n't) exist\b|\bdoes(?: not|n't) (?:seem|appear) to exist\b|\b(?:do|does)(?: not|n't) (?:appear|show up|come up) in (?:my|(?:the|any) (?:\w+ )?(?:results|sources|data))\b|\b(?:nothing|little) is known (?:about|of)\b|\bno (?:\w+ )?(?:company|business|brand|firm|shop|store|product|site|website|organi[sz]ation) (?:called|named|by the name|with (?:that|the|this) name)\b|\bI do(?: not|n't) (?:\w+ )?know\b(?!.{0,30}\b(?:better|cheaper|finer|nicer|who|why|how|if|what|where|whether)\b)/iu,
  /\b(?:ich|mir|uns)\b.{0,60}\bkeine?n? (?:\p{L}+ ){0,2}(?:informationen|angaben|details|daten|hinweise|ergebnisse|einträge)/iu,
  /\bno (?:he|hemos|se ha) (?:encontrado|hallado|podido|localizado)(?!.{0,20}\bmejor).{0,50}(?:informaci|datos|detalles|resultados|nada|referencias)|\bno (?:he|tinc|hi ha|trobo|conec|disposo|puc)(?!\p{L})(?!.{0,20}\bmillor).{0,50}(?:informaci|dades|resultats|conec)/iu,
  /\b(?:nessuna?|nenhuma?|ning[uú]na?|inga|ingen) (?:\p{L}+ )?(?:informa|risultat|dato|dat[oi]|resultad|resultat|notizi|träff|treff)|\bn[ãa]o (?:h[áa]|existem?)(?!\p{L})(?!.{0,20}\bmelhor).{0,20}(?:informaç|dados|resultados)|\bcap (?:informació|dada|resultat)|\bbrak (?:\p{L}+ )?wynik/iu,
  // Bulgarian, Croatian, Serbian, Slovenian, Czech and Slovak.
  /(?:няма(?:м|ме)?|нема(?:м|мо)?|не (?:намер|успя|откри|разполаг|могу)|нисам|није).{0,50}(?:информаци|данни|резултат|сведени|подат|подац|прона)/iu,
  /\b(?:nema(?:m|mo)?|nisam|nisem|nimam|nije|niso|ne (?:mogu|morem|najdem)|nenaš\p{L}*|nemám\p{L}*|nepodaril\p{L}*|neexistuj\p{L}*|nejsou|nie sú)(?!\p{L}).{0,60}(?:inform|podat|podac|rezultat|výsled|údaj|prona[šć])/iu,
  // Estonian, Lithuanian and Latvian.
  /\b(?:(?:ei (?:leid|ole|tea)|puudu|nerad|neturiu|nėra|neatrad)\p{L}*|nav(?!\p{L})).{0,50}(?:\binfo|teave|andme|tulemus|duomen|rezult|\bdat[iu])|(?:info|teave|andme|tulemus)\p{L}*.{0,40}\bei leitud/iu,
  // "I do not know X", but not "I do not know anyone better".
  /\b(?:I|we) do(?: not|n[o']?t) (?:\w+ ){0,2}?have .{0,40}\b(?:information|data|details|knowledge)\b|\bis (?:\w+ )?(?:unknown|unfamiliar|not (?:\w+ )?(?:known|familiar)) to me|n[o']t something (?:that )?I (?:have|know|recogni[sz]e|can)\b|n[o']t (?:\w+ ){0,2}recogni[sz]e\b|\bthere (?:is|are) (?:only |very )?(?:limited|little) (?:\w+ )?(?:information|data|details)/iu,
  /\b(?:mir|uns) (?:ist|sind|liegen) (?:\p{L}+ )?(?:kein|unbekannt)|\bje ne (?:re)?connais (?:pas|aucune?)(?!.{0,12}(?:mieux|meilleur))|\bno (?:re)?conozco(?!.{0,15}(?:mejor|más))|\bnon (?:conosco|mi è not[ao])(?!.{0,20}(?:meglio|miglior))|\b(?:desconheço|não conheço)(?!.{0,20}melhor)|\bnu (?:cunosc|am auzit)(?!.{0,20}mai bun)/iu,
  /\b(?:känner|kjenner|kender) (?:\p{L}+ ){0,2}?(?:inte|ikke)(?!.{0,25}(?:bättre|bedre))|\ben (?:tunne|tiedä)(?!.{0,25}parem)|не (?:знаю|слышал\p{L}*|знайом\p{L}*|чу(?:в|ла)) (?!.{0,20}(?:лучш|кращ))|\bneznám|nevím, co|tanımıyorum|không biết (?:gì )?(?:về|đến)|tidak (?:mengetahui|mengenal|tahu|kenal)|nu știu nimic/iu,
  /存じ上げ|については?(?:知りません|分かりません|わかりません)|我(?:对.{0,20})?[不没](?:太)?(?:了解|清楚|知道|熟悉|认识|听说)|알지 못|모릅니다|모르겠습니다|ไม่รู้จัก|नहीं (?:जानता|जानती|पता)|لا أعرف|نمی.?شناسم/u,
  ...NEVER_HEARD(),
  /(?:δεν) (?:βρήκα|μπόρεσα|υπάρχουν|έχω|γνωρίζω)/iu,
  /tidak (?:dapat |bisa |ada |menemukan |memiliki |menjumpai ).{0,40}(?:informasi|maklumat|menemukan|data|tentang)/iu,
  /không (?:tìm thấy|có|thể tìm).{0,40}(?:thông tin|dữ liệu|về)|ไม่(?:พบ|มี)ข้อมูล/iu,
  ...NOT_IN_SOURCES(),
  /(?:\ben löytänyt|\bei löydy|\bei löytynyt|\bminulla ei ole).{0,60}|(?:nem (?:találtam|található|ismerem|áll rendelkezés)|nincs(?:enek)? (?:inform|adat)).{0,60}|nu am (?:găsit|gasit|informații).{0,40}/iu,
]

/** Longest question that the sentence after it answers. */
const MAX_QUESTION = 100

/** Returns a text without the sentences which report that nothing is known or was found. */
const withoutIgnorance = (text: string): string => {
  const patterns = IGNORANCE()
  const known: string[] = []
  for (const { start, end } of sentencesOf(text)) {
    const sentence = text.slice(start, end)
    const said = sentence.replace(/[’‘]/g, "'").slice(0, 2_000)
    const isUnknown = patterns.some((pattern) => pattern.test(said.trimStart()))
    // "Acme? I have no data on that company."
    if (isUnknown && (known.at(-1)?.length ?? 0) <= MAX_QUESTION && /[?？]\s*$/.test(known.at(-1) ?? '')) known.pop()
    known.push(isUnknown ? '\n\n' : sentence)
  }
  return known.join('')
}

/** Domains under which anyone can have a site (`github.io`) count as suffixes. */
const SUFFIXES = { allowPrivateDomains: true, detectSpecialUse: true } as const

const plainHost = (host: string): string =>
  host
    .toLowerCase()
    .replace(/^www\./, '')
    .replace(/\.$/, '')

/** Returns the registered domain of a host: `acme.co.uk` for `blog.acme.co.uk`. The host itself if there is none. */
const registrable = (host: string): string => getDomain(host, SUFFIXES) ?? plainHost(host)

/** Returns the label of a registered domain: `acme` for `blog.acme.co.uk`. */
const labelOf = (host: string): string => getDomainWithoutSuffix(host, SUFFIXES) ?? plainHost(host).split('.')[0] ?? ''

/** True if a word is a host on the internet, and not a name such as `Node.js`. */
const isHost = (text: string): boolean => {
  const { isIcann, isPrivate } = parse(text, SUFFIXES)
  return isIcann === true || isPrivate === true || isReservedHost(text)
}

/** A site as `siteKey` writes it. If it has a path, only that part of the host is the site. */
type Site = { key: string; host: string; domain: string }

const siteOf = (key: string): Site => {
  const host = plainHost(key.split('/')[0]?.replace(/:\d+$/, '') ?? '')
  return { key, host, domain: registrable(host) }
}

const hasPath = (site: Site): boolean => site.key.includes('/')

/** Returns the nearness of a page to a site: the length of the shared part, 1 for the same registered domain, 0 for none. */
const nearness = (url: URL, site: Site): number => {
  if (hasPath(site)) return isOfSite(pageKey(url), site.key) ? site.key.length : 0
  const host = plainHost(url.hostname)
  if (host === site.host || host.endsWith(`.${site.host}`)) return site.host.length
  return registrable(host) === site.domain ? 1 : 0
}

/** Business to look for, and the names that could be mistaken for its own. */
export type Brand = {
  site: Site
  language: string
  names: readonly Name[]
  /** Names that are hosts, such as `booking.com`. */
  hosts: readonly string[]
  competitors: readonly { site: Site; names: readonly Name[] }[]
}

const MAX_CITATIONS = 100
const MAX_URL = 2_000
const MAX_TITLE = 300

/**
 * Returns the business and its competitors in the form to look for.
 *
 * The label of the business's own domain counts as a name if it contains the whole name, or if there is no name. A shorter
 * label would often be an ordinary word.
 */
export const brandOf = (given: Looked): Brand => {
  const site = siteOf(given.siteKey)
  const names = [given.name, ...(given.aliases ?? [])].flatMap(namesOf)
  const labels = nameOfLabel(labelOf(site.host)).filter(
    (label) => names.length === 0 || names.some((name) => label.letters.includes(name.letters)),
  )
  const rivals = given.competitors.map(siteOf).filter((rival) => rival.host !== site.host)
  return {
    site,
    language: given.language ?? '',
    names: [...names, ...labels],
    hosts: [given.name, ...(given.aliases ?? [])].map((name) => withoutLegalForm(name).toLowerCase()).filter(isHost),
    competitors: rivals.map((rival) => ({ site: rival, names: nameOfLabel(labelOf(rival.host)) })),
  }
}

const whoseSite = (url: URL, brand: Brand): { site: Citation['site']; domain: string } => {
  const own = nearness(url, brand.site)
  const rivals = brand.competitors.map(({ site }) => ({ site, near: nearness(url, site) }))
  const rival = rivals.reduce((best, one) => (one.near > best.near ? one : best), { site: brand.site, near: 0 })
  if (own > 0 && own >= rival.near) return { site: 'own', domain: brand.site.domain }
  if (rival.near > 0) return { site: 'competitor', domain: rival.site.key }
  return { site: 'other', domain: registrable(url.hostname) }
}

const citationsOf = (given: Said['citations'], brand: Brand): Citation[] => {
  const found = new Map<string, Citation>()
  for (const { url: address, title } of given) {
    const url = URL.parse(address)
    if (!url || !/^https?:$/.test(url.protocol) || address.length > MAX_URL) continue
    const key = pageKey(url)
    if (found.has(key) || found.size >= MAX_CITATIONS) continue
    const plain = withoutTrackers(url).href
    found.set(key, { url: plain, title: clip(storableText(title.trim()), MAX_TITLE), ...whoseSite(url, brand) })
  }
  return [...found.values()]
}

const MAIL = /[^\s<>@]{1,64}@[^\s<>@]+/gu
const HOST = /(?<![\p{L}\p{N}@.-])(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]*[\p{L}\p{N}])?\.)+\p{L}{2,}(?![\p{L}\p{N}-])/gu

/** Returns a text without its addresses, whose words are no mentions, and the hosts among its words. */
const withoutHosts = (text: string): { text: string; hosts: string[] } => {
  const hosts: string[] = []
  const plain = withoutLinks(text, urlsIn(text), '\n')
    .replace(MAIL, '\n')
    .replace(HOST, (host) => {
      if (!isHost(host.toLowerCase())) return host
      hosts.push(host.toLowerCase())
      return '\n'
    })
  return { text: plain, hosts }
}

const spansIn = (names: readonly Name[], letters: Letters, language: string): Span[] =>
  names.flatMap((name) => spansOf(name, letters, { language }))

/** Returns, for each letter of a text, the length of the longest name that covers it. */
const lengthsOver = (spans: readonly Span[], letters: number): Uint16Array => {
  const lengths = new Uint16Array(letters)
  for (const { start, end } of spans)
    for (let at = start; at < end; at += 1) lengths[at] = Math.max(lengths[at] ?? 0, end - start)
  return lengths
}

/** True if a text names the business. Letters that a longer name of a competitor covers do not count. */
const isNamedIn = (letters: Letters, { names, competitors, language }: Brand): boolean => {
  const own = spansIn(names, letters, language)
  if (own.length === 0) return false
  const rivals = competitors.flatMap((rival) => spansIn(rival.names, letters, language))
  const taken = lengthsOver(rivals, letters.text.length)
  return own.some(({ start, end }) => (taken[start] ?? 0) <= end - start && (taken[end - 1] ?? 0) <= end - start)
}

/** True if a text has a host of the business, or names it in a sentence that reports some knowledge. */
const isMentioned = (said: string, brand: Brand): boolean => {
  const { text, hosts } = withoutHosts(said)
  if (hosts.some((host) => brand.hosts.includes(host) || whoseSite(new URL(`https://${host}/`), brand).site === 'own'))
    return true
  const known = withoutIgnorance(text)
  const readings = [lettersOf(known), ...(hasUmlauts(known) ? [lettersOf(known, true)] : [])]
  return readings.some((letters) => isNamedIn(letters, brand))
}

/**
 * Returns the verdict of an answer on the business.
 *
 * It is cited if a page of its site is, mentioned if its name or address is in the text, and else not cited.
 */
export const judge = (said: Said, brand: Brand): Judged => {
  const citations = citationsOf(said.citations, brand)
  if (citations.some(({ site }) => site === 'own')) return { verdict: 'cited', citations }
  return { verdict: isMentioned(said.text, brand) ? 'mentioned' : 'not_cited', citations }
}

/** Returns the verdict of an answer on its business. Addresses in the text count as citations too. */
export const judgeSaid = ({ said, of }: ToMatch): Judged => {
  // A model may name a business in its thoughts only, which its readers do not see.
  const { text } = withoutThoughts(said.text)
  const links = urlsIn(text).map(({ uri }) => ({ url: uri, title: '' }))
  return judge({ text, citations: [...said.citations, ...links] }, brandOf(of))
}

import { sentencesOf } from '../../../platform/lib/sentences.ts'

/** Words for what is looked for, or known, of somebody. */
const ABOUT =
  'information|info|details?|data|results?|mentions?|records?|references?|evidence|anything|listing|knowledge|sources?|reviews?'

/** Sentences that say that nothing is known of somebody, by language. `better` and the like make praise of them. */
const IGNORANCE = () => [
  /(?:could ?n[o']?t|cannot|can ?n[o']?t|can't|did ?n[o']?t|was ?n[o']?t able to|were ?n[o']?t able to|am ?n[o']?t able to|unable to|not able to|failed to|have ?n[o']?t been able to)\s+(?:\w+\s+){0,3}?(?:find|found|locate|verify|confirm|identify|access|retrieve|provide|give|offer|see)\b(?!\s+(?:a|an|any|anything|anyone|something)?\s*(?:better|cheaper|finer|nicer|more|other|faster))/iu,
  new RegExp(
    `\\b(?:no|not any|without any|lack(?:s|ing)?(?: any)?|n't (?:\\w+ )?(?:any|enough|much)|not have (?:any|enough|much)?)\\s*(?:[\\w-]+\\s+){0,3}?(?:${ABOUT})\\b.{0,40}\\b(?:about|on|for|of|regarding|concerning|named|called|related)\\b`,
    'iu',
  ),
  /\b(?:not|n't|never) (?:\w+ ){0,2}?(?:familiar with|aware of|heard of|know (?:of|about|anything)|find any)\b|\bcould not be (?:found|verified)|\bunfamiliar with|^if you (?:can|could|have|tell|share|provide|give|meant)|^(?:can|could) you (?:tell|share|provide|give|clarify)/iu,
  /\b(?:keine?n?r?|nicht)\b.{0,60}\b(?:informationen|angaben|details|daten|hinweise|ergebnisse|einträge)\b.{0,30}\b(?:über|zu|von|für)\b|\b(?:konnte|kann|habe|haben|konnten)\b.{0,80}\b(?:nicht|keine?n?)\b.{0,60}\b(?:finden|gefunden|ermitteln|bestätigen)|\b(?:nicht bekannt|kenne .{0,40} nicht|nie gehört)/iu,
  /\b(?:aucune?|pas d[e'’])\s?(?:informations?|donnée|détails?|résultats?|mention|renseignements?|trace)|(?:n['’]ai|n['’]avons|ne) .{0,30}(?:pas|rien|aucune?).{0,30}(?:trouv|connais|connaiss)/iu,
  /\bno (?:pude|puedo|he podido|encontr\p{L}*|tengo|dispongo|hay|conozco|existe)\b.{0,50}\b(?:informaci[oó]n|datos|detalles|resultados|encontrar|nada|referencias|sobre|de esa)/iu,
  /\bnon (?:ho|sono|riesco|posso|conosco|ci sono|abbiamo|dispongo)\b.{0,50}(?:trovat|trovare|informazioni|dati|dettagli|risultati|nulla|conosco)/iu,
  /\bn[ãa]o (?:consegui|encontrei|tenho|h[áa]|foi poss[íi]vel|conheço|existem?|disponho)\b.{0,50}(?:encontr|informaç|dados|detalhes|resultados|nada|sobre)/iu,
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
  /(?:जानकारी|सूचना).{0,40}(?:नहीं|नही)|নেই|পাইনি/u,
  /(?:δεν) (?:βρήκα|μπόρεσα|υπάρχουν|έχω|γνωρίζω)/iu,
  /tidak (?:dapat |bisa |ada |menemukan |memiliki |menjumpai ).{0,40}(?:informasi|maklumat|menemukan|data|tentang)/iu,
  /không (?:tìm thấy|có|thể tìm).{0,40}(?:thông tin|dữ liệu|về)|ไม่(?:พบ|มี)ข้อมูล/iu,
  /(?:\ben löytänyt|\bei löydy|\bei löytynyt|\bminulla ei ole).{0,60}|nem (?:találtam|található|ismerem|áll rendelkezés).{0,60}|nu am (?:găsit|gasit|informații).{0,40}/iu,
]

/** Returns a text without the sentences that say that nothing is known or was found. */
export const withoutIgnorance = (text: string): string => {
  const patterns = IGNORANCE()
  let known = ''
  for (const { start, end } of sentencesOf(text)) {
    const sentence = text.slice(start, end)
    const said = sentence.replace(/[’‘]/g, "'").slice(0, 2_000)
    known += patterns.some((pattern) => pattern.test(said.trimStart())) ? '\n\n' : sentence
  }
  return known
}

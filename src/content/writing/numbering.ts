/** Words before a number that only counts parts of a text or of a procedure, a row for each language. */
const BEFORE = [
  'steps?|parts?|chapters?|phases?|stages?|sections?|tips?|rules?|options?|questions?|lessons?|methods?|figures?|fig\\.|tables?|examples?|exercises?|no\\.',
  'schritte?n?|teile?n?|kapiteln?|phasen?|stufen?|abschnitte?n?|tipps?|regeln?|möglichkeit|option(?:en)?|fragen?|lektion|abbildung|abb\\.|tabellen?|beispiele?|nr\\.',
  'étapes?|parties?|chapitres?|phases?|conseils?|règles?|astuces?|leçons?|méthodes?|exemples?|tableaux?|n°',
  'pasos?|partes?|capítulos?|fases?|etapas?|consejos?|reglas?|lección|métodos?|ejemplos?|tablas?|figuras?',
  'passos?|dicas?|regras?|lição|exemplos?|tabelas?|passi|passo|passaggio?|parte|parti|capitol[oi]|fas[ei]|consiglio?|regol[ae]|esempio?',
  'stap(?:pen)?|deel|delen|hoofdstuk|fase[ns]?|regels?|voorbeeld(?:en)?|steg|del|kapitel|fas|trin|trinn|kapittel|vaihe|osa|luku|vihje',
  'krok|część|rozdział|etap|wskazówka|zasada|část|kapitola|pravidlo|tip|časť|korak|dio|poglavlje|pravilo|del|poglavje|стъпка|част|глава|корак|део|поглавље',
  'шаг|этап|часть|глава|правило|совет|крок|етап|частина|розділ|порада|βήμα|μέρος|κεφάλαιο|lépés|rész|fejezet|tipp|pasul|pas|partea|capitolul|regula|samm|osa|peatükk|solis|daļa|nodaļa|žingsnis|dalis|skyrius',
  'adım|bölüm|aşama|kural|langkah|bagian|bahagian|bab|tahap|bước|phần|chương|pas|part|capítol|الخطوة|خطوة|المرحلة|الجزء|الفصل|مرحله|گام|بخش|فصل|שלב|צעד|חלק|פרק|चरण|भाग|अध्याय|কদম|ধাপ|অংশ|অধ্যায়',
].join('|')
/** Words behind such a number: `2. Schritt`, `3. lépés`. */
const BEHIND =
  'schritt|teil|kapitel|phase|stufe|lépés|rész|fejezet|adım|bölüm|aşama|korak|dio|poglavlje|del|krok|část|kapitola|vaihe|osa|luku|samm|peatükk|solis|daļa|nodaļa|žingsnis|dalis|skyrius'

/** Numbers before the last one of a list or range: `steps 1, 2 and 3`. */
const OTHERS = '(?:\\d{1,2}\\s?(?:[,&–-]|\\p{L}{1,4}(?!\\p{L}))\\s?){0,6}'
const LARGEST = 20

let compiled: { before: RegExp; behind: RegExp } | undefined

/** Returns the patterns, which are created on use. */
const patterns = () => {
  compiled ??= {
    before: new RegExp(`(?<![\\p{L}\\p{M}])(?:${BEFORE})[\\s\\u00a0:]{0,2}${OTHERS}$`, 'iu'),
    behind: new RegExp(`^(?:\\.|-?\\p{L}{0,2})?\\s(?:${BEHIND})(?![\\p{L}\\p{M}])`, 'iu'),
  }
  return compiled
}

/** True if a number in a text only counts parts of it, such as `Step 1`. Such a number states nothing. */
export const isNumbering = (
  text: string,
  { start, end, value }: { start: number; end: number; value: string },
): boolean => {
  if (!/^\d{1,2}$/.test(value) || Number(value) > LARGEST) return false
  const { before, behind } = patterns()
  return before.test(text.slice(Math.max(0, start - 60), start)) || behind.test(text.slice(end, end + 24))
}

/** Words that end with a full stop inside a sentence, lower-case, of the languages a project can be set to. */
const ABBREVIATIONS = new Set(
  // English
  (
    'e.g i.e etc vs cf ca approx incl no nr fig figs vol pp mr mrs ms dr prof sr jr st inc ltd co corp est min max dept a.m p.m u.s u.k ' +
    'ph.d gen col capt sgt rev hon gov sen rep mt ft oz lb lbs ave blvd rd al bros jan feb mar apr jun jul aug sep sept oct nov dec ' +
    // German
    'z.b d.h u.a usw bzw evtl ggf inkl exkl zzgl mio mrd str abs bspw vgl z.t u.u s.o s.u i.d.r u.ä o.ä sog ggü mind hrsg dipl ing geb jh tel hr fr okt dez ' +
    // French
    'p.ex par.ex env mme mlle mm mgr ste av bd chap éd tél janv févr avr juil déc ' +
    // Spanish, Catalan, Portuguese
    'p.ej sra srta sres dra ud uds vd vds dña profa avda núm nº pág págs ee.uu a.c d.c aprox gral lic arq cía máx mín pàg màx sta ctra séc exa exmo ltda eng ' +
    // Italian
    'sig sigg sig.ra dott dott.ssa prof.ssa avv arch geom ecc es p.es pag pagg cfr s.p.a s.r.l ' +
    // Dutch
    'bijv bv o.a d.w.z enz blz resp i.p.v m.b.t t.o.v n.a.v a.u.b dhr mevr mw drs ir jl excl evt m.a.w ' +
    // Danish, Norwegian, Swedish
    'bl.a f.eks dvs d.v.s osv o.s.v mv m.v m.m m.fl kr kl tlf ekskl p.g.a jf jfr mht vedr kap mia o.l f.kr e.kr adm stk maks t.ex m.a.o s.k fr.o.m t.o.m ' +
    // Finnish, Estonian, Hungarian
    'esim ks ym yms jne ts nk ns milj klo puh hlö vrt tms kpl nro nt jt vt lk mnt pst pl stb ún kb id ifj ill vö krt sz ker db kft zrt febr márc ápr máj jún júl szept ' +
    // Polish, Czech, Slovak
    'np itd itp tzn tzw m.in ul godz wg mgr inż św zob tj tys mln mld zł napr např tzv atd atp apod popř příp príp cca č čl odst nám mudr judr phdr sv obr tab kč tis hod spol a.s s.r.o ' +
    // Slovenian, Croatian, Serbian
    'npr itn ipd sl br god gđa gosp mlrd t.i oz n.e pr.n.e др проф бр нпр итд тзв тј год ул стр ' +
    // Romanian, Latvian, Lithuanian
    'dl dna ș.a ş.a ș.a.m.d ş.a.m.d d.hr î.hr jud piem u.c utt u.tml t.s lpp tālr iel plkst tūkst pvz t.y t.t pan žr gat val mėn proc psl šv ' +
    // Turkish, Indonesian, Malay, Vietnamese
    'vb doç yrd sn cad sok mah bul yy m.ö m.s örn bkz a.ş dll dsb dst dkk tgl hlm jl jln bpk tn ny sdr rp s.d a.n tbk kec kab telp sdn bhd tp ths gs pgs bs v.v ' +
    // Russian, Ukrainian, Bulgarian
    'т.е т.д т.п т.к т.н пр напр г гг в вв н.э руб коп тыс млн млрд пл просп д кв с см рис табл гл акад доц им св тел т чел мин обл р ред изд тис грн вул буд бул ім рр ст див стор лв хил гр инж т.нар ' +
    // Greek
    'π.χ κ.λπ κ.ά κ.α κτλ κ.ο.κ δηλ βλ κ κα αρ τηλ σελ μ.χ μ.μ π.μ δρ καθ εκ χιλ λεωφ ' +
    // Arabic, Persian, Hindi, Bengali
    'د أ م ص ق.م ج डॉ श्री प्रो पं रु ई.पू कि.मी ডা ড মো খ্রি নং কি.মি'
  ).split(' '),
)

const END = /(?<![.!?…])[.!?…]+(?:["'”’“‘»«›‹)\]}*†‡¹²³⁰⁴-⁹]|\[\d{1,3}\])*(?=\s)|[。！？।॥؟۔։។።]+[」』”）"'’»]*|\n+/gu

/** True if the full stop at `end` belongs to the word before it: an abbreviation, an initial, a number that counts. */
const isInside = (text: string, start: number, end: number): boolean => {
  const before = text.slice(Math.max(start, end - 24), end)
  const word = /(?<![\p{L}\p{M}\p{N}.])([\p{L}\p{M}\p{N}.]+)$/u.exec(before)?.[1] ?? ''
  if (/^\d{1,2}$/.test(word)) return true
  if (/^\p{Lu}$/u.test(word)) return true
  return ABBREVIATIONS.has(word.toLowerCase())
}

/** A sentence's place in a text; `end` is behind the blanks that follow it. */
export type Span = { start: number; end: number }

/**
 * Cuts a text into sentences. Rather too long than too short: an abbreviation, an initial or a counting number ends none,
 * and neither does a full stop before a small letter.
 */
export const sentencesOf = (text: string): Span[] => {
  const spans: Span[] = []
  let start = 0
  for (const match of text.matchAll(END)) {
    const mark = match[0]
    const after = match.index + mark.length
    const next = /\S/.exec(text.slice(after, after + 50))?.[0] ?? ''
    if (/\p{Ll}/u.test(next) && mark.startsWith('.')) continue
    if (/^\.["'”’“‘»«›‹)\]}]*$/.test(mark) && isInside(text, start, match.index)) continue
    const blanks = /^\s*/.exec(text.slice(after, after + 200))?.[0].length ?? 0
    const end = after + blanks
    if (end <= start) continue
    spans.push({ start, end })
    start = end
  }
  if (text.slice(start).trim() !== '') spans.push({ start, end: text.length })
  return spans
}

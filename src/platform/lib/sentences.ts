/**
 * Abbreviations with a full stop inside a sentence, in lower case, of the languages a project can be set to.
 *
 * Without those that `INITIALS` matches, and without those that are everyday words of another language. One with a capital counts
 * only as it is written: `Fa.` is a firm, `fa` an Italian word.
 */
const ABBREVIATIONS = new Set(
  // English
  (
    'Sec Mon Tue Wed Thu Fri Sat etc vs cf ca approx incl no nr fig figs vol pp mr mrs ms dr prof sr jr st inc ltd co corp est min max dept ' +
    'ph.d gen col capt sgt rev hon gov sen rep mt ft oz lb lbs lt messrs ave blvd rd al bros jan feb mar apr jun jul aug sep sept oct nov dec ' +
    // German
    'Fa inh ehem bzgl gem insb jhd jhdt jg ugs urspr vorm nachm wg zzt zus abb anm aufl bde bes betr dgl ebd einschl entspr gegr gest hg jew lfd mwst nachf std vors chr med phil rer nat jur n.chr v.chr z.zt usw bzw evtl ggf inkl exkl zzgl mio mrd str abs bspw vgl sog ggü mind hrsg dipl ing geb jh tel hr fr okt dez ' +
    // French
    'hab ibid suiv suppl qqch qqn mlles mmes cie ets imm fbg obs inf coll p.ex par.ex env mme mlle mm mgr ste av bd chap éd tél janv févr avr juil déc ' +
    // Spanish, Catalan, Portuguese
    'srs sras drs pàgs telf avda pza plza apdo dpto edif entlo excmo excma exma fdo hno hnos ilmo ilma apto izda dcha ntra pral teléf sgte vto admón gob ej esq fasc mn mín pg urb vg gral febr abr ago fev mai pça fls cia p.ej sra srta sres dra ud uds vd vds dña profa núm nº pág págs ee.uu aprox lic arq cía máx pàg màx sta ctra séc exa exmo ltda eng ' +
    // Italian
    'egr gent.mo gent.ma spett ill.mo rag lett cit op.cit c.so p.za p.zza v.le l.go genn febbr magg sett ott dic sig sigg sig.ra dott dott.ssa prof.ssa avv arch geom ecc es p.es pag pagg cfr ' +
    // Dutch
    'fam vnl zgn dhr nl bijv bv enz blz resp mevr mw ir jl excl evt ' +
    // Danish, Norwegian, Swedish
    'alm hhv kbh mdr skt årh afd ev mill ifm iht vha spm utg årg avd kgl gnr bnr pkt forts mva univ siv gml innl ang enl förf förk kungl milj mkt ngn ngt o.dyl o.lign sid sthlm uppl bl.a f.eks dvs osv mv m.fl kr kl tlf ekskl jf jfr mht vedr kap mia f.kr e.kr adm stk maks t.ex fr.o.m ' +
    // Finnish, Estonian, Hungarian
    'aik alk ao em huom ilm jms ko krs nimim os pvm rva srk synt toim tri vas vpj yht dots saj snd tuh õp ld özv vki vmi évf fsz bt nyrt esim ks ym yms jne ts nk ns klo puh hlö vrt tms kpl nro nt jt vt lk mnt pst pl stb ún kb id ifj ill vö krt sz ker db kft zrt márc ápr máj jún júl szept ' +
    // Polish, Czech, Slovak
    'im płk bp lek dyr zał wyd red woj pow gm ust poz kpt ppor rys mies jw atď pozn písm ods rndr paeddr thdr bc csc porov srov vyd roč okr nar zom mil sek zv príl mj sb tř př pr.n.l př.n.l np itd itp tzn tzw m.in ul godz inż św zob tj tys mln mld zł napr např tzv atd atp apod popř příp príp cca čl odst nám mudr judr phdr sv obr tab kč tis hod spol ' +
    // Slovenian, Croatian, Serbian
    'št n.št pr.n.št odn pr.kr po.kr ср гђа мр дипл чл одн св хиљ мил тел npr itn ipd sl br god gđa gosp mlrd pr.n.e др проф бр нпр итд тзв тј год ул стр ' +
    // Romanian, Latvian, Lithuanian
    'alin pct asist acad sf conf lect mljrd sk apm aptuv kab raj nod kt apskr sav mst plg vnt liet angl habil akad dl dna d.hr î.hr jud piem utt u.tml lpp tālr iel plkst tūkst pvz pan žr gat val mėn proc psl šv ' +
    // Turkish, Indonesian, Malay, Vietnamese
    'müh mim öğr gör apt blv fak üniv bşk md şti san tic çev haz yay hz sdri yth tsb spt kpd thn bln kel prov jend kol kapt hj pn cik nxb kts pgs.ts gs.ts tx đt vb doç yrd sn cad sok mah bul yy örn bkz dll dsb dst dkk tgl hlm jln bpk tn ny sdr rp tbk kec telp sdn bhd tp ths gs pgs bs ' +
    // Russian, Ukrainian, Bulgarian
    'пер наб корп эт доб прим разд пп мес сут проч зам зав ген лейт канд техн шт долл ін пров смт сек хв вж срв бл вх ет ап пр.хр сл.хр ал общ т.зв т.ін пр напр гг вв руб коп тыс млн млрд пл просп кв см рис табл гл акад доц им чел мин обл ред изд тис грн вул буд бул ім рр ст див стор лв хил гр инж т.нар ' +
    // Greek
    'κλπ αι σσ τόμ τχ εκδ επιμ μτφρ πλ δισ εκατ χλμ κος κ.λπ κτλ δηλ βλ κα αρ τηλ σελ δρ καθ εκ χιλ λεωφ ' +
    // Arabic, Persian, Hindi, Bengali, Thai
    'هـ सं क्र मि स्व कु जि মি পৃ কোং অধ্যা ดร ผศ รศ นพ พญ กม กก ซม มม ชม โทร บจก หจก डॉ श्री प्रो पं रु ডা ড মো খ্রি নং'
  ).split(' '),
)

/** Characters that may follow a full stop within its sentence: closing marks, note marks, pictures, invisible characters. */
const CLOSING = '["\'‘“„*†‡§‖¶¹²³⁰⁴-⁹⁽⁾＂＇〞〟❜❞\\p{Pe}\\p{Pf}\\p{Pi}\\p{Cf}\\p{Mn}\\p{Extended_Pictographic}]'
const NOTE = '\\[[^[\\]\\s]{1,12}\\]|\\[note \\d{1,3}\\]|\\(\\d{1,3}\\)'
/** Number of a note, as plain text shows it after the last word of a sentence. */
const NUMBER = '(?<=\\p{L}{4}[.!?…])\\d{1,3}(?:,\\d{1,3})*'
const END = new RegExp(
  `(?<![.!?…])[.!?…]+(?:${CLOSING}|${NOTE}|${NUMBER})*(?=\\s)|(?<=\\p{Script=Greek}\\p{M}?)[;\u037e]+${CLOSING}*(?=\\s)|[。！？।॥؟۔։።፧။།༎។៕]+["'＂\\p{Pe}\\p{Pf}]*|\n+`,
  'gu',
)

/** One letter, or letters with full stops between them: an abbreviation in scripts with words of several letters. */
const INITIALS =
  /^(?:\p{Lu}|(?!я)[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Arabic}\p{Script=Thai}]|(?:\p{L}\p{M}*\.)+(?:\p{L}\p{M}*|\p{Ll}{2,4}))$/u
/** A short word after a letter with a full stop: `p. ex.`, `t. ex.`. */
const AFTER_INITIAL = /(?<![\p{L}\p{M}\p{N}])\p{Ll}\.[ \u00a0\u202f]\p{Ll}{1,4}$/u

/** True if the full stop at `end` belongs to the word before it: an abbreviation, an initial, an ordinal number. */
const isInside = (text: string, start: number, end: number): boolean => {
  const before = text.slice(Math.max(start, end - 24), end)
  const word = /(?<![\p{L}\p{M}\p{N}\p{Sc}./_=&#@])([\p{L}\p{M}\p{N}.]+)$/u.exec(before)?.[1] ?? ''
  if (/^\d{1,2}$/.test(word)) return true
  // `EE. UU.`, and German streets: `Hauptstr.`
  if (/^(\p{Lu})\1$|\p{L}str$/u.test(word)) return true
  if (INITIALS.test(word) || AFTER_INITIAL.test(before)) return true
  return ABBREVIATIONS.has(word) || ABBREVIATIONS.has(word.toLowerCase())
}

/** Position of a sentence in a text. `end` is after the blanks that follow it. */
export type Span = { start: number; end: number }

/**
 * Splits a text into sentences; in doubt it does not split.
 *
 * An abbreviation, an initial or an ordinal number ends no sentence, and neither does a full stop before a small letter.
 */
export const sentencesOf = (text: string): Span[] => {
  const spans: Span[] = []
  let start = 0
  for (const match of text.matchAll(END)) {
    const mark = match[0]
    const after = match.index + mark.length
    const following = text.slice(after, after + 50)
    const next = /\S/.exec(following)?.[0] ?? ''
    // Dots with blanks between them are one sign. After a quotation, the sentence continues.
    const goesOn = /^\s*[.…](?=\s|$)/.test(following) || (/\p{Ll}/u.test(next) && /^[.…;]|[^.!?…]$/u.test(mark))
    if (goesOn && !mark.startsWith('\n')) continue
    // 彼は「行く。」と言った。 The letter after the quotation belongs to the same sentence.
    if (/^[。！？].*[」』”’"]$/u.test(mark) && /^\p{L}/u.test(following)) continue
    if (/^\.[^.!?…\d¹²³⁰⁴-⁹*†‡§‖¶]*$/u.test(mark) && isInside(text, start, match.index)) continue
    const blanks = /^\s*/.exec(text.slice(after, after + 200))?.[0].length ?? 0
    const end = after + blanks
    if (end <= start) continue
    spans.push({ start, end })
    start = end
  }
  if (text.slice(start).trim() !== '') spans.push({ start, end: text.length })
  return spans
}

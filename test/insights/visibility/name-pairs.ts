/** Sentences that name X, and sentences that say that nothing is known of X, in 20 languages. */
const SENTENCES: Record<string, { named: [string, string]; unknown: [string, string] }> = {
  en: {
    named: ['For most gardens X is the best choice.', 'Many people trust X’s service.'],
    unknown: ['I could not find any information about X, sorry.', 'I’m not familiar with X.'],
  },
  de: {
    named: ['Für viele Gärten ist X die beste Wahl.', 'Viele Kunden empfehlen X, auch online.'],
    unknown: [
      'Ich konnte keine Informationen über X finden.',
      'Zu X liegen mir keine Angaben zu Preisen oder Daten zu Kunden vor, ich habe nichts gefunden und kann X nicht finden.',
    ],
  },
  fr: {
    named: ['Pour un jardin, X est un bon choix.', 'Les clients d’X sont contents.'],
    unknown: ['Je n’ai pas trouvé d’informations sur X.', 'Aucune information sur X n’est disponible.'],
  },
  es: {
    named: ['Para el jardín, X es una buena opción.', '¿Y X? También vale la pena.'],
    unknown: ['No pude encontrar información sobre X.', 'No tengo información sobre X.'],
  },
  it: {
    named: ['Per il giardino X è una buona scelta.', 'Tra i migliori c’è X.'],
    unknown: ['Non ho trovato informazioni su X.', 'Non sono riuscito a trovare dati su X.'],
  },
  pt: {
    named: ['Para o jardim, a X é uma boa escolha.', 'Entre as melhores está a X.'],
    unknown: ['Não encontrei informações sobre a X.', 'Não tenho dados sobre a X.'],
  },
  nl: {
    named: ['Voor de tuin is X een goede keuze.', 'Veel mensen kiezen X.'],
    unknown: ['Ik kon geen informatie over X vinden.', 'Over X is geen informatie bekend.'],
  },
  sv: {
    named: ['För trädgården är X ett bra val.', 'Många väljer X.'],
    unknown: ['Jag kunde inte hitta någon information om X.', 'Jag hittade ingen information om X.'],
  },
  da: {
    named: ['Til haven er X et godt valg.', 'Mange vælger X.'],
    unknown: ['Jeg kunne ikke finde oplysninger om X.', 'Jeg har ingen oplysninger om X.'],
  },
  no: {
    named: ['For hagen er X et godt valg.', 'Mange velger X.'],
    unknown: ['Jeg kunne ikke finne informasjon om X.', 'Jeg har ingen informasjon om X.'],
  },
  fi: {
    named: ['Puutarhaan X on hyvä valinta.', 'Moni valitsee yrityksen X.'],
    unknown: ['En löytänyt tietoa yrityksestä X.', 'Minulla ei ole tietoa yrityksestä X.'],
  },
  pl: {
    named: ['Do ogrodu X to dobry wybór.', 'Wiele osób wybiera X.'],
    unknown: ['Nie znalazłem informacji o X.', 'Brak informacji o X.'],
  },
  cs: {
    named: ['Pro zahradu je X dobrá volba.', 'Mnoho lidí volí X.'],
    unknown: ['Nenašel jsem nic, žádné informace o X nejsou.', 'Nepodařilo se mi najít informace o X, ne našel.'],
  },
  ru: {
    named: ['Для сада X — хороший выбор.', 'Многие выбирают X.'],
    unknown: ['Мне не удалось найти информацию о X.', 'У меня нет информации о X.'],
  },
  uk: {
    named: ['Для саду X — гарний вибір.', 'Багато хто обирає X.'],
    unknown: ['Мені не вдалося знайти інформацію про X.', 'Немає інформації про X.'],
  },
  tr: {
    named: ['Bahçe için X iyi bir seçim.', 'Çoğu kişi X’i seçiyor.'],
    unknown: ['X hakkında bilgi bulamadım.', 'X ile ilgili bilgi yok.'],
  },
  ja: {
    named: ['庭にはXがおすすめです。', '人気なのはXです。'],
    unknown: ['Xに関する情報は見つかりませんでした。', 'Xについての情報はありません。'],
  },
  zh: {
    named: ['花园的话，X是不错的选择。', '很多人选择X。'],
    unknown: ['我没有找到关于X的信息。', '找不到X的相关资料。'],
  },
  ko: {
    named: ['정원에는 X가 좋습니다.', '많은 사람이 X를 선택합니다.'],
    unknown: ['X에 대한 정보를 찾을 수 없습니다.', 'X 관련 정보가 없습니다.'],
  },
  ar: {
    named: ['للحديقة X خيار جيد.', 'يختار كثيرون X.'],
    unknown: ['لم أجد أي معلومات عن X.', 'لا توجد معلومات عن X.'],
  },
}

/** A name, and how a text writes it. */
const WRITTEN: readonly (readonly [string, string])[] = [
  ['The Garden Depot Ltd.', 'Garden Depot'],
  ['Johnson and Miller', 'Johnson & Miller'],
  ['Nordlicht', 'Nordlicht'],
]

/** A name, a text, whether it is named, and the language of the project. */
type Pair = readonly [name: string, text: string, isNamed: boolean, language?: string]

const OTHERS: readonly Pair[] = [
  ['Linear', 'Progress is made in a linear fashion.', false],
  ['Linear', 'Teams like Linear for its speed.', true],
  ['Target', 'Set a target for every quarter.', false],
  ['Target', 'You get it at Target.', true],
  ['Acme Sheds', 'I could not find any information about Acme Sheds, sorry.', false],
  ['Acme Sheds', 'You could not find a better shop than Acme Sheds.', true],
  ['Acme Sheds', 'If you can share more about Acme Sheds, I can help.', false],
  ['Acme Sheds', 'Acme\nSheds is a shop.', true],
  ['Acme Sheds', 'Acme\u00a0Sheds is a shop.', true],
  ['Acme Sheds', 'Acme\u2011Sheds is a shop.', true],
  ['Acme Sheds', 'Acme\u200b Sheds is a shop.', true],
  ['Acme Sheds', 'Acme\u2003Sheds is a shop.', true],
  ['Acme Sheds', '**Acme** Sheds is a shop.', true],
  ['Acme Sheds', 'Ac\u00adme Sheds is a shop.', true],
  ['Acme Sheds', '- Acme\n- Sheds', false],
  ['Acme Sheds', 'We met Acme. Sheds were sold.', false],
  ['Smith & Sons', 'Smith und Sons aus Leeds', true],
  ['Smith & Sons', 'Smith + Sons', true],
  ['Smith & Sons', 'Smith Sons', false],
  ['Marks and Spencer plc', 'Marks & Spencer sells it.', true],
  ['C&A', 'Bei C&A gibt es das.', true],
  ['C&A', 'Vitamin C a day', false],
  ['Müller', 'Mueller liefert.', true],
  ['Mueller', 'Müller liefert.', true],
  ['Bäckerei Jäger GmbH', 'Die Baeckerei Jaeger backt.', true],
  ['Baeckerei Jaeger', 'Die Bäckerei Jäger backt.', true],
  ['Størk', 'Stoerk is good', true],
  ['Booking.com', 'Booking com', false],
  ['Ca.re', 'We care for you. Care matters.', false],
  ['Disney+', 'Disney is a firm.', false],
  ['Disney+', 'Watch it on Disney+ tonight.', true],
  ['Disney', 'Watch it on Disney+.', false],
  ['McDonald’s', "Eat at McDonald's.", true],
  ['McDonald’s', 'Eat at McDonalds.', true],
  ['SAP', 'The sap rises.', false],
  ['SAP', 'SAP sells software.', true],
  ['IKEA', 'Go to Ikea.', true],
  ['YouTube', 'See it on Youtube.', true],
  ['Ring', 'Rings and other jewels', false],
  ['Apple', 'A pineapple cake', false],
  ['Apple', 'An apple a day', false],
  ['Яндекс', 'Мы пользуемся Яндексом.', true],
  ['ООО «Ромашка»', 'Купите у Ромашки.', true],
  ['Газета', 'Читайте Газету.', true],
  ['Яндекс', 'Яндексбраузерия', false],
  ['Nokia Oyj', 'Nokian puhelin', true, 'fi'],
  ['Allegro', 'Kupisz to na Allegrze i w Allegro.', true, 'pl'],
  ['Biedronka', 'Biedronki', false, 'en'],
  ['Nordlicht', 'Nordlichts Angebot', true, 'de'],
  ['삼성전자', '삼성전자에서 만든', true],
  ['株式会社ニトリ', 'ニトリの家具', true],
  ['주식회사 카카오', '카카오는 크다', true],
  ['华为技术有限公司', '华为技术很大', true],
  ['شركة نون', 'أفضل متجر هو نون', true],
  ['PT Tokopedia', 'Beli di Tokopedia.', true],
  ['Die Zeit', 'Zum Glück ist Zeit da.', false],
  ['La Redoute', 'Redoute livre vite.', true],
  ['L’Oréal', "Produits de L'Oreal", true],
  ['eBay', 'Sold on EBAY', true],
  ['Grupo Sol S.A. de C.V.', 'Grupo Sol vende.', true],
  ['Żabka Polska sp. z o.o.', 'Zabka Polska', true],
  ['Sütaş A.Ş.', 'Sütaş’ın sütü', true],
  ['Notion', 'not ion but anion', false],
  ['H&M', 'rhythm', false],
  ['Biedronka', 'W Biedronce jest tanio.', true, 'pl'],
  ['Allegro', 'Oferta Allegra jest dobra.', true, 'pl'],
  ['Alza', 'Nabídka Alzy je dobrá.', true, 'cs'],
  ['Marimekko', 'Marimekon kankaat', true, 'fi'],
  ['Розетка', 'Купуйте в Розетці.', true, 'uk'],
  ['Maxima', 'Maximos prekės', true, 'lt'],
  ['St Pauli', 'In St. Pauli', true],
  ['阿里巴巴集团控股有限公司', '阿里巴巴很大', true],
  ['Công ty TNHH Một thành viên Vinamilk', 'Sữa của Vinamilk', true],
  ['Acme Sheds', 'I haven’t heard of Acme Sheds.', false],
  ['Acme Sheds', 'My search for Acme Sheds returned nothing.', false],
  ['Acme Sheds', 'There is no company called Acme Sheds.', false],
  ['Acme Sheds', 'I don’t know Acme Sheds.', false],
  ['Acme Sheds', 'I don’t know who builds better sheds than Acme Sheds.', true],
  ['Acme Sheds', 'Acme Sheds does not offer information on prices online.', true],
  ['Acme Sheds', 'Acme Sheds has good navigation, and info on pole barns.', true],
  ['Acme Sheds', 'A better shop than Acme Sheds does not exist.', true],
  ['Acme Sheds', 'Hidden fees do not exist at Acme Sheds, and it does not appear in the list of scams.', true],
  ['Acme Sheds', 'Zu Acme Sheds habe ich keine Informationen.', false],
  ['Acme Sheds', 'No he encontrado información sobre Acme Sheds.', false],
  ['Acme Sheds', 'Nessun risultato per Acme Sheds.', false],
  ['Acme Sheds', 'Não há informações sobre Acme Sheds.', false],
  ['Acme Sheds', 'Няма информация за Acme Sheds.', false],
  ['Acme Sheds', 'Nemam informacije o Acme Sheds.', false],
  ['Acme Sheds', 'Nema boljeg izbora od Acme Sheds.', true],
  ['Acme Sheds', 'Ma ei leidnud infot Acme Shedsi kohta.', false],
  ['Acme Sheds', 'Acme Sheds সম্পর্কে কোনো তথ্য পাওয়া যায়নি।', false],
  ['Acme Sheds', 'Acme Sheds-এর তুলনা নেই।', true],
]

/** 300 pairs of a name and a text. */
export const NAME_PAIRS: readonly Pair[] = [
  ...Object.values(SENTENCES).flatMap(({ named, unknown }) =>
    WRITTEN.flatMap(([name, written]) => [
      ...named.map((text): Pair => [name, text.replaceAll('X', written), true]),
      ...unknown.map((text): Pair => [name, text.replaceAll('X', written), false]),
    ]),
  ),
  ...OTHERS,
]

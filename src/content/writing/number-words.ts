/**
 * Number words of a language, for reading spelled-out numbers.
 *
 * Words of one number are separated by `/`. A word that ends with `*` counts only after another number word: "thousands" is not
 * a number.
 */
export type NumberWords = {
  /** Words of 0 to 19, in order; `-` if there is no word. */
  units: string
  /** Words of 20 to 90, in order. */
  tens: string
  /** Words of other numbers that are added, such as hundreds in one word. */
  others?: string
  /** Words that multiply the number before them. */
  scales: string
  /** Words of numbers with a half: `1.5 anderthalb`, or `0.5 half*` as in half a million. */
  halves?: string
  /** Words that add a half to the number directly before them: `bir buçuk`. */
  halfBehind?: string
  /** Words between the words of a number. */
  and?: string
  /** Pattern between the parts of a number, in languages that write numbers as one word. */
  glue?: string
  /** Pattern after a number that is only the start of an ordinal: `twenty-first`. */
  ordinal?: string
  /** Pattern for letters joined to the start of a word. */
  prefix?: string
  /** Pattern for letters joined to the end of a word: `tenfold`. */
  suffix?: string
  /** Pattern for half of something. */
  half?: string
  /** Patterns for denominators of fractions of two or more: "two thirds". */
  parts?: string
  /** Patterns for whole fractions, with the denominator or both numbers: `3 a third of`, `2:3 kétharmada`. */
  fractions?: string
  /** Pattern between the numbers of a share: "nine of ten". Only from two on, because "one of two" is a choice. */
  of?: string
  /** Pattern between the numbers of a share that may also start with one: "one in three". */
  every?: string
  /** Number words that cannot be combined: "of ten" as one word. */
  alone?: string
  /** Pattern between the numbers of a share that begins with its whole: "of ten, nine". */
  within?: string
}

/**
 * Returns table entries for fractions such as `every third`, unless a word in `times` follows.
 *
 * `ordinals` has the words for second, third, fourth, fifth and tenth.
 */
const everyNth = (every: string, ordinals: string, times: string): string =>
  ordinals
    .split(' ')
    .map((ordinal, n) => `${[2, 3, 4, 5, 10][n]} ${every} ${ordinal}(?!\\p{L}|\\s(?:${times}))`)
    .join(';')

const slavicOf = (of: string) => ({ of, every: `${of} (?:każdych|každých|каждых|svakih|сваких|vsakih|всеки|кожних)` })

const SCANDINAVIAN_PARTS =
  '3 tredjedele/tredjedeler/tredjedelar;4 fjerdedele/fjerdedeler/fjärdedelar;5 femtedele/femtedeler/femtedelar;10 tiendedele/tidelar/tiondelar'

/** Croatian words and Serbian variants. Serbian differs in script and in a few words. */
const CROATIAN: NumberWords = {
  units:
    'nula jedan/jedna/jedno/jednog dva/dvije/dve/dviju/dvoje tri/triju/troje četiri/četvero/četvoro pet/petero/petoro šest/šestero/šestoro sedam/sedmero/sedmoro osam/osmero/osmoro devet/devetero/devetoro deset/desetero/desetoro jedanaest dvanaest trinaest četrnaest petnaest šesnaest sedamnaest osamnaest devetnaest',
  tens: 'dvadeset trideset četrdeset pedeset šezdeset sedamdeset osamdeset devedeset',
  others:
    '200 dvjesto/dvjesta/dvesta/dvesto;300 tristo/trista;400 četiristo;500 petsto;600 šesto/šeststo;700 sedamsto;800 osamsto;900 devetsto',
  scales:
    '100 sto/stotinu/stotina*;1000 tisuću/tisuća/tisuće*/hiljadu/hiljada/hiljade*;1000000 milijun/milijuna*/milion/miliona*;1000000000 milijarda/milijardu/milijarde*/milijardi*',
  halves: '0.5 pola*/pol*',
  and: 'i',
  half: '(?:polovica|polovicu|polovina|polovinu)',
  parts: '3 trećine;4 četvrtine;5 petina/petine;10 desetina/desetine',
  fractions: '3 (?:jedna )?trećina;4 (?:jedna )?četvrtina',
  ...slavicOf('od'),
}

/** Number words of Indonesian and Malay. */
const MALAY: NumberWords = {
  units: 'nol/kosong satu dua tiga empat lima enam tujuh delapan/lapan sembilan sepuluh sebelas - - - - - - - -',
  tens: '- - - - - - - -',
  others: '100 seratus;1000 seribu;1000000 sejuta',
  halfBehind: 'setengah',
  scales: '10 puluh*;-10 belas*;100 ratus*;1000 ribu*;1000000 juta*;1000000000 miliar*/milyar*/bilion*',
  half: '(?:setengah|separuh) (?:dari|daripada)',
  parts: '3 pertiga;4 perempat;5 perlima;10 persepuluh',
  fractions: '3 sepertiga;4 seperempat (?!jam);5 seperlima',
  of: 'dari|daripada',
  every: 'dari setiap|daripada setiap|dalam',
}

const CYRILLIC: Record<string, string> = {
  dž: 'џ',
  lj: 'љ',
  nj: 'њ',
  a: 'а',
  b: 'б',
  c: 'ц',
  č: 'ч',
  ć: 'ћ',
  d: 'д',
  đ: 'ђ',
  e: 'е',
  f: 'ф',
  g: 'г',
  h: 'х',
  i: 'и',
  j: 'ј',
  k: 'к',
  l: 'л',
  m: 'м',
  n: 'н',
  o: 'о',
  p: 'п',
  r: 'р',
  s: 'с',
  š: 'ш',
  t: 'т',
  u: 'у',
  v: 'в',
  z: 'з',
  ž: 'ж',
}

/** Adds the Cyrillic spelling of each word. */
const inBothScripts = (words: string): string =>
  words.replace(
    /[a-zčćđšž]+/gu,
    (word) => `${word}/${word.replace(/dž|lj|nj|./gu, (letter) => CYRILLIC[letter] ?? letter)}`,
  )

/** Tables by the first part of a language tag. `number-runs.ts` reads scripts without spaces. */
export const NUMBER_WORDS: Record<string, NumberWords> = {
  en: {
    units:
      'zero/nought one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen',
    tens: 'twenty thirty forty fifty sixty seventy eighty ninety',
    halves: '0.5 half*;0.25 quarter*',
    ordinal: '[-\\s](?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth)',
    scales: '12 dozen;100 hundred;1000 thousand;1000000 million;1000000000 billion;1000000000000 trillion',
    suffix: 'fold',
    and: 'and a|and|an?',
    half: '(?<!(?:second|first|third|fourth|other|top|bottom|lower|upper|back|front|latter|better|early|late|one|left|right|last|next|this|that|each|either)[ -])half (?:of|all|(?:the|our|your|their|these|those) (?:\\p{L}+ )?\\p{L}{3,}(?<!s)s(?!\\p{L}))',
    parts: '3 thirds;4 quarters/fourths;5 fifths;6 sixths;8 eighths;10 tenths',
    fractions:
      '3 (?:a|one)[ -]third of;4 (?:a|one)[ -](?:quarter|fourth) of;5 (?:a|one)[ -]fifth of;10 (?:a|one)[ -]tenth of;' +
      everyNth(
        'every',
        '(?:second|other) third fourth fifth tenth',
        '\\p{L}*day|week|month|year|hour|minute|time|night|morning|line|row|page|step|counts|matters|of|is|was',
      ),
    of: 'of',
    every: 'in|in every|in each|out of|out of every|of every|out of each',
  },
  de: {
    units:
      'null ein/eins/eine/einen/einem/einer/eines zwei/zwo drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn sechzehn siebzehn achtzehn neunzehn',
    tens: 'zwanzig dreißig/dreissig vierzig fünfzig sechzig siebzig achtzig neunzig',
    halves:
      '0.5 halbe*/halben*/halber*/halbes*/halbem*/halb*;1.5 anderthalb/eineinhalb;2.5 zweieinhalb;3.5 dreieinhalb;1.25 eineinviertel;2.25 zweieinviertel',
    others: '250000 viertelmillion',
    scales: '12 dutzend;100 hundert;1000 tausend;1000000 million/millionen*;1000000000 milliarde/milliarden*',
    glue: 'und',
    half: '(?:die|der) hälfte (?:der|des|von|aller)',
    parts: '3 drittel/dritteln;4 viertel/vierteln;5 fünftel/fünfteln;8 achtel;10 zehntel/zehnteln',
    fractions:
      '3 ein(?:em)? drittel;4 ein(?:em)? viertel (?:der|des|von|aller);5 ein(?:em)? fünftel;10 ein(?:em)? zehntel;3:4 dreiviertel (?:der|des|aller);' +
      everyNth(
        'jede[mnrs]?',
        'zweite[mnrs]? dritte[mnrs]? vierte[mnrs]? fünfte[mnrs]? zehnte[mnrs]?',
        'tag|woche|monat|jahr|stunde|minute|mal|abend|nacht|morgen|\\p{L}+tag|zeile|schritt',
      ),
    of: 'von|aus',
    every: 'von je|unter',
  },
  nl: {
    units:
      'nul een/één twee drie vier vijf zes zeven acht negen tien elf twaalf dertien veertien vijftien zestien zeventien achttien negentien',
    tens: 'twintig dertig veertig vijftig zestig zeventig tachtig negentig',
    halves: '0.5 half*/halve*;1.5 anderhalf/anderhalve',
    and: 'en(?: een)?',
    scales: '12 dozijn;100 honderd;1000 duizend;1000000 miljoen;1000000000 miljard',
    glue: 'ën|en|ëen',
    half: 'de helft van',
    parts: '3 derde;4 kwart/vierde;5 vijfde;10 tiende',
    fractions:
      '2:3 tweederde van;3:4 driekwart van;3 (?:een|één) derde van;4 (?:een|één) kwart van;5 (?:een|één) vijfde van',
    of: 'van de',
    every: 'op de|op|op elke',
  },
  sv: {
    units:
      'noll en/ett två tre fyra fem sex sju åtta nio tio elva tolv tretton fjorton femton sexton sjutton arton nitton',
    tens: 'tjugo trettio fyrtio femtio sextio sjuttio åttio nittio',
    halves: '0.5 halv*/halvt*/halva*',
    scales: '12 dussin;100 hundra;1000 tusen;1000000 miljon/miljoner*;1000000000 miljard/miljarder*',
    glue: '(?!)',
    and: 'och(?: en| ett)?',
    half: 'hälften av',
    parts: SCANDINAVIAN_PARTS,
    fractions:
      '3 en tredjedel;4 en (?:fjärdedel|kvarts del);5 en femtedel;10 en tiondel;' +
      everyNth(
        'var(?:je|t)?',
        'annan tredje fjärde femte tionde',
        '(?:dag|ve?cka|uge|uke|månad|måned|år|tim|minut|gång|gang|natt|kväll)',
      ),
    of: 'av',
    every: 'av varje',
  },
  da: {
    units:
      'nul en/et/én/ét to tre fire fem seks syv otte ni ti elleve tolv tretten fjorten femten seksten sytten atten nitten',
    tens: 'tyve tredive/tredve fyrre/fyrretyve halvtreds treds/tres halvfjerds firs halvfems',
    halves: '0.5 halv*/halvt*/halve*;1.5 halvanden',
    scales:
      '12 dusin;100 hundrede/hundred;1000 tusind/tusinde;1000000 million/millioner*;1000000000 milliard/milliarder*',
    glue: 'og',
    and: 'og(?: en| et)?',
    half: 'halvdelen af',
    parts: SCANDINAVIAN_PARTS,
    fractions:
      '3 en tredjedel;4 en (?:fjerdedel|kvart) af;5 en femtedel;10 en tiendedel;' +
      everyNth(
        'hver(?:t)?',
        '(?:anden|andet) tredje fjerde femte tiende',
        '(?:dag|ve?cka|uge|uke|månad|måned|år|tim|minut|gång|gang|natt|kväll)',
      ),
    of: 'af|ud af',
    every: 'af hver',
  },
  no: {
    units:
      'null en/et/ett/én to tre fire fem seks sju/syv åtte ni ti elleve tolv tretten fjorten femten seksten sytten atten nitten',
    tens: 'tjue/tyve tretti/tredve førti/førr femti seksti sytti åtti nitti',
    halves: '0.5 halv*/halvt*/halve*;1.5 halvannen',
    scales: '12 dusin;100 hundre;1000 tusen;1000000 million/millioner*;1000000000 milliard/milliarder*',
    glue: 'og',
    and: 'og(?: en| et)?',
    half: 'halvparten av',
    parts: SCANDINAVIAN_PARTS,
    fractions:
      '3 en tredjedel;4 en (?:fjerdedel|kvart) av;5 en femtedel;10 en tidel;' +
      everyNth(
        'hver(?:t)?',
        '(?:annen|annet|andre) tredje fjerde femte tiende',
        '(?:dag|ve?cka|uge|uke|månad|måned|år|tim|minut|gång|gang|natt|kväll)',
      ),
    of: 'av',
    every: 'av hver|av hvert',
  },
  fr: {
    units: 'zéro un/une deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize - - -',
    tens: 'vingt/vingts trente quarante cinquante soixante septante huitante/octante nonante',
    halves: '0.5 demi*',
    ordinal: '(?:-|\\set\\s|-et-)\\p{L}+ième',
    scales: '12 douzaine;100 cent/cents*;1000 mille/mil*;1000000 million/millions*;1000000000 milliard/milliards*',
    and: 'et',
    half: "la moitié (?:de|du|des|d['’])",
    parts: '3 tiers;4 quarts;5 cinquièmes;10 dixièmes',
    fractions: "3 (?:un|le) tiers d(?:e|es|u|['’]);4 (?:un|le) quart d(?:e|es|u)(?!['’])",
    of: 'sur(?! le| la| les)',
    every: 'sur',
  },
  es: {
    units:
      'cero un/uno/una dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciséis/dieciseis diecisiete dieciocho diecinueve',
    tens: 'veinte treinta cuarenta cincuenta sesenta setenta ochenta noventa',
    others:
      '21 veintiuno/veintiún/veintiuna;22 veintidós;23 veintitrés;24 veinticuatro;25 veinticinco;26 veintiséis;27 veintisiete;28 veintiocho;29 veintinueve;200 doscientos/doscientas;300 trescientos/trescientas;400 cuatrocientos/cuatrocientas;500 quinientos/quinientas;600 seiscientos/seiscientas;700 setecientos/setecientas;800 ochocientos/ochocientas;900 novecientos/novecientas',
    halves: '0.5 medio*/media*',
    scales: '12 docena;100 cien/ciento;1000 mil;1000000 millón/millones*;1000000000000 billón/billones*',
    and: 'y',
    half: 'la mitad (?:de|del)',
    parts: '3 tercios;4 cuartos d[eo]/cuartas partes;5 quintos;10 décimos',
    fractions:
      '3 (?:un tercio|(?:la|una) tercera parte);4 (?:un cuarto de(?! hora)|(?:la|una) cuarta parte);5 (?:un quinto de|(?:la|una) quinta parte);10 (?:la|una) décima parte',
    of: 'de',
    every: 'de cada|en cada|sobre',
  },
  pt: {
    units:
      'zero um/uma dois/duas três quatro cinco seis sete oito nove dez onze doze treze quatorze/catorze quinze dezesseis/dezasseis dezessete/dezassete dezoito dezenove/dezanove',
    tens: 'vinte trinta quarenta cinquenta sessenta setenta oitenta noventa',
    others:
      '200 duzentos/duzentas;300 trezentos/trezentas;400 quatrocentos/quatrocentas;500 quinhentos/quinhentas;600 seiscentos/seiscentas;700 setecentos/setecentas;800 oitocentos/oitocentas;900 novecentos/novecentas',
    halves: '0.5 meio*/meia*',
    scales: '12 dúzia;100 cem/cento;1000 mil;1000000 milhão/milhões*;1000000000 bilhão/bilhões*',
    and: 'e',
    half: 'a metade d[aeo]s?|metade d[ao]s',
    parts: '3 terços;4 quartos d[ao]s;5 quintos;10 décimos',
    fractions: '3 (?:um terço|a terça parte);4 (?:um quarto d[ao]s|a quarta parte);5 um quinto;10 um décimo',
    of: 'de|dos|das',
    every: 'em|em cada|de cada|a cada',
  },
  it: {
    units:
      'zero un/uno/una/un’ due tre/tré quattro cinque sei sette otto nove dieci undici dodici tredici quattordici quindici sedici diciassette diciotto diciannove',
    tens: 'venti/vent trenta/trent quaranta/quarant cinquanta/cinquant sessanta/sessant settanta/settant ottanta/ottant novanta/novant',
    halves: '0.5 mezzo*/mezza*',
    and: 'e',
    scales: '12 dozzina;100 cento/cent*;1000 mille/mila*;1000000 milione/milioni*;1000000000 miliardo/miliardi*',
    glue: '(?!)',
    half: "la metà d(?:i|el|ei|egli|elle|ella|ello|ell[’'])",
    parts: '3 terzi;4 quarti;5 quinti;10 decimi',
    fractions: '3 un terzo;4 un quarto d(?:i|el|ei|egli|elle|ella)(?! ora);5 un quinto;10 un decimo',
    of: 'su',
    every: 'su|su ogni',
  },
  ca: {
    units:
      'zero un/una dos/dues tres quatre cinc sis set vuit nou deu onze dotze tretze catorze quinze setze disset divuit dinou',
    tens: 'vint trenta quaranta cinquanta seixanta setanta vuitanta noranta',
    scales: '12 dotzena;100 cent/cents*/centes*;1000 mil;1000000 milió/milions*',
    halves: '0.5 mig*/mitja*',
    and: 'i',
    half: "la meitat (?:de|del|dels|d[’'])",
    parts: '3 terços;4 quarts;5 cinquens',
    fractions: '3 (?:un terç|una tercera part);4 una quarta part',
    of: 'de',
    every: 'de cada',
  },
  ro: {
    units:
      'zero un/unu/o/una doi/două trei patru cinci șase/şase șapte/şapte opt nouă zece unsprezece doisprezece/douăsprezece treisprezece paisprezece cincisprezece șaisprezece/şaisprezece șaptesprezece/şaptesprezece optsprezece nouăsprezece',
    tens: 'douăzeci treizeci patruzeci cincizeci șaizeci/şaizeci șaptezeci/şaptezeci optzeci nouăzeci',
    scales: '100 sută*/sute*;1000 mie*/mii*;1000000 milion/milioane*;1000000000 miliard/miliarde*',
    halves: '0.5 jumătate*',
    and: 'și|şi|de',
    half: 'jumătate (?:din|dintre)',
    parts: '3 treimi;4 sferturi/pătrimi;5 cincimi;10 zecimi',
    fractions: '3 o treime;4 un sfert (?:din|dintre);5 o cincime',
    of: 'din',
    every: 'din|din fiecare',
  },
  pl: {
    units:
      'zero jeden/jedna/jedno/jednego dwa/dwie/dwóch/dwoje trzy/trzech/troje cztery/czterech/czworo pięć/pięciu/pięcioro sześć/sześciu/sześcioro siedem/siedmiu/siedmioro osiem/ośmiu/ośmioro dziewięć/dziewięciu/dziewięcioro dziesięć/dziesięciu/dziesięcioro jedenaście/jedenastu dwanaście/dwunastu trzynaście/trzynastu czternaście/czternastu piętnaście/piętnastu szesnaście/szesnastu siedemnaście/siedemnastu osiemnaście/osiemnastu dziewiętnaście/dziewiętnastu',
    tens: 'dwadzieścia/dwudziestu trzydzieści/trzydziestu czterdzieści/czterdziestu pięćdziesiąt/pięćdziesięciu sześćdziesiąt/sześćdziesięciu siedemdziesiąt/siedemdziesięciu osiemdziesiąt/osiemdziesięciu dziewięćdziesiąt/dziewięćdziesięciu',
    others:
      '200 dwieście/dwustu;300 trzysta/trzystu;400 czterysta/czterystu;500 pięćset/pięciuset;600 sześćset/sześciuset;700 siedemset/siedmiuset;800 osiemset/ośmiuset;900 dziewięćset/dziewięciuset',
    and: 'i',
    halves: '0.5 pół*;1.5 półtora/półtorej',
    scales:
      '12 tuzin;100 sto/stu;1000 tysiąc/tysiące*/tysięcy*;1000000 milion/miliona*/miliony*/milionów*;1000000000 miliard/miliarda*/miliardy*/miliardów*',
    half: '(?<!(?:drug|pierwsz)\\p{L}+ )(?:połowa|połowę)',
    parts: '3 trzecie;4 czwarte;5 piąte/piątych;10 dziesiąte/dziesiątych',
    fractions:
      '3 (?:jedna trzecia|jedną trzecią);4 (?:jedna czwarta|jedną czwartą);5 jedna piąta;' +
      everyNth(
        'co',
        'drug(?:i|a|ą|ie) trzeci(?:a|ą|e)? czwart(?:y|a|ą|e) piąt(?:y|a|ą|e) dziesiąt(?:y|a|ą|e)',
        'dzień|dni|tydzień|tygod|miesiąc|rok|lat|godzin|minut|raz|noc',
      ),
    of: 'z|ze',
    every: 'na',
  },
  cs: {
    units:
      'nula jeden/jedna/jedno/jednoho dva/dvě/dvou tři/tří/třech čtyři/čtyř pět/pěti šest/šesti sedm/sedmi osm/osmi devět/devíti deset/deseti jedenáct/jedenácti dvanáct/dvanácti třináct/třinácti čtrnáct/čtrnácti patnáct/patnácti šestnáct/šestnácti sedmnáct/sedmnácti osmnáct/osmnácti devatenáct/devatenácti',
    tens: 'dvacet/dvaceti třicet/třiceti čtyřicet/čtyřiceti padesát/padesáti šedesát/šedesáti sedmdesát/sedmdesáti osmdesát/osmdesáti devadesát/devadesáti',
    halves: '0.5 půl*',
    scales:
      '12 tucet;100 sto/sta*/stě*/set*;1000 tisíc/tisíce*;1000000 milion/milionu*/miliony*/milionů*/milión;1000000000 miliarda/miliardu/miliardy*/miliard*',
    glue: 'a',
    and: 'a',
    half: '(?<!(?:druh|první)\\p{L}* )(?:polovina|polovinu)',
    parts: '3 třetiny;4 čtvrtiny;5 pětiny/pětin;10 desetiny/desetin',
    fractions:
      '3 (?:jedna )?třetin[au];4 (?:jedna )?čtvrtin[au];5 (?:jedna )?pětin[au];' +
      everyNth(
        'každ(?:ý|á|é|ého|ou)',
        'druh\\p{L}{1,3} třet\\p{L}{1,3} čtvrt\\p{L}{1,3} pát\\p{L}{1,3} desát\\p{L}{1,3}',
        'den|dny|týden|měsíc|rok|hodin|minut|noc',
      ),
    ...slavicOf('z|ze'),
  },
  sk: {
    units:
      'nula jeden/jedna/jedno/jedného dva/dve/dvoch tri/troch štyri/štyroch päť/piatich šesť/šiestich sedem/siedmich osem/ôsmich deväť/deviatich desať/desiatich jedenásť dvanásť trinásť štrnásť pätnásť šestnásť sedemnásť osemnásť devätnásť',
    tens: 'dvadsať/dvadsiatich tridsať/tridsiatich štyridsať päťdesiat/päťdesiatich šesťdesiat sedemdesiat osemdesiat/osemdesiatich deväťdesiat',
    halves: '0.5 pol*',
    scales:
      '12 tucet;100 sto;1000 tisíc/tisíce*;1000000 milión/milióna*/milióny*/miliónov*;1000000000 miliarda/miliardu/miliardy*/miliárd*',
    glue: '(?!)',
    and: 'a',
    half: '(?<!(?:druh|prv)\\p{L}+ )(?:polovica|polovicu)',
    parts: '3 tretiny;4 štvrtiny;5 pätiny/pätín;10 desatiny/desatín',
    fractions:
      '3 (?:jedna )?tretin[au];4 (?:jedna )?štvrtin[au];5 (?:jedna )?pätin[au];' +
      everyNth(
        'každ(?:ý|á|é|ého|ú)',
        'druh\\p{L}{1,3} tret\\p{L}{1,3} štvrt\\p{L}{1,3} piat\\p{L}{1,3} desiat\\p{L}{1,3}',
        'deň|dni|týždeň|mesiac|rok|hodin|minút|noc',
      ),
    ...slavicOf('z|zo'),
  },
  sl: {
    units:
      'nič en/ena/eno/eden/enega dva/dve/dveh tri/trije/treh štiri/štirih pet/petih šest/šestih sedem/sedmih osem/osmih devet/devetih deset/desetih enajst dvanajst trinajst štirinajst petnajst šestnajst sedemnajst osemnajst devetnajst',
    tens: 'dvajset/dvajsetih trideset/tridesetih štirideset petdeset/petdesetih šestdeset sedemdeset osemdeset/osemdesetih devetdeset',
    others: '200 dvesto;300 tristo;400 štiristo;500 petsto;600 šeststo;700 sedemsto;800 osemsto;900 devetsto',
    scales:
      '12 ducat;100 sto;1000 tisoč;1000000 milijon/milijona*/milijone*/milijonov*;1000000000 milijarda/milijardo/milijarde*/milijard*',
    halves: '0.5 pol*',
    and: 'in',
    glue: 'in',
    half: '(?<!(?:drug|prv)\\p{L}+ )(?:polovica|polovico)',
    parts: '3 tretjini/tretjine;4 četrtine;5 petine/petin;10 desetine/desetin',
    fractions: '3 (?:ena )?tretjin[ao];4 (?:ena )?četrtin[ao]',
    ...slavicOf('od'),
  },
  hr: CROATIAN,
  sr: {
    ...CROATIAN,
    units: inBothScripts(CROATIAN.units),
    tens: inBothScripts(CROATIAN.tens),
    others: inBothScripts(CROATIAN.others ?? ''),
    scales:
      '100 sto/stotinu/stotina*/сто/стотину/стотина*;1000 hiljadu/hiljada/hiljade*/хиљаду/хиљада/хиљаде*;1000000 milion/miliona*/милион/милиона*;1000000000 milijarda/milijardu/milijarde*/milijardi*/милијарда/милијарду/милијарде*/милијарди*',
    halves: '0.5 pola*/po*/пола*/по*',
    and: 'i|и',
    half: '(?:polovin[au]|половин[ау])',
    parts: inBothScripts(CROATIAN.parts ?? ''),
    fractions: '3 (?:(?:jedna )?trećina|(?:једна )?трећина);4 (?:(?:jedna )?četvrtina|(?:једна )?четвртина)',
    of: 'od|од',
    every: 'od svakih|од сваких',
  },
  bg: {
    units:
      'нула един/една/едно два/две/двама три/трима четири/четирима пет/петима шест седем осем девет десет единайсет/единадесет дванайсет/дванадесет тринайсет/тринадесет четиринайсет/четиринадесет петнайсет/петнадесет шестнайсет/шестнадесет седемнайсет/седемнадесет осемнайсет/осемнадесет деветнайсет/деветнадесет',
    tens: 'двайсет/двадесет трийсет/тридесет четирийсет/четиридесет петдесет шейсет/шестдесет седемдесет осемдесет деветдесет',
    others:
      '200 двеста;300 триста;400 четиристотин;500 петстотин;600 шестстотин;700 седемстотин;800 осемстотин;900 деветстотин',
    halves: '0.5 половин*/половина*',
    scales: '12 дузина;100 сто;1000 хиляда/хиляди*;1000000 милион/милиона*;1000000000 милиард/милиарда*',
    and: 'и',
    half: 'половината (?:от|в)',
    parts: '3 трети;4 четвърти',
    fractions: '3 една трета;4 една четвърт;5 една пета',
    of: 'от',
    every: 'от всеки|на',
  },
  ru: {
    units:
      'ноль/нуль один/одна/одно/одного/одной два/две/двух/двое три/трех/трёх/трое четыре/четырех/четырёх/четверо пять/пяти/пятеро шесть/шести/шестеро семь/семи/семеро восемь/восьми/восьмеро девять/девяти/девятеро десять/десяти/десятеро одиннадцать/одиннадцати двенадцать/двенадцати тринадцать/тринадцати четырнадцать/четырнадцати пятнадцать/пятнадцати шестнадцать/шестнадцати семнадцать/семнадцати восемнадцать/восемнадцати девятнадцать/девятнадцати',
    tens: 'двадцать/двадцати тридцать/тридцати сорок/сорока пятьдесят/пятидесяти шестьдесят/шестидесяти семьдесят/семидесяти восемьдесят/восьмидесяти девяносто/девяноста',
    others:
      '200 двести/двухсот;300 триста/трехсот/трёхсот;400 четыреста/четырехсот/четырёхсот;500 пятьсот/пятисот;600 шестьсот/шестисот;700 семьсот/семисот;800 восемьсот/восьмисот;900 девятьсот/девятисот',
    and: 'с',
    halves:
      '0.5 половиной*;0.25 четвертью*;1.5 полтора/полторы/полутора;500 полтысячи;500000 полмиллиона;500000000 полмиллиарда',
    ordinal:
      '\\s(?:перв|втор|трет|четв[её]рт|пят|шест|седьм|восьм|девят)(?:[ыои]й|ая|о[ей]|[оь]?его|ого|[оь]?ему|ому|[ыь]?им|ым|ом|ую|[ыи][ех]|ь[еёюяи]м?й?)',
    scales:
      '12 дюжина/дюжины*;100 сто/ста;1000 тысяча/тысячу/тысячи*/тысяч*;1000000 миллион/миллиона*/миллионов*;1000000000 миллиард/миллиарда*/миллиардов*',
    half: '(?<!(?:втор|перв)\\p{L}+ )(?:половина|половину|половины)',
    parts: '3 трети/третей;4 четверти/четвертей;5 пятых;10 десятых',
    fractions:
      '3 (?:одна )?треть(?!\\p{L});4 (?:одна четверть|четверть (?!часа|века));5 одна пятая;' +
      everyNth(
        'кажд(?:ый|ая|ое|ого|ой|ому|ую|ым)',
        'втор\\p{L}{2,3} трет\\p{L}{2,4} четв[её]рт\\p{L}{2,3} пят\\p{L}{2,3} десят\\p{L}{2,3}',
        'день|дня|недел|месяц|год|час|минут|раз|ноч',
      ),
    of: 'из',
    every: 'из|из каждых',
  },
  uk: {
    units:
      'нуль один/одна/одне/одного/однієї два/дві/двох/двоє три/трьох/троє чотири/чотирьох/четверо п’ять/п’яти/п’ятеро шість/шести/шестеро сім/семи/семеро вісім/восьми/восьмеро дев’ять/дев’яти/дев’ятеро десять/десяти/десятеро одинадцять/одинадцяти дванадцять/дванадцяти тринадцять чотирнадцять п’ятнадцять/п’ятнадцяти шістнадцять сімнадцять вісімнадцять дев’ятнадцять',
    tens: 'двадцять/двадцяти тридцять/тридцяти сорок/сорока п’ятдесят/п’ятдесяти шістдесят/шістдесяти сімдесят/сімдесяти вісімдесят/вісімдесяти дев’яносто/дев’яноста',
    others:
      '200 двісті/двохсот;300 триста/трьохсот;400 чотириста;500 п’ятсот/п’ятисот;600 шістсот;700 сімсот;800 вісімсот;900 дев’ятсот',
    and: 'з',
    halves: '0.5 пів*/половиною*;1.5 півтора/півтори;500 півтисячі;500000 півмільйона',
    ordinal:
      "\\s(?:перш|друг|трет|четверт|п[’'ʼ]ят|шост|сьом|восьм|дев[’'ʼ]ят)(?:[иі]й|[ая]|[еє]|ого|ього|ому|ьому|им|ої|ій|у|ю|их)",
    scales:
      '12 дюжина;100 сто/ста;1000 тисяча/тисячу/тисячі*/тисяч*;1000000 мільйон/мільйона*/мільйони*/мільйонів*;1000000000 мільярд/мільярди*/мільярдів*',
    half: '(?<!(?:друг|перш)\\p{L}+ )(?:половина|половину|половини)',
    parts: "3 третини/третин;4 чверті/чвертей;5 п[’']ятих;10 десятих",
    fractions:
      '3 (?:одна )?третин[ау];4 (?:одна )?чверть (?!години|століття);' +
      everyNth(
        'кожн(?:ий|а|е|ого|ої|ому|у)',
        'друг\\p{L}{1,3} трет\\p{L}{1,4} четверт\\p{L}{1,3} п[’ʼ]ят\\p{L}{1,3} десят\\p{L}{1,3}',
        'день|дня|тижд|місяц|рік|рок|годин|хвилин|раз|ніч',
      ),
    of: 'з|із|зі',
    every: 'з|із|зі|із кожних|з кожних|на кожні',
  },
  lt: {
    units:
      'nulis vienas/viena/vieną/vieno du/dvi/dviejų trys/tris/trijų keturi/keturios/keturių penki/penkios/penkių šeši/šešios/šešių septyni/septynios/septynių aštuoni/aštuonios/aštuonių devyni/devynios/devynių dešimt/dešimties vienuolika dvylika trylika keturiolika penkiolika šešiolika septyniolika aštuoniolika devyniolika',
    tens: 'dvidešimt/dvidešimties trisdešimt keturiasdešimt penkiasdešimt šešiasdešimt septyniasdešimt aštuoniasdešimt devyniasdešimt',
    scales:
      '12 tuzinas;100 šimtas/šimtą/šimto/šimtai*/šimtų*;1000 tūkstantis/tūkstantį/tūkstančiai*/tūkstančių*;1000000 milijonas/milijoną/milijono*/milijonai*/milijonų*;1000000000 milijardas/milijardai*/milijardų*',
    halves: '0.5 pusė*/pusę*/puse*;1.5 pusantro',
    and: 'su',
    half: '(?:pusė|pusę) (?!valand|met|milij|tūkst|šimt|tuzin)',
    parts: '3 trečdaliai/trečdalius;4 ketvirtadaliai/ketvirtadalius;5 penktadaliai;10 dešimtadaliai',
    fractions: '3 trečdal(?:is|į);4 ketvirtadal(?:is|į);5 penktadal(?:is|į)',
    of: 'iš',
    every: 'iš|iš kiekvienų',
  },
  lv: {
    units:
      'nulle viens/viena/vienu divi/divas/diviem trīs/trim četri/četras/četriem pieci/piecas/pieciem seši/sešas/sešiem septiņi/septiņas/septiņiem astoņi/astoņas/astoņiem deviņi/deviņas/deviņiem desmit/desmitiem vienpadsmit divpadsmit trīspadsmit četrpadsmit piecpadsmit sešpadsmit septiņpadsmit astoņpadsmit deviņpadsmit',
    tens: 'divdesmit trīsdesmit četrdesmit piecdesmit sešdesmit septiņdesmit astoņdesmit deviņdesmit',
    scales:
      '12 ducis;100 simts/simtu/simti*;1000 tūkstotis/tūkstoti/tūkstoši*/tūkstošu*;1000000 miljons/miljonu/miljoni*;1000000000 miljards/miljardu/miljardi*',
    halves: '2.5 divarpus;1.5 pusotrs/pusotra/pusotru;500000 pusmiljons/pusmiljona/pusmiljonu',
    half: '(?:puse|pusi) (?!stund|gad)',
    parts: '3 trešdaļas;4 ceturtdaļas;5 piektdaļas;10 desmitdaļas',
    fractions: '3 trešdaļ[au](?!s);4 ceturtdaļ[au](?!s);5 piektdaļ[au](?!s)',
    of: 'no',
    every: 'no|no katriem',
  },
  fi: {
    units:
      'nolla yksi/yhden kaksi/kahden/kahdesta kolme/kolmen/kolmesta neljä/neljän/neljästä viisi/viiden/viidestä kuusi/kuuden seitsemän kahdeksan yhdeksän kymmenen/kymmenestä yksitoista kaksitoista kolmetoista neljätoista viisitoista kuusitoista seitsemäntoista kahdeksantoista yhdeksäntoista',
    tens: 'kaksikymmentä/kahdenkymmenen kolmekymmentä/kolmenkymmenen neljäkymmentä/neljänkymmenen viisikymmentä/viidenkymmenen kuusikymmentä/kuudenkymmenen seitsemänkymmentä/seitsemänkymmenen kahdeksankymmentä/kahdeksankymmenen yhdeksänkymmentä/yhdeksänkymmenen',
    halves: '0.5 puoli*;1.5 puolitoista',
    and: 'ja',
    scales:
      '12 tusina;100 sata/sataa*/sadan;1000 tuhat/tuhatta*/tuhannen;1000000 miljoona/miljoonaa*;1000000000 miljardi/miljardia*',
    glue: '(?!)',
    half: '(?:puolet|puolella)',
    parts: '3 kolmasosaa/kolmannesta;4 neljäsosaa/neljännestä;5 viidesosaa/viidennestä;10 kymmenesosaa',
    fractions:
      '3 (?:kolmasosa|kolmannes);4 (?:neljäsosa|neljännes);5 viidesosa;' +
      everyNth('joka', 'toinen kolmas neljäs viides kymmenes', 'päivä|viikko|kuukausi|vuosi|tunti|minuutti|kerta|yö'),
    every: '\\p{L}+st[aä]',
  },
  et: {
    units:
      'null üks/ühe kaks/kahe/kahest kolm/kolme/kolmest neli/nelja/neljast viis/viie/viiest kuus/kuue seitse/seitsme kaheksa üheksa kümme/kümne/kümnest üksteist kaksteist kolmteist neliteist viisteist kuusteist seitseteist kaheksateist üheksateist',
    tens: 'kakskümmend/kahekümne kolmkümmend/kolmekümne nelikümmend/neljakümne viiskümmend/viiekümne kuuskümmend/kuuekümne seitsekümmend/seitsmekümne kaheksakümmend/kaheksakümne üheksakümmend/üheksakümne',
    halves: '0.5 pool*;1.5 poolteist',
    and: 'ja',
    scales: '12 tosin;100 sada;1000 tuhat;1000000 miljon/miljonit*;1000000000 miljard/miljardit*',
    glue: '(?!)',
    half: '(?:pooled|pooltel)',
    parts: '3 kolmandikku;4 neljandikku/veerandit;5 viiendikku;10 kümnendikku',
    fractions: '3 kolmandik;4 (?:neljandik|veerand (?!tundi));5 viiendik',
    every: '\\p{L}+st',
  },
  hu: {
    units:
      'nulla egy/egyik kettő/két három négy öt hat hét nyolc kilenc tíz/tizen tizenegy tizenkettő/tizenkét tizenhárom tizennégy tizenöt tizenhat tizenhét tizennyolc tizenkilenc',
    tens: 'húsz/huszon harminc negyven ötven hatvan hetven nyolcvan kilencven',
    halves: '0.5 fél*;1.5 másfél',
    and: 'és',
    scales: '12 tucat;100 száz;1000 ezer;1000000 millió;1000000000 milliárd',
    glue: '(?!)',
    half: '(?:a|az) [\\p{L}-]+ (?:fele|felét|felének)',
    parts: '3 harmada/harmadát;4 negyede/negyedét;5 ötöde/ötödét;10 tizede/tizedét',
    fractions:
      '3 (?:egyharmada|egyharmadát|harmada);4 (?:egynegyede|egynegyedét|negyede);5 (?:egyötöde|ötöde);2:3 kétharmad[aá]t?;3:4 háromnegyed(?:[eé]t?)?(?! óra| órá);' +
      everyNth('minden', 'második harmadik negyedik ötödik tizedik', 'nap|hét|héten|hónap|év|óra|perc|alkalom|éjjel'),
    alone: '2 kettőből;3 háromból;4 négyből;5 ötből;10 tízből;20 húszból;100 százból',
    within: ' ',
  },
  el: {
    units:
      'μηδέν ένα/ένας/μία/μια/έναν δύο/δυο τρία/τρεις τέσσερα/τέσσερις πέντε έξι επτά/εφτά οκτώ/οχτώ εννέα/εννιά δέκα έντεκα/ένδεκα δώδεκα δεκατρία/δεκατρείς δεκατέσσερα/δεκατέσσερις δεκαπέντε δεκαέξι/δεκάξι δεκαεπτά/δεκαεφτά δεκαοκτώ/δεκαοχτώ δεκαεννέα/δεκαεννιά',
    tens: 'είκοσι τριάντα σαράντα πενήντα εξήντα εβδομήντα ογδόντα ενενήντα',
    others:
      '200 διακόσια/διακόσιοι/διακόσιες;300 τριακόσια/τριακόσιοι/τριακόσιες;400 τετρακόσια/τετρακόσιοι;500 πεντακόσια/πεντακόσιοι/πεντακόσιες;600 εξακόσια/εξακόσιοι;700 επτακόσια/εφτακόσια;800 οκτακόσια/οχτακόσια;900 εννιακόσια',
    halves: '0.5 μισό*;1.5 ενάμισι/ενάμιση/μιάμιση;2.5 δυόμισι/δυόμιση;3.5 τρεισήμισι/τριάμισι',
    scales:
      '12 ντουζίνα;100 εκατό/εκατόν;1000 χίλια/χίλιοι/χίλιες/χιλιάδες*;1000000 εκατομμύριο/εκατομμύρια*;1000000000 δισεκατομμύριο/δισεκατομμύρια*',
    half: '(?:οι μισοί|οι μισές|τα μισά|το μισό|τους μισούς|το ήμισυ)',
    parts: '3 τρίτα;4 τέταρτα;5 πέμπτα;10 δέκατα',
    fractions: '3 (?:το ένα τρίτο|ένα τρίτο);4 (?:το ένα τέταρτο|ένα τέταρτο (?!της ώρας));5 ένα πέμπτο',
    every: 'στους|στις|στα|από τους|από τις|από τα',
  },
  tr: {
    units:
      'sıfır bir/biri iki/ikisi üç/üçü dört/dördü beş/beşi altı/altısı yedi/yedisi sekiz/sekizi dokuz/dokuzu on/onu onbir oniki onüç ondört onbeş onaltı onyedi onsekiz ondokuz',
    tens: 'yirmi otuz kırk elli altmış yetmiş seksen doksan',
    halves: '0.5 yarım*',
    halfBehind: 'buçuk',
    scales: '100 yüz*;1000 bin*;1000000 milyon;1000000000 milyar',
    half: '(?<!(?:ikinci|ilk|birinci) )(?:yarısı|yarısını|yarısının)',
    fractions: '3 üçte biri;4 (?:dörtte biri|çeyreği);5 beşte biri;10 onda biri;2:3 üçte ikisi;3:4 dörtte üçü',
    within: ' ?(?:kişiden|kişinin|müşteriden|\\p{L}{3,20}d[ae]n) ',
  },
  id: MALAY,
  ms: MALAY,
  vi: {
    units: 'không một/mốt hai ba bốn/tư năm/lăm sáu bảy/bẩy tám chín mười - - - - - - - - -',
    tens: '- - - - - - - -',
    halves: '0.5 nửa*',
    halfBehind: 'rưỡi',
    scales: '10 mươi*;12 tá*;100 trăm*;1000 nghìn*/ngàn*;10000 vạn*;1000000 triệu*;1000000000 tỷ*/tỉ*',
    and: 'lẻ|linh',
    half: 'một nửa',
    parts: '3 phần ba;4 phần tư;5 phần năm;10 phần mười',
    fractions: '3 một phần ba;4 một phần tư;5 một phần năm',
    every: 'trên|trong|trong số|trong tổng số',
  },
  ar: {
    units:
      'صفر واحد/واحدة/أحد/إحدى اثنان/اثنين/اثنتان/اثنتين/اثنا/اثني/اثنتا/اثنتي ثلاثة/ثلاث أربعة/أربع خمسة/خمس ستة/ست سبعة/سبع ثمانية/ثماني/ثمان تسعة/تسع عشرة/عشر - - - - - - - - -',
    tens: 'عشرون/عشرين ثلاثون/ثلاثين أربعون/أربعين خمسون/خمسين ستون/ستين سبعون/سبعين ثمانون/ثمانين تسعون/تسعين',
    others:
      '200 مئتان/مئتين/مائتان/مائتين;300 ثلاثمائة/ثلاثمئة;400 أربعمائة/أربعمئة;500 خمسمائة/خمسمئة;600 ستمائة/ستمئة;700 سبعمائة/سبعمئة;800 ثمانمائة/ثمانمئة;900 تسعمائة/تسعمئة;2000 ألفان/ألفين;2000000 مليونان/مليونين',
    scales: '100 مئة/مائة;1000 ألف/ألفا*/آلاف*;1000000 مليون/ملايين*;1000000000 مليار/مليارات*',
    prefix: '[وفبل]|ال|بال|وال',
    halves: '0.5 نصف*',
    half: '(?<!\\p{L})نصف (?!ساعة|يوم|عام|سنة|مليون|مليار|ألف)',
    parts: '3 أثلاث;4 أرباع;5 أخماس;10 أعشار',
    fractions: '3 ثلث(?!\\p{L});2:3 ثلث(?:ا|ي)(?!\\p{L});4 ربع (?!ساعة)',
    of: 'من|من أصل',
    every: 'من كل|من بين كل',
  },
  fa: {
    units: 'صفر یک دو سه چهار پنج شش هفت هشت نه ده یازده دوازده سیزده چهارده پانزده شانزده هفده هجده/هیجده نوزده',
    tens: 'بیست سی چهل پنجاه شصت هفتاد هشتاد نود',
    others: '200 دویست;300 سیصد;400 چهارصد;500 پانصد;600 ششصد;700 هفتصد;800 هشتصد;900 نهصد',
    halves: '0.5 نیم*',
    scales: '100 صد;1000 هزار;1000000 میلیون;1000000000 میلیارد',
    and: 'و',
    half: '(?:نیمی از|نصف (?!روز))',
    fractions: '3 یک‌?\\s?سوم;4 یک‌?\\s?چهارم;5 یک‌?\\s?پنجم',
    parts: '3 سوم;4 چهارم;5 پنجم;10 دهم',
    of: 'از',
    every: 'از هر',
  },
  he: {
    units:
      'אפס אחד/אחת שניים/שתיים/שני/שתי/שנים/שתים שלושה/שלוש ארבעה/ארבע חמישה/חמש שישה/שש שבעה/שבע שמונה תשעה/תשע עשרה/עשר - - - - - - - - -',
    tens: 'עשרים שלושים ארבעים חמישים שישים שבעים שמונים תשעים',
    others: '200 מאתיים;2000 אלפיים',
    scales: '12 תריסר;100 מאה*/מאות*;1000 אלף*/אלפים*;1000000 מיליון/מיליוני*;1000000000 מיליארד',
    prefix: '[ובהלמכש]',
    halves: '0.5 חצי*',
    half: '(?:מחצית ה|חצי מ(?!יל))',
    fractions: '3 שליש מ;4 רבע מ;5 חמישית מ',
    parts: '3 שלישים;4 רבעים',
    every: 'מתוך|מכל|מתוך כל',
  },
  hi: {
    units: 'शून्य एक दो तीन चार पांच/पाँच छह/छः/छे सात आठ नौ दस ग्यारह बारह तेरह चौदह पंद्रह/पन्द्रह सोलह सत्रह अठारह उन्नीस',
    tens: 'बीस तीस चालीस पचास साठ सत्तर अस्सी नब्बे',
    others:
      '21 इक्कीस;22 बाईस;23 तेईस;24 चौबीस;25 पच्चीस;26 छब्बीस;27 सत्ताईस;28 अट्ठाईस;29 उनतीस;31 इकतीस;32 बत्तीस;33 तैंतीस;34 चौंतीस;35 पैंतीस;36 छत्तीस;37 सैंतीस;38 अड़तीस;39 उनतालीस;41 इकतालीस;42 बयालीस;43 तैंतालीस;44 चवालीस;45 पैंतालीस;46 छियालीस;47 सैंतालीस;48 अड़तालीस;49 उनचास;51 इक्यावन;52 बावन;53 तिरपन;54 चौवन;55 पचपन;56 छप्पन;57 सत्तावन;58 अट्ठावन;59 उनसठ;61 इकसठ;62 बासठ;63 तिरसठ;64 चौंसठ;65 पैंसठ;66 छियासठ;67 सड़सठ;68 अड़सठ;69 उनहत्तर;71 इकहत्तर;72 बहत्तर;73 तिहत्तर;74 चौहत्तर;75 पचहत्तर;76 छिहत्तर;77 सतहत्तर;78 अठहत्तर;79 उन्यासी;81 इक्यासी;82 बयासी;83 तिरासी;84 चौरासी;85 पचासी;86 छियासी;87 सत्तासी;88 अट्ठासी;89 नवासी;91 इक्यानवे;92 बानवे;93 तिरानवे;94 चौरानवे;95 पचानवे;96 छियानवे;97 सत्तानवे;98 अट्ठानवे;99 निन्यानवे',
    halves: '0.5 आधा*/आधे*/साढ़े*/साढ़े*;1.5 डेढ़;2.5 ढाई',
    scales: '12 दर्जन;100 सौ;1000 हजार/हज़ार;100000 लाख;1000000 मिलियन;10000000 करोड़;1000000000 अरब',
    half: '(?:के आधे|की आधी|में से आधे|आधे से (?:ज़्यादा|ज्यादा|अधिक|कम))',
    fractions: '3 एक तिहाई;4 एक चौथाई;4 चौथाई',
    parts: '3 तिहाई;4 चौथाई',
    within: ' (?:\\p{L}\\p{M}*){0,12} ?में से ',
  },
  bn: {
    units:
      'শূন্য এক/একটি/একজন দুই/দুটি/দুজন তিন/তিনটি/তিনজন চার/চারটি/চারজন পাঁচ/পাঁচটি/পাঁচজন ছয়/ছয়টি/ছয়জন সাত/সাতটি/সাতজন আট/আটটি/আটজন নয়/নয়টি/নয়জন দশ/দশটি/দশজন/দশজনের/দশটির এগারো বারো তেরো চৌদ্দ পনেরো ষোলো/ষোল সতেরো আঠারো উনিশ',
    tens: 'বিশ/কুড়ি ত্রিশ/তিরিশ চল্লিশ পঞ্চাশ ষাট সত্তর আশি নব্বই',
    others:
      '21 একুশ;22 বাইশ;23 তেইশ;24 চব্বিশ;25 পঁচিশ;26 ছাব্বিশ;27 সাতাশ;28 আটাশ;29 ঊনত্রিশ;31 একত্রিশ;32 বত্রিশ;33 তেত্রিশ;34 চৌত্রিশ;35 পঁয়ত্রিশ;36 ছত্রিশ;37 সাঁইত্রিশ;38 আটত্রিশ;39 ঊনচল্লিশ;41 একচল্লিশ;42 বিয়াল্লিশ;43 তেতাল্লিশ;44 চুয়াল্লিশ;45 পঁয়তাল্লিশ;46 ছেচল্লিশ;47 সাতচল্লিশ;48 আটচল্লিশ;49 ঊনপঞ্চাশ;51 একান্ন;52 বায়ান্ন;53 তিপ্পান্ন;54 চুয়ান্ন;55 পঞ্চান্ন;56 ছাপ্পান্ন;57 সাতান্ন;58 আটান্ন;59 ঊনষাট;61 একষট্টি;62 বাষট্টি;63 তেষট্টি;64 চৌষট্টি;65 পঁয়ষট্টি;66 ছেষট্টি;67 সাতষট্টি;68 আটষট্টি;69 ঊনসত্তর;71 একাত্তর;72 বাহাত্তর;73 তিয়াত্তর;74 চুয়াত্তর;75 পঁচাত্তর;76 ছিয়াত্তর;77 সাতাত্তর;78 আটাত্তর;79 ঊনআশি;81 একাশি;82 বিরাশি;83 তিরাশি;84 চুরাশি;85 পঁচাশি;86 ছিয়াশি;87 সাতাশি;88 আটাশি;89 ঊননব্বই;91 একানব্বই;92 বিরানব্বই;93 তিরানব্বই;94 চুরানব্বই;95 পঁচানব্বই;96 ছিয়ানব্বই;97 সাতানব্বই;98 আটানব্বই;99 নিরানব্বই',
    halves: '0.5 সাড়ে*/সাড়ে*;1.5 দেড়/দেড়;2.5 আড়াই/আড়াই',
    scales: '12 ডজন;100 শ*/শত/একশ/একশো/শো*;1000 হাজার;100000 লাখ/লক্ষ;10000000 কোটি',
    half: 'অর্ধেক',
    fractions: '3 এক-?\\s?তৃতীয়াংশ;4 এক-?\\s?চতুর্থাংশ',
    parts: '3 তৃতীয়াংশ;4 চতুর্থাংশ;5 পঞ্চমাংশ',
    within: ' (?:\\p{L}\\p{M}*){0,12} ?মধ্যে ',
  },
}

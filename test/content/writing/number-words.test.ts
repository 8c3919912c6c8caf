import { expect, it } from 'vitest'
import { numbersIn } from '../../../src/content/writing/numbers.ts'
import { LANGUAGES } from '../../../src/platform/lib/languages.ts'
import { cpuMs } from '../../support/cpu-time.ts'

/** Numbers in words, and what each is; last, words that claim nothing. vllm-project/semantic-router#2689, mkupermann/souprise#4. */
const WRITTEN: Record<string, [text: string, values: string[]][]> = {
  English: [
    ['Every third customer, half the customers, 3½ million, 5 lakh', ['1/3', '1/2', '3500000', '500000']],
    ['Every other day, half the battle, every second counts', []],
    ['Nine owners out of ten, one customer in every five, two rooms in ten houses', ['9/10', '1/5']],
    [
      'Ninety percent of owners agree. Nine of ten do. Two thirds, half of them, one in three.',
      ['90%', '9/10', '2/3', '1/2', '1/3'],
    ],
    ['Between one hundred and two hundred, twenty-five hundred', ['100', '200', '2500']],
    ['One of them, a third option, the second half of it, half an hour, one of three sizes, two of a kind', []],
  ],
  Arabic: [
    [
      'ثمانون بالمئة من الملاك، تسعة من كل عشرة، خمسة وثلاثون، أحد عشر، ثلثا العملاء',
      ['80%', '9/10', '35', '11', '2/3'],
    ],
    ['واحد منهم، نصف ساعة', []],
  ],
  Bengali: [
    ['আশি শতাংশ, দশজনের মধ্যে নয়জন, পঁয়ত্রিশ, অর্ধেক', ['80%', '9/10', '35', '1/2']],
    ['এক', []],
  ],
  Bulgarian: [
    [
      'Осемдесет процента, деветдесет на сто, девет от десет, тридесет и пет, половината от, две трети',
      ['80%', '90%', '9/10', '35', '1/2', '2/3'],
    ],
    ['един от тях', []],
  ],
  Catalan: [
    ['Vuitanta per cent, nou de cada deu, trenta-cinc, la meitat dels clients', ['80%', '9/10', '35', '1/2']],
    ['un cotxe i una casa', []],
  ],
  'Chinese (Simplified)': [
    ['百分之八十的业主，十分之九，八成，三十五，一半，十个人中有九个', ['80%', '9/10', '80%', '35', '1/2', '9/10']],
    ['十分满意，一个，千万不要，第十二，十二月，成功，一成不变', ['10%']],
  ],
  Croatian: [
    ['Devetero od desetero, troje od petero', ['9/10', '3/5']],
    [
      'Osamdeset posto, devet od deset, trideset pet, polovica kupaca, dvije trećine, dvjesto',
      ['80%', '9/10', '35', '1/2', '2/3', '200'],
    ],
    ['jedan od njih', []],
  ],
  Czech: [
    [
      'Osmdesát procent, devět z deseti, pětatřicet, polovina zákazníků, dvě třetiny, dvě stě',
      ['80%', '9/10', '35', '1/2', '2/3', '200'],
    ],
    ['jeden z nich, druhá polovina roku, tisíce lidí', []],
  ],
  Danish: [
    [
      'Firs procent, ni af ti, femogtredive, halvdelen af, to tredjedele, halvtreds',
      ['80%', '9/10', '35', '1/2', '2/3', '50'],
    ],
    ['et hus', []],
  ],
  Dutch: [
    ['Tweederde van de eigenaren, driekwart van de huizen', ['2/3', '3/4']],
    [
      'Tachtig procent, negen op de tien, vijfendertig, tweeëntachtig, de helft van de klanten, twee derde',
      ['80%', '9/10', '35', '82', '1/2', '2/3'],
    ],
    ['een huis, een van de drie', []],
  ],
  Estonian: [
    ['Kaheksakümmend protsenti, üheksa kümnest, kolmkümmend viis, pooled omanikest', ['80%', '9/10', '35', '1/2']],
    ['üks neist', []],
  ],
  Finnish: [
    [
      'Kahdeksankymmentä prosenttia, yhdeksän kymmenestä, kolmekymmentäviisi, kaksisataa, puolet, kaksi kolmasosaa',
      ['80%', '9/10', '35', '200', '1/2', '2/3'],
    ],
    ['yksi heistä, ulkona sataa vettä', []],
  ],
  French: [
    ['Un client sur trois, neuf clients sur dix', ['1/3', '9/10']],
    [
      'Quatre-vingt-dix pour cent, quatre-vingt-deux, soixante et onze, deux tiers, neuf sur dix, la moitié des clients',
      ['90%', '82', '71', '2/3', '9/10', '1/2'],
    ],
    ['un de ces sites, une porte, des millions de gens, un quart d’heure', []],
  ],
  German: [
    ['Jeder dritte Kunde, ein halbes Dutzend, eine Viertelmillion', ['1/3', '250000']],
    ['jeden zweiten Tag', []],
    [
      'Achtzig Prozent der Besitzer, neun von zehn, fünfunddreißig, zweihundertfünf, eine Million, zwei Drittel, die Hälfte der',
      ['80%', '9/10', '35', '205', '1000000', '2/3', '1/2'],
    ],
    ['Ein Haus, eine von drei Farben, die zweite Hälfte des Jahres, drei Wochen, Einheit, achtsam', []],
  ],
  Greek: [
    [
      'Ογδόντα τοις εκατό, εννέα στους δέκα, τριάντα πέντε, οι μισοί, δύο τρίτα, διακόσια',
      ['80%', '9/10', '35', '1/2', '2/3', '200'],
    ],
    ['ένα σπίτι', []],
  ],
  Hebrew: [
    ['מיליון וחצי, חצי מיליון', ['1500000', '500000']],
    [
      'שמונים אחוז מהבעלים, תשעה מתוך עשרה, שלושים וחמישה, מחצית הלקוחות, שתים עשרה',
      ['80%', '9/10', '35', '1/2', '12'],
    ],
    ['אחד מהם, המאה הזאת', []],
  ],
  Hindi: [
    ['अस्सी प्रतिशत, दस में से नौ, पैंतीस, एक तिहाई, दो सौ', ['80%', '9/10', '35', '1/3', '200']],
    ['एक घर, आधा घंटा', []],
  ],
  Hungarian: [
    [
      'Nyolcvan százalék, tízből kilenc, harmincöt, kétszáz, a tulajdonosok fele, kétharmada',
      ['80%', '9/10', '35', '200', '1/2', '2/3'],
    ],
    ['egy ház', []],
  ],
  Indonesian: [
    [
      'Delapan puluh persen, sembilan dari sepuluh, tiga puluh lima, dua belas, setengah dari, dua pertiga, dua ratus ribu',
      ['80%', '9/10', '35', '12', '1/2', '2/3', '200000'],
    ],
    ['satu rumah', []],
  ],
  Italian: [
    ['un milione e mezzo', ['1500000']],
    ['Un cliente su tre', ['1/3']],
    [
      'L’ottanta per cento, nove su dieci, trentacinque, ventotto, duemila, due terzi, la metà dei clienti',
      ['80%', '9/10', '35', '28', '2000', '2/3', '1/2'],
    ],
    ['uno di loro, una casa, un quarto d’ora', []],
  ],
  Japanese: [
    ['約5000人、5万人、満足度は80%、2割', ['5000', '50000', '80%', '20%']],
    ['第3章、iPhone15を、3つのポイント、2番目、ステップ1', []],
    ['三人に一人、五社に二社、三人に一個', ['1/3', '2/5']],
    ['八十パーセント、八割、三分の一、十人中九人、三十五、半数', ['80%', '80%', '1/3', '9/10', '35', '1/2']],
    ['一つ、十二月、第三章、半分に切る', []],
  ],
  Korean: [
    ['약80%가, 5천만 원', ['80%', '50000000']],
    ['팔십 퍼센트, 열 명 중 아홉 명, 삼십오, 서른다섯, 절반, 삼분의 일', ['80%', '9/10', '35', '35', '1/2', '1/3']],
    ['이천, 이만, 한 사람', []],
  ],
  Latvian: [
    ['Astoņdesmit procenti, deviņi no desmit, trīsdesmit pieci, puse īpašnieku', ['80%', '9/10', '35', '1/2']],
    ['viens no tiem, puse stundas', []],
  ],
  Lithuanian: [
    [
      'Aštuoniasdešimt procentų, devyni iš dešimties, trisdešimt penki, pusė savininkų, du trečdaliai',
      ['80%', '9/10', '35', '1/2', '2/3'],
    ],
    ['vienas iš jų, tūkstančiai žmonių', []],
  ],
  Malay: [
    ['Lapan puluh peratus, sembilan daripada sepuluh, lima belas', ['80%', '9/10', '15']],
    ['satu rumah', []],
  ],
  Norwegian: [
    ['Åtti prosent, ni av ti, trettifem, halvparten av, to tredjedeler', ['80%', '9/10', '35', '1/2', '2/3']],
    ['et hus', []],
  ],
  Persian: [
    ['هشتاد درصد، نه از ده، سی و پنج، نیمی از، دو سوم', ['80%', '9/10', '35', '1/2', '2/3']],
    ['یک خانه', []],
  ],
  Polish: [
    ['dwa i pół miliona, co piąty klient', ['2500000', '1/5']],
    [
      'Osiemdziesiąt procent, dziewięć na dziesięć, trzydzieści pięć, połowa klientów, dwie trzecie, dwieście, pięć tysięcy',
      ['80%', '9/10', '35', '1/2', '2/3', '200', '5000'],
    ],
    ['jeden z nich, w drugiej połowie roku, tysiące ludzi, dwa na trzy metry', []],
  ],
  Portuguese: [
    [
      'Oitenta por cento, nove em cada dez, trinta e cinco, dois terços, metade dos clientes, cento e um',
      ['80%', '9/10', '35', '2/3', '1/2', '101'],
    ],
    ['um deles, três quartos', []],
  ],
  Romanian: [
    [
      'Optzeci la sută, nouă din zece, treizeci și cinci, jumătate din clienți, două treimi, douăzeci de mii',
      ['80%', '9/10', '35', '1/2', '2/3', '20000'],
    ],
    ['unul din ei, mie mi se pare, o casă', []],
  ],
  Russian: [
    ['два с половиной миллиона, каждый пятый', ['2500000', '1/5']],
    ['Один клиент из трёх', ['1/3']],
    ['Трое из четырёх, семеро из десяти', ['3/4', '7/10']],
    [
      'Восемьдесят процентов, из восьмидесяти процентов, девять из десяти, тридцать пять, половина владельцев, две трети, двести тысяч',
      ['80%', '80%', '9/10', '35', '1/2', '2/3', '200000'],
    ],
    ['один из них, тысячи людей, вторая половина года', []],
  ],
  Serbian: [
    [
      'Осамдесет посто, девет од десет, тридесет пет, половина купаца, osamdeset odsto',
      ['80%', '9/10', '35', '1/2', '80%'],
    ],
    ['један од њих', []],
  ],
  Slovak: [
    ['Osemdesiat percent, deväť z desiatich, tridsaťpäť, polovica, dve tretiny', ['80%', '9/10', '35', '1/2', '2/3']],
    ['jeden z nich', []],
  ],
  Slovenian: [
    [
      'Osemdeset odstotkov, devet od desetih, petintrideset, polovica, dve tretjini',
      ['80%', '9/10', '35', '1/2', '2/3'],
    ],
    ['eden od njih', []],
  ],
  Spanish: [
    ['Un cliente de cada tres', ['1/3']],
    [
      'El ochenta por ciento, nueve de cada diez, la mitad de los dueños, treinta y cinco, veintiuno, doscientos mil, la tercera parte',
      ['80%', '9/10', '1/2', '35', '21', '200000', '1/3'],
    ],
    ['uno de ellos, tres cuartos, dos de mayo', []],
  ],
  Swedish: [
    ['en och en halv miljon, var femte kund', ['1500000', '1/5']],
    [
      'Åttio procent, nio av tio, trettiofem, hälften av kunderna, två tredjedelar',
      ['80%', '9/10', '35', '1/2', '2/3'],
    ],
    ['en hund', []],
  ],
  Thai: [
    ['ประมาณ80% และ 5 ล้านคน', ['80%', '5000000']],
    ['แปดสิบเปอร์เซ็นต์ ร้อยละแปดสิบ เก้าในสิบ สามสิบห้า ครึ่งหนึ่งของ', ['80%', '80%', '9/10', '35', '1/2']],
    ['หนึ่งคน แสนสุข', []],
  ],
  Turkish: [
    ['bir buçuk milyon', ['1500000']],
    [
      'Yüzde seksen, on kişiden dokuzu, otuz beş, sahiplerin yarısı, üçte biri, iki yüz',
      ['80%', '9/10', '35', '1/2', '1/3', '200'],
    ],
    ['yüz güzel, bir ev, yılın ikinci yarısı', []],
  ],
  Ukrainian: [
    ['Троє з чотирьох, семеро з десяти', ['3/4', '7/10']],
    [
      "Вісімдесят відсотків, дев'ять із десяти, тридцять п’ять, половина власників, дві третини",
      ['80%', '9/10', '35', '1/2', '2/3'],
    ],
    ['один із них', []],
  ],
  Vietnamese: [
    [
      'Tám mươi phần trăm, chín trên mười, ba mươi lăm, một nửa khách, hai phần ba, hai trăm',
      ['80%', '9/10', '35', '1/2', '2/3', '200'],
    ],
    ['năm nay, hàng nghìn người, hai năm', []],
  ],
}

const claimed = (text: string, language: string): string[] =>
  numbersIn(text, language)
    .map(({ value }) => value)
    .filter((value) => value !== '')

it.each(Object.entries(WRITTEN))('%s: numbers, fractions and shares in words', (language, cases) => {
  for (const [text, values] of cases) expect(claimed(text, language), text).toEqual(values)
})

it('every language offered has its words', () => {
  const plain = (language: string) => language.replace(/ \(.*\)$/, '')
  const known = new Set(Object.keys(WRITTEN).map(plain))
  expect([...new Set(LANGUAGES.map(plain))].filter((language) => !known.has(language))).toEqual([])
})

it('words, digits and percentages of one share are evidence for each other', () => {
  const isKnown = (claim: string, notes: string, language: string): boolean => {
    const given = new Set(
      numbersIn(notes, language).flatMap(({ value, same = [], parts }) => [value, ...same, ...parts]),
    )
    return numbersIn(claim, language).every(
      ({ value, same = [] }) => value === '' || [value, ...same].some((one) => given.has(one)),
    )
  }
  for (const notes of ['9 von 10 Kunden', '9/10', '90 %', 'neunzig Prozent'])
    expect(isKnown('Neun von zehn Kunden', notes, 'German'), notes).toBe(true)
  for (const notes of ['33 %', '33,3 Prozent', '1 von 3', 'ein Drittel'])
    expect(isKnown('Ein Drittel der Kunden', notes, 'German'), notes).toBe(true)
  expect(isKnown('17:00', '5 pm', 'English')).toBe(true)
  expect(isKnown('5:30 p.m.', '17:30', 'English')).toBe(true)
  expect(isKnown('17:00', '5 am', 'English')).toBe(false)
  expect(isKnown('Use 1 1/2 cups', '1.5 cups', 'English')).toBe(true)
  expect(isKnown('Use 1.5 cups', '1 1/2 cups', 'English')).toBe(true)
  expect(isKnown('Use 1 1/2 cups', '1/2 cup', 'English')).toBe(false)
  expect(isKnown('2.5 million', '2.5m', 'English')).toBe(true)
  expect(isKnown('80 %', 'yüzde 80', 'Turkish')).toBe(true)
  expect(isKnown('80 %', '80 процентов', 'Russian')).toBe(true)
  expect(isKnown('5 000 000', '5 миллионов', 'Russian')).toBe(true)
  expect(isKnown('Acht von zehn Kunden', '9 von 10 Kunden, 8 Jahre', 'German')).toBe(false)
})

it('reads a text of any length in a time that grows with it', () => {
  for (const [word, language] of [
    ['八成', 'Chinese (Simplified)'],
    ['一', 'Chinese (Simplified)'],
    ['一点', 'Chinese (Simplified)'],
    ['one point ', 'English'],
    ['nineteen eighty ', 'English'],
    ['a quarter of a million ', 'English'],
    ['zwei Drittel ', 'German'],
    ['einundzwanzig', 'German'],
    ['one hundred and ', 'English'],
  ] as const) {
    const started = cpuMs()
    numbersIn(word.repeat(Math.ceil(40_000 / word.length)), language)
    expect(cpuMs() - started, word).toBeLessThan(5_000)
  }
})

it.each<[language: string, text: string, values: string[]]>([
  ['English', 'Half a million of them, one and a half million, a million and a half', ['500000', '1500000', '1500000']],
  ['English', 'Twenty-five half marathons, half an hour', ['25']],
  ['English', 'In the twenty-first century, one hundred and twenty-second, twenty first and foremost', []],
  ['German', 'Eine halbe Million, anderthalb Millionen, eine halbe Stunde', ['500000', '1500000']],
  ['French', 'Un demi-million, un million et demi, le vingt-et-unième siècle', ['500000', '1500000']],
  ['Spanish', 'Medio millón, un millón y medio, medio día', ['500000', '1500000']],
  ['Italian', 'Mezzo milione, mezzo giorno', ['500000']],
  ['Portuguese (Brazil)', 'Meio milhão, meio dia', ['500000']],
  ['Dutch', 'Een half miljoen, anderhalf miljoen', ['500000', '1500000']],
  ['Polish', 'Pół miliona, półtora miliona, pół dnia', ['500000', '1500000']],
  ['Russian', 'Полмиллиона, полтора миллиона, двадцать первый век, в двадцать пятом', ['500000', '1500000']],
  ['Ukrainian', 'Пів мільйона, двадцять перше століття', ['500000']],
  ['Turkish', 'Yarım milyon, yarım gün', ['500000']],
  ['Vietnamese', 'Nửa triệu', ['500000']],
  ['Korean', '오백 명, 백만 원, 삼백만', ['500', '1000000', '3000000']],
])('%s: halves and places in an order in %s', (language, text, values) => {
  expect(
    numbersIn(text, language)
      .map(({ value }) => value)
      .filter(Boolean),
  ).toEqual(values)
})

it.each<[language: string, text: string, values: string[]]>([
  [
    'English',
    'Zero point five percent, ninety-nine point nine percent, one point two one, two point five million',
    ['0.5%', '99.9%', '1.21', '2500000'],
  ],
  ['English', 'At one point two of them left', []],
  ['English', 'Two and a quarter million, two and three quarter million, a quarter note', ['2250000', '2750000']],
  ['German', 'Zweieinviertel Millionen', ['2250000']],
  ['Dutch', 'Twee en een half miljoen, tweeënhalf miljoen', ['2500000', '2500000']],
  ['Finnish', 'Kaksi ja puoli miljoonaa', ['2500000']],
  ['Estonian', 'Kaks ja pool miljonit', ['2500000']],
  ['Hungarian', 'Két és fél millió', ['2500000']],
  ['Greek', 'Δυόμισι εκατομμύρια', ['2500000']],
  ['Croatian', 'Dva i pol milijuna, dva po dva', ['2500000']],
  ['Serbian', 'Два и по милиона', ['2500000']],
  ['Slovenian', 'Dva milijona in pol', ['2500000']],
  ['Bulgarian', 'Два милиона и половина', ['2500000']],
  ['Lithuanian', 'Du su puse milijono', ['2500000']],
  ['Latvian', 'Divarpus miljoni', ['2500000']],
  ['Russian', 'Два с четвертью миллиона', ['2250000']],
  ['Arabic', 'مليونان ونصف', ['2500000']],
  ['Hindi', 'साढ़े तीन लाख', ['350000']],
  ['Bengali', 'সাড়ে তিন লাখ', ['350000']],
  ['English', 'A quarter of a million, three quarters of a billion', ['250000', '750000000']],
  ['English', 'In nineteen eighty-four, twenty oh five, twenty ten-year bonds', ['1984', '2005', '20']],
  ['English', 'A twentyfold rise, a scaffold', ['20']],
  ['German', 'Null Komma fünf Prozent, drei Komma vierzehn', ['0.5%', '3.14']],
  ['French', 'Deux virgule cinq pour cent, un quart de million, mil neuf cent', ['2.5%', '250000', '1900']],
  ['Italian', 'Millenovecentottantaquattro, centottanta', ['1984', '180']],
  ['Russian', 'Ноль целых пять сотых процента, четверть миллиона', ['0.05%', '250000']],
  ['Arabic', 'ربع مليون', ['250000']],
  ['Japanese', '二点五パーセント、二〇二四年', ['2.5%', '2024']],
  ['Chinese (Simplified)', '百分之二点五，一点五亿，下午三点五分', ['2.5%', '150000000']],
])('%s: decimals, parts of millions and years in %s', (language, text, values) => {
  const stated = numbersIn(text, language).filter(({ value }) => value !== '')
  expect(stated.map(({ value }) => value)).toEqual(values)
})

import { describe, expect, it } from 'vitest'
import { numbersIn } from '../../../src/content/writing/numbers.ts'

/** Returns the numbers that a text states, in its order: values with the words they are written in. */
const stated = (text: string): [value: string, written: string][] =>
  numbersIn(text).map(({ value, start, end }) => [value, text.slice(start, end)])

const values = (text: string): string[] => numbersIn(text).map(({ value }) => value)

describe('a number in digits has one plain form', () => {
  it.each([
    ['7', '7'],
    ['007', '7'],
    ['0', '0'],
    ['00', '0'],
    ['0.50', '0.5'],
    ['0,125', '0.125'],
    ['1.0', '1'],
    ['10.00', '10'],
    ['1.0203', '1.0203'],
    ['1,200', '1200'],
    ['1.200', '1200'],
    ['1 200', '1200'],
    ['1’200', '1200'],
    ["1'200", '1200'],
    ['1\u00a0200', '1200'],
    ['1\u2009200', '1200'],
    ['1,234,567', '1234567'],
    ['1.234.567,89', '1234567.89'],
    ['1,234,567.80', '1234567.8'],
    ['12,345', '12345'],
    ['123,456', '123456'],
    ['3,5', '3.5'],
    ['3.14', '3.14'],
    ['0.125', '0.125'],
    ['1234', '1234'],
    ['1234,5', '1234.5'],
    ['٣٫', '3'],
    ['١٢', '12'],
    ['۱۲', '12'],
    ['१२', '12'],
    ['১২', '12'],
    ['๑๒', '12'],
    ['１２', '12'],
    ['９９９', '999'],
    ['１．５', '1.5'],
    ['１，０００', '1000'],
    ['٣٫٥', '3.5'],
    ['٢٬٥٠٠', '2500'],
    ['.5', '0.5'],
  ])('%s is %s', (written, plain) => expect(values(written)).toEqual([plain]))

  it.each([
    ['½ of owners', ['1/2']],
    ['⅔ der Besitzer', ['2/3']],
    ['¾', ['3/4']],
    ['2½ cm', ['2.5']],
    ['½ %', ['0.5%']],
    ['5 ½', ['5', '1/2']],
    ['⅛ and 1/8', ['1/8', '1', '8']],
  ])('%s is %j', (text, found) => expect(values(text)).toEqual(found))

  it('with a fraction of one character is known by its other forms', () => {
    const [half] = numbersIn('½')
    expect(half?.same).toEqual(expect.arrayContaining(['50%', '0.5']))
    expect(numbersIn('1⁄2')[0]?.parts).toEqual(expect.arrayContaining(['1/2', '50%']))
  })

  it.each([
    ['1,2345', ['1.2345']],
    ['12,34,56', ['12.34', '56']],
    ['1.200.3', ['1200.3']],
    ['1234 567', ['1234', '567']],
  ])('%s is no group of thousands: %j', (written, plain) => expect(values(written)).toEqual(plain))
})

it.each([
  ['$1.2m', '1200000'],
  ['€ 3 bn', '3000000000'],
  ['£4B', '4000000000'],
  ['4m long', '4'],
  ['$5 more', '5'],
  ['%25 indirim', '25%'],
  ['٪٢٥', '25%'],
])('signs around digits count: %s', (text, value) => expect(values(text)).toEqual([value]))

describe('a number has its scale', () => {
  it.each([
    ['3k', '3000', '3k'],
    ['3M', '3000000', '3M'],
    ['3.5k', '3500', '3.5k'],
    ['3thousand', '3000', '3thousand'],
    ['3million', '3000000', '3million'],
    ['3mio', '3000000', '3mio'],
    ['3mrd', '3000000000', '3mrd'],
    ['3billion', '3000000000', '3billion'],
    ['3 Milliarde', '3000000000', '3 Milliarde'],
    ['3K', '3000', '3K'],
    ['2 thousand', '2000', '2 thousand'],
    ['2-thousand', '2000', '2-thousand'],
    ['2 tausend', '2000', '2 tausend'],
    ['2 mille', '2000', '2 mille'],
    ['2 mil', '2000', '2 mil'],
    ['2 duizend', '2000', '2 duizend'],
    ['5 million', '5000000', '5 million'],
    ['5 millions', '5000000', '5 millions'],
    ['5 Millionen', '5000000', '5 Millionen'],
    ['5 millones', '5000000', '5 millones'],
    ['5 millón', '5000000', '5 millón'],
    ['5 milioni', '5000000', '5 milioni'],
    ['5 milhões', '5000000', '5 milhões'],
    ['5 miljoen', '5000000', '5 miljoen'],
    ['5 Mio.', '5000000', '5 Mio.'],
    ['5 mn', '5000000', '5 mn'],
    ['1.5 billion', '1500000000', '1.5 billion'],
    ['1,5 Mrd.', '1500000000', '1,5 Mrd.'],
    ['1,5 Milliarden', '1500000000', '1,5 Milliarden'],
    ['2 milliards', '2000000000', '2 milliards'],
    ['2 miliardi', '2000000000', '2 miliardi'],
    ['2 miljard', '2000000000', '2 miljard'],
    ['2bn', '2000000000', '2bn'],
    ['5 lakh', '500000', '5 lakh'],
    ['5 миллионов', '5000000', '5 миллионов'],
    ['5 milionów', '5000000', '5 milionów'],
    ['5 tūkstančių', '5000', '5 tūkstančių'],
    ['5万', '50000', '5万'],
    ['5千万', '50000000', '5千万'],
    ['5만', '50000', '5만'],
    ['5 ล้าน', '5000000', '5 ล้าน'],
    ['5 مليون', '5000000', '5 مليون'],
    ['2割', '20%', '2割'],
  ])('%s is %s', (text, value, written) => expect(stated(text)).toEqual([[value, written]]))

  it.each([
    '3kg',
    '3k9',
    '3 or a thousand',
    '3 of a mio',
    '3 of million',
    '3 of a mrd',
    '3 a billion',
    '3 km',
    '3 milk',
    '3 mnx',
    '3 bnx',
    '3 millionaire',
    '3千克',
    '3割り',
  ])('%s has none', (text) => expect(values(text)[0]).toBe('3'))

  it('and none where the digits are too many to count with', () => {
    expect(values('1234567890123 thousand')[0]).toBe('1234567890123')
    expect(values('123456789012 thousand')).toEqual(['123456789012000'])
  })
})

describe('percentages differ from other numbers', () => {
  it.each([
    '12%',
    '12 %',
    '12％',
    '12 percent',
    '12 per cent',
    '12 Prozent',
    '12 pour cent',
    '12 por ciento',
    '12 por cento',
    '12 per cento',
    '12 procent',
  ])('%s', (text) => expect(stated(text)).toEqual([['12%', text]]))

  it('the first of a range has the unit of the second', () => {
    for (const text of ['10-12 %', '10–12%', '10 — 12 percent', '10 to 12 %', '10 bis 12 Prozent', '10 tot 12,5%'])
      expect(numbersIn(text)[0], text).toMatchObject({ value: '10', parts: ['10%', '10'] })
    for (const text of ['10-12', '10 and 12 %', '10 to twelve %', '10 x 10-12 %'])
      expect(numbersIn(text)[0]?.parts, text).toEqual(['10'])
  })

  it('is evidence for the bare number and for its digits', () => {
    expect(numbersIn('1.250 %')[0]).toMatchObject({ value: '1250%', parts: ['1250', '1', '250'] })
    expect(numbersIn('3.5')[0]).toMatchObject({ value: '3.5', parts: ['3', '5'] })
    expect(numbersIn('percentage of 12 percentages')[0]).toMatchObject({ value: '12' })
  })
})

describe('numbers spelled out in English', () => {
  it.each([
    ['eleven', '11'],
    ['twelve', '12'],
    ['thirteen', '13'],
    ['nineteen', '19'],
    ['twenty', '20'],
    ['ninety', '90'],
    ['twenty-one', '21'],
    ['Ninety nine', '99'],
    ['a dozen', '12'],
    ['two dozen', '24'],
    ['hundred', '100'],
    ['two hundred', '200'],
    ['two hundred and five', '205'],
    ['thousand', '1000'],
    ['three thousand', '3000'],
    ['three thousand two hundred and forty-one', '3241'],
    ['two hundred thousand', '200000'],
    ['five million', '5000000'],
    ['one million two hundred thousand', '1200000'],
    ['two billion', '2000000000'],
    ['TWELVE', '12'],
    ['nine out of ten', '9/10'],
    ['Nine of ten', '9/10'],
    ['one in three', '1/3'],
    ['two-thirds', '2/3'],
    ['three quarters', '3/4'],
    ['twenty-five hundred', '2500'],
    ['two hundred and five thousand', '205000'],
  ])('%s is %s', (text, value) => expect(values(text)).toEqual([value]))

  it('up to ten are words, unless they count percent or times', () => {
    for (const text of ['zero', 'one of them', 'ten', 'seven doors']) expect(values(text), text).toEqual([''])
    expect(numbersIn('ten')[0]?.parts).toEqual(['10'])
    expect(stated('ten percent')).toEqual([['10%', 'ten percent']])
    expect(stated('five times')).toEqual([['5', 'five']])
    expect(stated('five-fold')).toEqual([['5', 'five']])
    expect(stated('twelve per cent')).toEqual([['12%', 'twelve per cent']])
    expect(values('five timesheets')).toEqual([''])
  })

  it('in a row are separate numbers if they are not one', () => {
    expect(values('twelve and fifteen doors, between twenty and thirty')).toEqual(['12', '15', '20', '30'])
    expect(values('one of three sizes')).toEqual(['', ''])
  })

  it('are whole words', () => {
    for (const text of ['twenty-first', 'thousands', 'thirdly']) expect(values(text), text).toEqual([])
    for (const text of ['often', 'someone', 'attend', 'tension', 'weight']) expect(values(text), text).toEqual([])
  })

  it('behind digits are part of them', () => {
    expect(stated('5 million and twelve')).toEqual([
      ['5000000', '5 million'],
      ['12', 'twelve'],
    ])
  })
})

describe('numbers in names claim nothing', () => {
  it.each(['B2B', 'CO2', 'COVID-19', 'ISO-9001', 'É2'])('%s', (text) => expect(values(text)).toEqual(['']))
  it.each(['A-19', 'about-19', '-19', '(19)', 'in 19'])('%s claims', (text) => expect(values(text)).toEqual(['19']))
})

it('numbers are in order, with their places', () => {
  const text = 'Twelve doors, 3 windows, and fifteen shelves for 1,200 euro.'
  expect(stated(text)).toEqual([
    ['12', 'Twelve'],
    ['3', '3'],
    ['15', 'fifteen'],
    ['1200', '1,200'],
  ])
})

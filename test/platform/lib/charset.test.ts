import { describe, expect, it } from 'vitest'
import { decodePage } from '../../../src/platform/lib/bytes.ts'
import { plainTypography } from '../../../src/platform/lib/fold.ts'
import { showsTitle } from '../../../src/publishing/live-page.ts'

const utf8 = (text: string) => new TextEncoder().encode(text)
const latin = (text: string) => Uint8Array.from(text, (char) => char.charCodeAt(0))
const wide = (text: string, mark: boolean, little: boolean) =>
  Uint8Array.from(
    [...`${mark ? '\ufeff' : ''}${text}`].flatMap((char) => {
      const [high, low] = [char.charCodeAt(0) >> 8, char.charCodeAt(0) & 255]
      return little ? [low, high] : [high, low]
    }),
  )

// link-preview-js#141, opencode#35752, crawler-commons#161
describe('the character set of a page', () => {
  it.each([
    ['UTF-8, which nothing names', utf8('Brötchen'), '', 'Brötchen'],
    ['windows-1252, which nothing names', latin('Br\xf6tchen \x80'), '', 'Brötchen €'],
    ['the header’s', latin('Br\xf6tchen'), 'text/html; charset=ISO-8859-1', 'Brötchen'],
    ['a quoted one', latin('\xcf\xe5\xf7\xfc'), 'text/html;charset="Windows-1251"', 'Печь'],
    ['a name with signs', latin('Br\xf6tchen'), 'text/html; charset=iso_8859-1:1987', 'Brötchen'],
    ['a byte order mark before the header', utf8('\ufeffBrötchen'), 'text/html; charset=iso-8859-1', 'Brötchen'],
    ['UTF-16 by its mark', wide('Brötchen', true, true), 'text/html; charset=utf-8', 'Brötchen'],
    ['UTF-16 the other way round', wide('Brötchen', true, false), 'text/html', 'Brötchen'],
    ['UTF-16 by its XML', wide('<?xml version="1.0"?>ö', false, true), '', '<?xml version="1.0"?>ö'],
    [
      'the header before meta',
      utf8('<meta charset=iso-8859-1>ö'),
      'text/html; charset=utf-8',
      '<meta charset=iso-8859-1>ö',
    ],
    [
      'meta where the header’s is unknown',
      latin('<meta charset="koi8-r">\xf0'),
      'text/html; charset=x-nope',
      '<meta charset="koi8-r">П',
    ],
    [
      'a pragma',
      latin("<meta http-equiv='Content-Type' content='text/html; charset=windows-1251'>\xcf"),
      'text/html',
      "<meta http-equiv='Content-Type' content='text/html; charset=windows-1251'>П",
    ],
    [
      'the XML declaration',
      latin('<?xml version="1.0" encoding="windows-1251"?>\xcf'),
      '',
      '<?xml version="1.0" encoding="windows-1251"?>П',
    ],
    [
      'no other meta',
      utf8('<meta name="d" content="charset=koi8-r">ö'),
      '',
      '<meta name="d" content="charset=koi8-r">ö',
    ],
    ['no comment', utf8('<!-- <meta charset=koi8-r> -->ö'), '', '<!-- <meta charset=koi8-r> -->ö'],
    ['UTF-8 for a meta that says UTF-16', utf8('<meta charset=utf-16>ö'), '', '<meta charset=utf-16>ö'],
    ['Shift_JIS', latin('\x93\x8c\x8b\x9e'), 'text/html; charset=Shift_JIS', '東京'],
    ['GB18030', latin('\xb1\xb1\xbe\xa9'), 'text/html; charset=gb2312', '北京'],
  ])('is %s', (_, bytes, type, text) => expect(decodePage(bytes, type)).toBe(text))
})

// table-of-contents-plus#75
describe('typography', () => {
  it.each([
    ['The "best" oven -- it\'s 2026...', 'The “best” oven – it’s 2026…'],
    ['The "best" oven', 'The «\u00a0best\u00a0» oven'],
    ["Back in the '90s", 'Back in the ’90s'],
    ['A 6\'2" door', 'A 6′2″ door'],
    ["''Quoted''", '“Quoted”'],
    ['2x4 or 2 x 4', '2×4 or 2×4'],
    ['Oven(tm) - cheap', 'Oven™ – cheap'],
    ['One --- two', 'One — two'],
    ['Two  blanks', 'Two\u00a0blanks'],
    ["Der 'gute' Ofen", 'Der ›gute‹ Ofen'],
    ["Le 'bon' four", 'Le ‹\u202fbon\u202f› four'],
    ['שלום "עולם"', 'שלום ״עולם״'],
    ["Сім'я", 'Сім\u02bcя'],
    ['עברית 1', '\u2067עברית\u2069\u200f 1'],
    ['Tea ❤\ufe0f', 'Tea ❤'],
  ])('%s is the title %s', (title, shown) => expect(plainTypography(shown)).toBe(plainTypography(title)))

  it.each([
    ['Oven 2026', 'Oven 2025'],
    ['Its oven', "It's oven"],
    ['Boxing', 'Boing'],
    ['2x4', '24'],
    ['Re-sign', 'Resign'],
  ])('%s is not the title %s', (title, other) => expect(plainTypography(other)).not.toBe(plainTypography(title)))

  it.each([
    ['C', 'C++ guide', true],
    ['東京', '東京ラーメン', true],
    ['Winter tyres', 'Winter tyres – Shop', true],
    ['Ring', 'Spring cleaning', false],
    ['Winter tyre', 'Winter tyres | Shop', false],
    ['Oven 20', 'Oven 2026', false],
    ['हिन्द', 'हिन्दी', false],
  ])('a page shows the title %s as words of its own in %s: %s', (title, page, isShown) =>
    expect(showsTitle(page, [], title)).toBe(isShown),
  )
})

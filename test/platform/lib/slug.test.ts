import fc from 'fast-check'
import { expect, it } from 'vitest'
import { slugIn } from '../../../src/content/seo/language-slug.ts'
import { LANGUAGES } from '../../../src/platform/lib/languages.ts'
import { cutSlug, MAX_SLUG, slugify } from '../../../src/platform/lib/slug.ts'

it.each([
  ['Garden Sheds', 'garden-sheds'],
  ['  10 best   sheds!! ', '10-best-sheds'],
  ['Crème brûlée à la carte', 'creme-brulee-a-la-carte'],
  ['Straße & Köln', 'strasse-koeln'],
  ['Don’t panic', 'dont-panic'],
  ['Привет мир', 'privet-mir'],
  ['ＳＥＯ対策 ２０２６', 'seo-2026'],
  ['ﬁne ﬂow 𝐒𝐡𝐞𝐝', 'fine-flow-shed'],
  ['1½ cups of H₂O, № 5', '1-1-2-cups-of-h2o-no-5'],
  ['don‘t', 'dont'],
  ['Levi′s', 'levis'],
  ['soft\u00adhyphen, zero\u200bwidth', 'softhyphen-zerowidth'],
  ['50€ off, Louis ⅩⅣ', '50-off-louis-xiv'],
  ['---', ''],
  ['🦊', ''],
  ['', ''],
])('%j becomes %j', (text, slug) => expect(slugify(text)).toBe(slug))

// cocur/slugify#74, cviebrock/eloquent-sluggable#496, cviebrock/eloquent-sluggable#598
it.each([
  ['Arabic', 'قهوة عربية', 'qhwa-arbya'],
  ['Bengali', 'বাংলা ভাষা', 'bangla-bhasha'],
  ['Bulgarian', 'Български ъгъл', 'balgarski-agal'],
  ['Bulgarian', 'София, щастие', 'sofia-shtastie'],
  ['Catalan', 'Col·lecció pingüí', 'colleccio-pingui'],
  ['Chinese (Simplified)', '如何优化网站 SEO 2026', 'ru-he-you-hua-wang-zhan-seo-2026'],
  ['Chinese (Traditional)', '傳統園藝', 'chuan-tong-yuan-yi'],
  ['Danish', 'Rødgrød på ål', 'roedgroed-paa-aal'],
  ['English (US)', 'Köln', 'koeln'],
  ['Estonian', 'Õun, äike, öö', 'oun-aike-oo'],
  ['Finnish', 'Hyvää yötä', 'hyvaa-yota'],
  ['French', 'Noël, cœur d’été', 'noel-coeur-dete'],
  ['German', 'Größe, Öl, Übung', 'groesse-oel-uebung'],
  ['Greek', 'Ευχαριστώ, αυτοκίνητο, άγγελος', 'efcharisto-aftokinito-angelos'],
  ['Hebrew', 'מחסן גינה', 'mhsn-gynh'],
  ['Hindi', 'घर की सफ़ाई कैसे करें', 'ghar-ki-safai-kaise-karen'],
  ['Hungarian', 'Gyűrű, ötlet, üveg', 'gyuru-otlet-uveg'],
  ['English (US)', 'Қазақ тілі, ўзбек тили, тоҷикӣ', 'kazak-tili-ozbek-tili-tojiki'],
  ['Japanese', 'カメラ がっこう', 'kamera-gakkou'],
  ['Japanese', 'ﾊﾟﾝ ﾄﾞｱ', 'pan-doa'],
  ['Japanese', '東京 ラーメン 2026', 'ramen-2026'],
  ['Korean', '한국어 김치 만들기', 'hangugeo-gimchi-mandeulgi'],
  ['Serbian', 'Љубав, чаша, ђак', 'ljubav-casa-djak'],
  ['Spanish', 'Pingüino del año', 'pinguino-del-ano'],
  ['Swedish', 'Åäö i Göteborg', 'aao-i-goteborg'],
  ['Thai', 'ภาษาไทย', 'phasathai'],
  ['Turkish', 'Türkçe öğrenme ücreti', 'turkce-ogrenme-ucreti'],
  ['Turkish', 'IŞIK İstanbul', 'isik-istanbul'],
  ['Ukrainian', 'Україна, Київ, їжа, здоров’я', 'ukraina-kyiv-yizha-zdorovia'],
  // A small remainder does not represent the title, but a title that is a number does.
  ['Japanese', '東京 2026', ''],
  ['Japanese', '東京の美味しい店', ''],
  ['English (US)', '园艺工具', 'yuan-yi-gong-ju'],
  ['German', '最好的自行车灯 2026', 'zui-hao-de-zi-xing-che-deng-2026'],
  ['English (US)', '東京 A', 'dong-jing-a'],
  ['English (US)', '東京の美味しい店', ''],
  ['English (US)', 'ラーメン', 'ramen'],
  ['Japanese', '园艺工具', ''],
  ['Japanese', '1984', '1984'],
])('in %s, %j becomes %j', (language, text, slug) => {
  expect(slugIn(language, text)).toBe(slug)
  expect(slugIn(language, slug)).toBe(slug)
})

it('is ASCII in every language, whatever the text', () => {
  fc.assert(
    fc.property(fc.constantFrom(...LANGUAGES), fc.string({ unit: 'grapheme', maxLength: 100 }), (language, text) => {
      expect(slugIn(language, text)).toMatch(/^([a-z0-9]+(-[a-z0-9]+)*)?$/)
    }),
  )
})

it('is always ASCII letters, digits and single hyphens, short enough, and a slug of itself', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => {
      const slug = slugify(text)
      expect(slug).toMatch(/^([a-z0-9]+(-[a-z0-9]+)*)?$/)
      expect(slug.length).toBeLessThanOrEqual(MAX_SLUG)
      expect(slugify(slug)).toBe(slug)
    }),
  )
})

it('is cut between words, and inside the only one where it must be', () => {
  expect(slugify(`${'word '.repeat(15)}longer`)).toBe(Array.from({ length: 15 }, () => 'word').join('-'))
  expect(slugify('x'.repeat(100))).toBe('x'.repeat(80))
  expect(cutSlug('one-two-three', 7)).toBe('one-two')
  expect(cutSlug('one-two-three', 9)).toBe('one-two')
  expect(cutSlug('one-two-three', 2)).toBe('on')
})

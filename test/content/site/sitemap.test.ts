import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { shareOf } from '../../../src/content/site/rules.ts'
import { readPieces, readSitemap } from '../../../src/content/site/sitemap.ts'
import { cpuMs } from '../../support/cpu-time.ts'

const bytes = (text: string | Uint8Array) =>
  new Uint8Array(typeof text === 'string' ? new TextEncoder().encode(text) : text)
const read = (text: string, limit?: number) => readSitemap(bytes(text), limit)
const urlset = (locations: string[]) =>
  `<?xml version="1.0"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${locations.map((l) => `<url>\n <loc>${l}</loc><lastmod>2026-01-01</lastmod></url>`).join('')}</urlset>`

it.each([
  [{ addresses: 0, files: 1 }, 0, 50_000],
  [{ addresses: 0, files: 1 }, 1, 49_000],
  [{ addresses: 0, files: 1 }, 9, 41_000],
  [{ addresses: 45_000, files: 20 }, 30, 161],
  [{ addresses: 49_999, files: 2 }, 5, 0],
])('with %j read and %i files waiting, a file takes at most %i addresses', (progress, waiting, most) => {
  expect(shareOf(progress, waiting)).toBe(most)
})

describe('a sitemap', () => {
  it('gives the addresses of its pages', async () => {
    expect(await read(urlset(['https://a.example/', ' https://a.example/b\n']))).toEqual({
      pages: ['https://a.example/', 'https://a.example/b'],
      sitemaps: [],
      languages: new Map(),
      cut: false,
      isHtml: false,
    })
  })

  it('gives the further files of an index', async () => {
    const text = '<sitemapindex><sitemap><loc>https://a.example/1.xml.gz</loc></sitemap></sitemapindex>'
    expect(await read(text)).toEqual({
      pages: [],
      sitemaps: ['https://a.example/1.xml.gz'],
      languages: new Map(),
      cut: false,
      isHtml: false,
    })
  })

  it('resolves entities, CDATA and character references', async () => {
    const { pages } = await read(
      urlset([
        'https://a.example/?a=1&amp;b=&apos;&#x41;&#66;',
        '<![CDATA[https://a.example/?x=1&y=<2>]]>',
        'https://a.example/?a=1&region=de',
      ]),
    )
    expect(pages).toEqual([
      "https://a.example/?a=1&b='AB",
      'https://a.example/?x=1&y=<2>',
      'https://a.example/?a=1&region=de',
    ])
  })

  it('leaves out images and videos, and what stands in comments', async () => {
    const text = `<urlset xmlns:image="i"><url><loc>https://a.example/p</loc><image:image><image:loc>https://a.example/i.png</image:loc></image:image></url>
      <!-- <url><loc>https://a.example/not</loc></url> --></urlset>`
    expect((await read(text)).pages).toEqual(['https://a.example/p'])
  })

  it('may put its own elements under a prefix', async () => {
    const text = '<sm:urlset xmlns:sm="s"><sm:url><sm:loc>https://a.example/p</sm:loc></sm:url></sm:urlset>'
    expect((await read(text)).pages).toEqual(['https://a.example/p'])
  })

  it('may be plain text', async () => {
    expect((await read('https://a.example/1\r\nhttps://a.example/2\n\nnonsense\nhttps://a.example/3')).pages).toEqual([
      'https://a.example/1',
      'https://a.example/2',
      'https://a.example/3',
    ])
  })

  it('is unpacked when it is packed, whatever it is called', async () => {
    const packed = bytes(gzipSync(urlset(['https://a.example/packed'])))
    expect((await readSitemap(packed)).pages).toEqual(['https://a.example/packed'])
  })

  it.each([
    ['ends in a tag', '<urlset><url><loc>https://a.example/1</loc></url><url><loc', 1],
    ['ends in an address', '<urlset><url><loc>https://a.example/1</loc></url><url><loc>https://a.ex', 1],
    ['closes nothing', '<urlset><url><loc>https://a.example/1</loc><url><loc>https://a.example/2</loc>', 2],
    ['is a page', '<!doctype html><html><body><a href="/x">x</a></body></html>', 0],
    ['is empty', '', 0],
    ['is no text', '\u0000\u0001\u0002', 0],
  ])('that %s gives the readable addresses', async (_, text, count) =>
    expect((await read(text)).pages).toHaveLength(count),
  )

  it('that is packed and damaged gives the addresses before the damage', async () => {
    const many = Array.from({ length: 2_000 }, (_, n) => `https://a.example/${n}-${Math.sin(n)}`)
    const packed = gzipSync(urlset(many))
    const damaged = bytes(packed.subarray(0, packed.length - 2_000))
    const sitemap = await readSitemap(damaged)
    expect(sitemap.cut).toBe(true)
    expect(sitemap.pages.every((page, n) => page === many[n])).toBe(true)
  })

  it('of 60,000 addresses gives 50,000, soon', async () => {
    const packed = bytes(
      gzipSync(urlset(Array.from({ length: 60_000 }, (_, n) => `https://a.example/pages/page-${n}`))),
    )
    const started = cpuMs()
    const { pages, cut } = await readSitemap(packed)
    expect(cpuMs() - started).toBeLessThan(10_000)
    expect([pages.length, new Set(pages).size, cut]).toEqual([50_000, 50_000, true])
  })

  it('that unpacks endlessly is stopped at 50 MiB', async () => {
    const bomb = bytes(gzipSync(Buffer.alloc(80 * 1024 * 1024, ' ')))
    expect(bomb.length).toBeLessThan(300_000)
    const before = process.memoryUsage().rss
    const sitemap = await readSitemap(bomb)
    expect(sitemap).toEqual({ pages: [], sitemaps: [], languages: new Map(), cut: true, isHtml: false })
    expect(process.memoryUsage().rss - before).toBeLessThan(400 * 1024 * 1024)
  })

  it('is the same however its bytes are cut into pieces', async () => {
    const text = urlset([
      'https://a.example/é&amp;1',
      '<![CDATA[https://a.example/2]]>',
      'https://a.example/3<!-- x -->',
    ])
    const whole = await read(text)
    expect(whole.pages).toEqual(['https://a.example/é&1', 'https://a.example/2', 'https://a.example/3'])
    const byBytes = new ReadableStream<Uint8Array>({
      start(controller) {
        for (const byte of bytes(text)) controller.enqueue(new Uint8Array([byte]))
        controller.close()
      },
    })
    expect(await readPieces(byBytes, 100)).toEqual(whole)
  })
})

// browsertrix-crawler#578, crawler-commons#161
describe('other files that are named as a sitemap', () => {
  it.each([
    ['names in capitals', '<URLSET><URL><LOC>https://a.example/1</LOC></URL></URLSET>'],
    [
      'RSS without links',
      '<rss><item><guid>https://a.example/1</guid></item><item><guid isPermaLink="false">https://a.example/2</guid></item></rss>',
    ],
    [
      'RSS with both',
      '<rss><item><guid isPermaLink="true">https://a.example/?p=1</guid><link>https://a.example/1</link></item></rss>',
    ],
    [
      'ids that are no addresses',
      '<rss><item><link>https://a.example/1</link></item><item><guid>tag:a,2026</guid></item></rss>',
    ],
    [
      'Atom that quotes',
      '<feed><entry><source><link href="https://b.example/"/></source><link REL="Alternate" HREF="https://a.example/1"/></entry></feed>',
    ],
    ['RSS 1.0', '<rdf:RDF><item rdf:about="x"><link>\n https://a.example/1 </link></item></rdf:RDF>'],
  ])('%s', async (_, text) => expect((await read(text)).pages).toEqual(['https://a.example/1']))

  it('RSS has the link of each item', async () => {
    const rss = `<?xml version="1.0"?><rss xmlns:atom="http://www.w3.org/2005/Atom"><channel><link>https://a.example/</link>
      <atom:link href="https://a.example/feed" rel="self"/><item><title>One</title><link>https://a.example/one?a=1&amp;b=2</link>
      <atom:link href="https://a.example/no"/></item><item><link><![CDATA[https://a.example/two]]></link></item></channel></rss>`
    expect((await read(rss)).pages).toEqual(['https://a.example/one?a=1&b=2', 'https://a.example/two'])
  })

  it('Atom has the link of each entry to itself', async () => {
    const atom = `<feed xmlns="http://www.w3.org/2005/Atom"><link href="https://a.example/"/><entry><link rel="edit" href="https://a.example/edit"/>
      <link rel='alternate' href='https://a.example/one'/></entry><entry><link href="https://a.example/two"></link></entry></feed>`
    expect((await read(atom)).pages).toEqual(['https://a.example/one', 'https://a.example/two'])
  })

  it.each([
    ['utf-16le', 'UTF-16 by its mark', ''],
    ['latin1', 'the header’s character set', 'application/xml; charset=iso-8859-1'],
  ] as const)('%s: %s', async (encoding, _, type) => {
    const text = `${encoding === 'latin1' ? '' : '\ufeff'}<urlset><url><loc>https://a.example/brötchen</loc></url></urlset>`
    const bytes = new Uint8Array(Buffer.from(text, encoding))
    expect((await readSitemap(bytes, undefined, type)).pages).toEqual(['https://a.example/brötchen'])
  })
})

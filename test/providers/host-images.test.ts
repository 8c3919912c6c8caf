import '../support/html-rewriter.ts'
import { expect, it } from 'vitest'
import { hostImages } from '../../src/providers/cms/host-images.ts'
import type { Cms } from '../../src/publishing/cms.ts'
import type { Keeping } from '../../src/publishing/port.ts'

const keeping = (time = true): Keeping & { learned: Map<string, string> } => {
  const learned = new Map<string, string>()
  return {
    learned,
    version: async () => {},
    hostedImages: async (urls) => new Map([...learned].filter(([url]) => urls.includes(url))),
    hosted: async (url, hostedUrl) => {
      learned.set(url, hostedUrl)
    },
    hasTime: () => time,
  }
}

const cms = (hosted: string[]): Cms =>
  ({
    hostImage: async ({ url }: { url: string }) => {
      hosted.push(url)
      return { kind: 'done', value: `https://cms.example/${hosted.length}.png?a=1&b=2` }
    },
  }) as unknown as Cms

const HTML = '<p>Words</p><img src="https://a.example/x.png?q=1&amp;r=2" srcset="https://a.example/x2.png 2x" alt="X">'

it('uploads an image once ever and points the HTML there, whatever its address holds', async () => {
  const hosted: string[] = []
  const kept = keeping()
  const first = await hostImages(cms(hosted), kept, HTML + HTML)
  expect(hosted).toEqual(['https://a.example/x.png?q=1&r=2'])
  const there = '<img src="https://cms.example/1.png?a=1&amp;b=2" alt="X">'
  expect(first).toEqual({ html: `<p>Words</p>${there}<p>Words</p>${there}`, notes: [] })
  expect(await hostImages(cms(hosted), kept, HTML)).toEqual({ html: `<p>Words</p>${there}`, notes: [] })
  expect(hosted).toHaveLength(1)
  // What points to the CMS already is left alone.
  expect(await hostImages(cms(hosted), keeping(), '<img src="data:image/png;base64,AA">')).toMatchObject({ notes: [] })
})

it('says what stays where it is: no time left, or a platform that takes no images', async () => {
  const hosted: string[] = []
  const late = await hostImages(cms(hosted), keeping(false), HTML)
  expect([hosted, late.html, late.notes]).toEqual([[], HTML, [expect.stringContaining('x.png')]])
  const without = await hostImages({} as Cms, keeping(), HTML)
  expect([without.html, without.notes]).toEqual([HTML, [expect.stringContaining('stay where they are')]])
})

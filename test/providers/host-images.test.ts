import { expect, it } from 'vitest'
import { hostImages } from '../../src/providers/cms/host-images.ts'
import type { Cms } from '../../src/publishing/target/cms-adapter.ts'
import type { Keeping } from '../../src/publishing/target/publish-target.ts'

const keeping = (time = true): Keeping & { learned: Map<string, string> } => {
  const learned = new Map<string, string>()
  return {
    learned,
    dropVersion: async () => {},
    version: async () => {},
    sentBefore: async () => [],
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

it('takes the other sources of a picture away, which browsers would show instead of the copy', async () => {
  const picture = (src: string, source = '') => `<picture>${source}<img src="${src}"></picture>`
  const source = '<source srcset="https://a.example/x.webp" type="image/webp">'
  const others = `<video><source src="/v.mp4"></video>${picture('/y.png', '<source srcset="/y.webp">')}`
  const { html } = await hostImages(cms([]), keeping(), { html: others + picture('https://a.example/x.png', source) })
  expect(html).toBe(others + picture('https://cms.example/1.png?a=1&amp;b=2'))
  const video = (src: string) => `<video><source src="/v.mp4"><img src="${src}"></video>`
  const made = await hostImages(cms([]), keeping(), { html: video('https://a.example/x.png') })
  expect(made.html).toBe(video('https://cms.example/1.png?a=1&amp;b=2'))
})

it('uploads an image only once and changes the HTML, whatever its address', async () => {
  const hosted: string[] = []
  const kept = keeping()
  const first = await hostImages(cms(hosted), kept, { html: HTML + HTML })
  expect(hosted).toEqual(['https://a.example/x.png?q=1&r=2'])
  const there = '<img src="https://cms.example/1.png?a=1&amp;b=2" alt="X">'
  expect(first).toEqual({ html: `<p>Words</p>${there}<p>Words</p>${there}`, notes: [] })
  expect(await hostImages(cms(hosted), kept, { html: HTML })).toEqual({ html: `<p>Words</p>${there}`, notes: [] })
  expect(hosted).toHaveLength(1)
  // Addresses at the CMS stay unchanged.
  expect(await hostImages(cms(hosted), keeping(), { html: '<img src="data:image/png;base64,AA">' })).toMatchObject({
    notes: [],
  })
})

it('notes images that stay: no time left, or a platform without uploads', async () => {
  const hosted: string[] = []
  const late = await hostImages(cms(hosted), keeping(false), { html: HTML })
  expect([hosted, late.html, late.notes]).toEqual([[], HTML, [expect.stringContaining('x.png')]])
  const without = await hostImages({} as Cms, keeping(), { html: HTML })
  expect([without.html, without.notes]).toEqual([HTML, [expect.stringContaining('stay where they are')]])
})

it('uploads the feature image once, too, if the CMS stores all images', async () => {
  const hosted: string[] = []
  const kept = keeping()
  const image = { url: 'https://a.example/cover.png', alt: 'C' }
  const takes = { ...cms(hosted), importsImages: true } as Cms
  const first = await hostImages(takes, kept, { html: '<p>Words</p>', image })
  expect(first).toMatchObject({ html: '<p>Words</p>', image: { url: 'https://cms.example/1.png?a=1&b=2', alt: 'C' } })
  expect(await hostImages(takes, kept, { html: '<p>Words</p>', image })).toEqual(first)
  expect(hosted).toEqual([image.url])
  expect(await hostImages(cms(hosted), kept, { html: '<p>Words</p>', image })).toMatchObject({ image })
})

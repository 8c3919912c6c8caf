import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Gallery, openGallery, PAGES } from './gallery.ts'
import { CATEGORIES, scoresOf } from './lighthouse.ts'

let gallery: Gallery

beforeAll(async () => {
  gallery = await openGallery()
})

afterAll(() => gallery?.close())

it.each(PAGES.filter(([, { status }]) => status === undefined))(
  '%s: Lighthouse gives 95 or more for speed, practices and search engines',
  async (_, { path, signedIn }) => {
    const { stack, chromium, cookies } = gallery
    const cookie = signedIn ? cookies.map(({ name, value }) => `${name}=${value}`).join('; ') : ''
    const scores = await scoresOf(stack.url + path(gallery), chromium.port, cookie)
    const low = Object.entries(scores).filter(([, { score }]) => score !== null && score < 95)
    expect(low, JSON.stringify(low, null, 1)).toEqual([])
    expect(Object.keys(scores)).toEqual(CATEGORIES)
  },
)

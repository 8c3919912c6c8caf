import { expect, inject, it } from 'vitest'
import { startWordpress } from '../../local/cms/wordpress.ts'
import { PRICES, runCareGuide, SENTENCE } from './care-guide.ts'

const stack = inject('stack')

const TEXTS = [
  `<!-- wp:paragraph {"dropCap":true} -->\n<p class="has-drop-cap">${SENTENCE}.</p>\n<!-- /wp:paragraph -->\n\n<!-- wp:acme/map {"zoom":2.0} /-->`,
  `The old oven.\n\n${SENTENCE}, [phone] us.`,
  `<!-- wp:paragraph -->\n<p>No price here.</p>\n<!-- /wp:paragraph -->`,
]

it('the blocks of docs/guides/old-posts.md adopt a blog, change a price in its posts, and take it back', async () => {
  const wordpress = await startWordpress()
  try {
    const authorization = `Basic ${Buffer.from(`admin:${wordpress.passwordOf('admin')}`).toString('base64')}`
    for (const [n, content] of TEXTS.entries())
      await fetch(`${wordpress.url}/wp-json/wp/v2/posts`, {
        method: 'POST',
        headers: { authorization, 'content-type': 'application/json' },
        body: JSON.stringify({ status: 'publish', title: `Bread ${n}`, slug: `bread-${n}`, content }),
      })
    const texts = () => wordpress.posts().map(({ content }) => content)
    let released: string[] = []
    const fields = { cms_username: 'admin', integration_key: wordpress.passwordOf('admin') }
    const { end, out } = await runCareGuide(
      stack,
      { platform: 'wordpress', cms_url: wordpress.url, ...fields },
      {
        released: async () => {
          released = texts()
        },
      },
    )
    expect(end).toMatchObject({ adoption: 'done', state: 'reverted', reverted: 2 })
    expect(released).toEqual(TEXTS.map((text) => text.replace(PRICES.before, PRICES.after)))
    expect(texts()).toEqual(TEXTS)
    // What a reader of the guide sees of each step.
    expect(out).toMatch(/thin, such as “Bread \d”/)
    expect(out).toContain('<del>4.50</del><ins>4.80</ins>')
    expect(out).toContain('"status": "awaiting_approval"')
  } finally {
    await wordpress.close()
  }
})

import { afterAll, beforeAll, expect, test } from 'vitest'
import { adoptedPosts } from '../../providers/cms/wordpress/conduct-adopted.ts'
import { openScene, type Scene } from '../../providers/cms/wordpress/scene.ts'
import { realSite } from './site.ts'

let scene: Scene
beforeAll(async () => {
  scene = await openScene(realSite())
})
afterAll(() => scene.close())

/** First words of paragraphs, headings and items. */
const WORDS = /(<(?:p|h[2-6]|li)\b[^>]*>)(?=[A-Za-z]{3,})/g
/** Patterns in one post. */
const AT_ONCE = 8

test('of all patterns of WordPress words change, and nothing else', { timeout: 400_000 }, async () => {
  const { make, stored, send } = adoptedPosts(() => scene)
  const patterns = (await scene.ask('block-patterns/patterns')).json as { name: string; content: string }[]
  let changed = 0
  for (let at = 0; at < patterns.length; at += AT_ONCE) {
    const some = patterns.slice(at, at + AT_ONCE)
    const names = some.map(({ name }) => name).join(', ')
    const post = await make(some.map(({ content }) => content).join('\n\n'))
    const before = await stored(post)
    const { outcome } = await send(post, (given) => given.replace(WORDS, '$1Zebra '))
    // Previews of kept blocks have words, too, which are not sent.
    expect(outcome, names).toMatchObject({ kind: 'accepted' })
    const after = await stored(post)
    expect(after.replaceAll('Zebra ', ''), names).toBe(before)
    changed += after.match(/Zebra /g)?.length ?? 0
  }
  expect(changed).toBeGreaterThan(60)
})

import { expect, inject, it } from 'vitest'

const stack = inject('stack')
const page = async () => await (await fetch(stack.url, { headers: { accept: 'text/html' } })).text()

it('the home page has a picture, a button for each price, questions, and a card for sharing', async () => {
  const text = await page()
  expect(text.match(/Start with (?:Agentic|Pro|Accelerator)/g)).toHaveLength(3)
  expect(text.match(/<details><summary>/g)?.length).toBeGreaterThanOrEqual(4)
  for (const name of ['title', 'description', 'url', 'image', 'image:alt'])
    expect(text).toMatch(new RegExp(`<meta property="og:${name}" content="[^"]+"`))
  expect(text).toContain('rel="icon"')
})

it('the card’s picture is an absolute address of a PNG as large as its tags say', async () => {
  const text = await page()
  const tag = (name: string) => new RegExp(`property="og:${name}" content="([^"]+)"`).exec(text)?.[1] ?? ''
  const { pathname } = new URL(tag('image'))
  const answer = await fetch(`${stack.url}${pathname}`)
  expect(answer.headers.get('content-type')).toBe('image/png')
  const bytes = new DataView(await answer.arrayBuffer())
  expect(bytes.getUint32(0)).toBe(0x89504e47)
  expect([bytes.getUint32(16), bytes.getUint32(20)]).toEqual([Number(tag('image:width')), Number(tag('image:height'))])
})

import { describe, expect, it } from 'vitest'
import { mapFields, toRichText, urlPrefixOf } from '../../../../src/providers/cms/webflow/transform.ts'

const field = (slug: string, type: string, more = {}) => ({ slug, type, ...more })
const collection = (fields: ReturnType<typeof field>[]) => ({ id: 'c', slug: 'post', fields })

describe('toRichText', () => {
  it('wraps the outermost element that rich text loses, and leaves embeds alone', async () => {
    const table = '<table><tr><td><pre>x</pre></td></tr></table>'
    const embed = '<div data-rt-embed-type="true"><iframe src="/y"></iframe></div>'
    expect(await toRichText(`<p>a</p>${table}${embed}<p>b</p>`)).toEqual({
      html: `<p>a</p><div data-rt-embed-type="true">${table}</div>${embed}<p>b</p>`,
      embeds: ['table'],
    })
    expect((await toRichText('<iframe src="https://www.youtube.com/embed/1"></iframe><pre>code</pre>')).embeds).toEqual(
      ['iframe', 'pre'],
    )
  })
})

describe('mapFields', () => {
  it('finds fields by type and name', () => {
    const result = mapFields(
      {},
      collection([
        field('post-body', 'RichText'),
        field('post-summary', 'PlainText'),
        field('thumbnail', 'Image'),
        field('main-image', 'Image'),
        field('category', 'Reference'),
      ]),
    )
    const slugs = 'mapping' in result && Object.entries(result.mapping).map(([part, f]) => [part, f.slug])
    expect(Object.fromEntries(slugs || [])).toEqual({
      body: 'post-body',
      summary: 'post-summary',
      image: 'main-image',
      category: 'category',
    })
  })

  it.each([
    ['no field for the text', {}, [field('summary', 'PlainText')], /no rich text field/],
    [
      'a required field nobody fills',
      {},
      [field('body', 'RichText'), field('price', 'Number', { isRequired: true })],
      /: price\. /,
    ],
    [
      'a chosen field that is not there',
      { body: 'bodi' },
      [field('body', 'RichText')],
      /no field "bodi".*Its fields are: body/,
    ],
    [
      'a chosen field of another type',
      { body: 'price' },
      [field('price', 'Number')],
      /is of type Number, not RichText/,
    ],
  ])('refuses %s', (_, chosen, fields, why) => {
    expect(mapFields(chosen, collection(fields))).toEqual({ problem: expect.stringMatching(why) })
  })

  it('leaves out a part that is mapped to no field', () => {
    const result = mapFields({ image: '' }, collection([field('body', 'RichText'), field('main-image', 'Image')]))
    expect('mapping' in result && result.mapping.image).toBe(undefined)
  })
})

it('reads items at the own domain, else at webflow.io', () => {
  const site = { id: 's', shortName: 'shed' }
  expect(urlPrefixOf({ ...site, customDomains: [{ url: 'https://www.shed.example/' }] }, 'post')).toBe(
    'https://www.shed.example/post',
  )
  expect(urlPrefixOf(site, 'post')).toBe('https://shed.webflow.io/post')
})

import { expect, test } from 'vitest'
import { isStoredForm } from '../../../../src/content/stored/forms.ts'
import { htmlOfStored } from '../../../../src/content/stored/show.ts'
import type { CmsVersion } from '../../../../src/publishing/target/cms-adapter.ts'
import type { SentWords } from '../../../../src/publishing/target/sent-words.ts'
import { article, keepingFor } from '../../drive.ts'
import { change, type Scene, type Site, type Way } from './scene.ts'

type Made = { id: number; slug: string; content: { raw: string } }

/** A post as a theme and its plugins leave it: blocks with styles, a gallery, columns, blocks of plugins, an embed. */
const THEMED = `<!-- wp:paragraph {"dropCap":true,"style":{"typography":{"fontSize":"1.2rem"}}} -->
<p class="has-drop-cap" style="font-size:1.2rem">The <a href="https://shed.example/" target="_blank" rel="noreferrer noopener">old shed</a> stood for thirty years.</p>
<!-- /wp:paragraph -->

<!-- wp:gallery {"linkTo":"none","className":"is-style-round"} -->
<figure class="wp-block-gallery has-nested-images columns-default is-cropped is-style-round"><!-- wp:image {"sizeSlug":"large"} -->
<figure class="wp-block-image size-large"><img src="https://shed.example/1.jpg" alt=""/></figure>
<!-- /wp:image --></figure>
<!-- /wp:gallery -->

<!-- wp:columns -->
<div class="wp-block-columns"><!-- wp:column {"width":"66.66%"} -->
<div class="wp-block-column" style="flex-basis:66.66%"><!-- wp:heading {"level":3} -->
<h3 class="wp-block-heading">Oak &amp; elm</h3>
<!-- /wp:heading -->

<!-- wp:list -->
<ul><!-- wp:list-item -->
<li>Oak lasts.</li>
<!-- /wp:list-item --></ul>
<!-- /wp:list --></div>
<!-- /wp:column -->

<!-- wp:column {"width":"33.33%"} -->
<div class="wp-block-column" style="flex-basis:33.33%"><!-- wp:acme/price {"price":"2.0","note":"\\u003cb\\u003enet\\u003c/b\\u003e"} /--></div>
<!-- /wp:column --></div>
<!-- /wp:columns -->

<!-- wp:embed {"url":"https://www.youtube.com/watch?v=x","type":"video","providerNameSlug":"youtube"} -->
<figure class="wp-block-embed is-type-video is-provider-youtube"><div class="wp-block-embed__wrapper">
https://www.youtube.com/watch?v=x
</div></figure>
<!-- /wp:embed -->

<!-- wp:shortcode -->
[contact-form-7 id="12" title="Ask us"]
<!-- /wp:shortcode -->

<!-- wp:paragraph -->
<p>It ends here, back\\slash and all.</p>
<!-- /wp:paragraph -->`

const CLASSIC =
  'The old\nshed &amp; barn.\n\n<h2>Why</h2>\nOak lasts, see [phone] there.\n\n[gallery ids="1,2"]\n\nThe end.'

/** Returns a caller of a site’s posts that the service did not make. */
export const adoptedPosts = (scene: () => Scene, way: Way = 'core') => {
  const make = async (content: string, author?: number): Promise<Made> => {
    const title = `A post of the site ${Math.random().toString(36).slice(2)}`
    const json = { title, content, status: 'publish', ...(author === undefined ? {} : { author }) }
    return (await scene().ask('posts?context=edit', { method: 'POST', json })).json as Made
  }
  const stored = async ({ id }: Made): Promise<string> =>
    ((await scene().ask(`posts/${id}?context=edit`)).json as Made).content.raw

  /** Adopts a post, changes its HTML, and sends it. */
  const send = async (post: Made, edit: (html: string) => string, user: keyof Site['passwords'] = 'admin') => {
    const read = await scene()
      .cms(way, user)
      .readPost?.({ postId: String(post.id) })
    if (read?.kind !== 'done' || read.value === null || !isStoredForm(read.value.format)) throw new Error('not read')
    const { format, text } = read.value
    const html = htmlOfStored({ format, text }) ?? ''
    const versions: CmsVersion[] = []
    const known: SentWords[] = [{ ...scene().request().article, content_html: html }]
    const article = { external_id: String(post.id), slug: post.slug, content_html: edit(html) }
    const request = change(scene().request(article), { isAdopted: true, only: ['html'] })
    const target = scene().target(way, user)
    const outcome = await target.deliver(
      request,
      keepingFor(() => known, versions),
    )
    return { outcome, request, versions, target }
  }
  return { make, stored, send }
}

/** Tests of any WordPress, real or stand-in, with posts that the service did not make. */
export const conductAdopted = (scene: () => Scene, way: Way): void => {
  const { make, stored, send } = adoptedPosts(scene, way)

  test.each([
    ['a sentence', THEMED, 'thirty years', 'forty years'],
    ['a sentence at the end', THEMED, 'It ends here', 'It does not end here'],
    ['words in columns', THEMED, 'Oak lasts.', 'Oak lasts long.'],
    ['a heading', THEMED, 'Oak &amp; elm', 'Oak, elm &amp; ash'],
    ['a line of a classic text', CLASSIC, 'barn', 'stable'],
    ['a sentence with a shortcode', CLASSIC, 'Oak lasts', 'Elm lasts'],
  ])('%s changes, and nothing else of the stored text', async (_, text, before, after) => {
    const post = await make(text)
    const as = await stored(post)
    expect(as).toBe(text)
    const { outcome, request, versions, target } = await send(post, (html) => html.replace(before, after))
    expect(outcome).toMatchObject({ kind: 'accepted' })
    expect(outcome).not.toHaveProperty('notes')
    expect(await stored(post)).toBe(text.replace(before, after))
    const revisions = (await scene().ask(`posts/${post.id}/revisions?context=edit`)).json as Made[]
    expect(revisions.map(({ content }) => content.raw)).toEqual([text.replace(before, after), text])
    const back = await target.restore?.(
      request,
      versions[0] ?? {},
      keepingFor(() => []),
    )
    expect(back).toMatchObject({ kind: 'accepted' })
    expect(await stored(post)).toBe(text)
  })

  test('a paragraph and an item are new blocks of the editor', async () => {
    const post = await make(THEMED)
    await send(post, (html) =>
      html
        .replace('<p>It ends', '<p>One <strong>more</strong>.</p><p>It ends')
        .replace('</ul>', '<li>Elm, too.</li></ul>'),
    )
    expect(await stored(post)).toBe(
      THEMED.replace(
        '<!-- wp:paragraph -->',
        '<!-- wp:paragraph -->\n<p>One <strong>more</strong>.</p>\n<!-- /wp:paragraph -->\n\n<!-- wp:paragraph -->',
      ).replace(
        '<!-- /wp:list-item -->',
        '<!-- /wp:list-item -->\n\n<!-- wp:list-item -->\n<li>Elm, too.</li>\n<!-- /wp:list-item -->',
      ),
    )
  })

  test.skipIf(way === 'plugin')(
    'an author changes plain blocks, and nothing if WordPress would take something out',
    async () => {
      const author = ((await scene().ask('users?search=author')).json as { id: number }[])[0]?.id
      const plain = '<!-- wp:paragraph -->\n<p>Plain words.</p>\n<!-- /wp:paragraph -->'
      const post = await make(plain, author)
      expect((await send(post, (html) => html.replace('Plain', 'Fine'), 'author')).outcome).toMatchObject({
        kind: 'accepted',
      })
      expect(await stored(post)).toBe(plain.replace('Plain', 'Fine'))
      const framed = `${plain}\n\n<!-- wp:html -->\n<iframe src="https://shed.example/plan"></iframe>\n<!-- /wp:html -->`
      const other = await make(framed, author)
      expect((await send(other, (html) => html.replace('Plain', 'Fine'), 'author')).outcome).toMatchObject({
        kind: 'refused',
        retryable: false,
        reason: expect.stringContaining('<iframe'),
      })
      expect(await stored(other)).toBe(framed)
    },
  )

  test('a text made of an older one is not written', async () => {
    const post = await make(THEMED)
    const theirs = THEMED.replace('old shed', 'red shed')
    await scene().ask(`posts/${post.id}`, { method: 'POST', json: { content: theirs } })
    const stale = await scene()
      .cms(way)
      .update(
        String(post.id),
        {
          ...article({ slug: post.slug }),
          isAdopted: true,
          stored: { from: THEMED, to: THEMED.replace('thirty', 'fifty') },
        },
        { intent: 'change', only: ['html'] },
      )
    expect(stale).toMatchObject({ kind: 'refused', code: 'changed' })
    expect(await stored(post)).toBe(theirs)
  })

  test.runIf(way === 'plugin')('the key adds no part that runs, and changes no post that was not adopted', async () => {
    const framed = `${THEMED}\n\n<!-- wp:html -->\n<svg onload="draw()"></svg><form action="/f"></form>\n<!-- /wp:html -->`
    const post = await make(framed)
    const update = (to: string, isAdopted: boolean) =>
      scene()
        .cms(way)
        .update(
          String(post.id),
          { ...article({ slug: post.slug }), ...(isAdopted ? { isAdopted } : {}), stored: { from: framed, to } },
          { intent: 'change', only: ['html'] },
        )
    const added = ['<script>x()</script>', '<p onclick="x()">y</p>', '<form action="/g">', '<svg onload="x()"></svg>']
    for (const one of added)
      expect(await update(framed.replace('<svg', `${one}<svg`), true), one).toMatchObject({
        kind: 'refused',
        code: 'validation',
      })
    expect(await update(framed.replace('thirty', 'forty'), false)).toMatchObject({ kind: 'refused', code: 'conflict' })
    expect(await stored(post)).toBe(framed)
    expect(await update(framed.replace('thirty', 'forty'), true)).toMatchObject({ kind: 'done' })
    expect(await stored(post)).toBe(framed.replace('thirty', 'forty'))
  })
}

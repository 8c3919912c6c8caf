import { expect, it } from 'vitest'
import { htmlOfStored } from '../../../../src/content/stored/show.ts'
import { cmsTarget } from '../../../../src/providers/cms/posts.ts'
import type { CmsVersion } from '../../../../src/publishing/target/cms-adapter.ts'
import { article, keepingFor, requestOf, valueIn } from '../../drive.ts'
import { cmsOf, type GhostSite } from './behaviour.ts'
import { BLOCK, documentOf, item, link, list, type Node, nodesOf, paragraph, text } from './lexical.ts'

/** Ghost under test, at which a person writes posts in the editor. */
export type EditedSite = GhostSite & {
  /** Makes a published post of a text of the editor. Returns its id. */
  writePost: (title: string, lexical: string) => Promise<string>
  /** Saves another text, as a person does. */
  saveText: (id: string, lexical: string) => Promise<unknown>
}

/** A post with cards of Ghost’s editor. Field names are those of its card tests (Ghost 6.65.0, MIT). */
const NODES: Node[] = [
  paragraph(
    text('The '),
    link('https://oak.example/', text('old shed')),
    text(' stood for '),
    text('thirty', 1),
    text(' years.'),
  ),
  { children: [text('Oak & elm')], ...BLOCK, type: 'extended-heading', tag: 'h2' },
  {
    type: 'callout',
    version: 1,
    calloutText: '<p dir="ltr"><span style="white-space: pre-wrap;">Mind the rain.</span></p>',
    calloutEmoji: '💡',
    backgroundColor: 'blue',
  },
  {
    type: 'image',
    version: 1,
    src: 'https://shed.example/a.png',
    width: 800,
    height: 600,
    title: '',
    alt: 'A shed',
    caption: '',
    cardWidth: 'wide',
    href: '',
  },
  {
    type: 'button',
    version: 1,
    buttonText: 'Join',
    alignment: 'center',
    buttonUrl: 'https://shed.example/join',
  },
  list(item(1, text('Oak lasts.')), item(2, text('Elm rots.'))),
  { type: 'html', version: 1, html: '<div onclick="x()">Odd <b>HTML</b></div>' },
  {
    type: 'toggle',
    version: 1,
    heading: '<span style="white-space: pre-wrap;">Why?</span>',
    content: '<p dir="ltr"><span style="white-space: pre-wrap;">Because.</span></p>',
  },
  { type: 'paywall', version: 1 },
  paragraph(text('For members: back\\slash and all.')),
]
const POST = documentOf(NODES)

/** Tests of posts that the service did not make, at the real Ghost and its stand-in alike. */
export const describeAdopted = (site: () => EditedSite): void => {
  const stored = async (id: string): Promise<string> => {
    const version = await cmsOf(site()).read?.(id)
    const read = version && valueIn(version)?.stored
    expect(read?.format).toBe('lexical')
    return read?.text ?? ''
  }

  /** Sends the HTML that a caller makes of the post’s, as a sync of an adopted article does. */
  const send = async (id: string, edit: (html: string) => string, known?: string) => {
    const before = known ?? htmlOfStored({ format: 'lexical', text: await stored(id) }) ?? ''
    const versions: CmsVersion[] = []
    const target = cmsTarget(cmsOf(site()), 'Galley')
    const sent = { title: 'x', content_html: before, meta_description: '', tags: [], category: '' }
    const request = {
      ...requestOf(site().now, { external_id: id, content_html: edit(before), tags: [] }, true),
      only: ['html' as const],
      isAdopted: true,
    }
    const outcome = await target.deliver(
      request,
      keepingFor(() => [sent as never], versions),
    )
    return { outcome, request, versions, target }
  }

  it.each([
    ['a sentence', 'thirty', 'forty'],
    ['a heading', 'Oak &amp; elm', 'Oak &amp; ash'],
    ['an item', 'Elm rots', 'Elm falls'],
    ['a sentence behind the members-only divider', 'For members', 'For friends'],
  ])('%s of an adopted post changes, and nothing else of its text', async (what, before, after) => {
    const id = await site().writePost(`Adopted: ${what}`, POST)
    const found = await stored(id)
    expect(nodesOf(found)).toEqual(NODES)
    const { outcome, request, versions, target } = await send(id, (html) => html.replace(before, after))
    expect(outcome).toMatchObject({ kind: 'accepted' })
    expect(outcome).not.toHaveProperty('notes')
    const plain = (html: string) => html.replace('&amp;', '&')
    expect(await stored(id)).toBe(found.replace(plain(before), plain(after)))
    const back = await target.restore?.(
      request,
      versions[0] ?? {},
      keepingFor(() => []),
    )
    expect(back).toMatchObject({ kind: 'accepted' })
    expect(await stored(id)).toBe(found)
  })

  it('a text without a card of the site, or over a change of people, is not sent', async () => {
    const id = await site().writePost('Adopted: kept', POST)
    const found = await stored(id)
    const known = htmlOfStored({ format: 'lexical', text: found }) ?? ''
    const lost = await send(id, (html) => html.replace(/<figure data-kept[\s\S]*?<\/figure>/, ''))
    expect(lost.outcome).toMatchObject({ kind: 'refused', reason: expect.stringContaining('Callout') })
    const theirs = found.replace('Elm rots', 'Elm stays')
    await site().saveText(id, theirs)
    const over = await send(id, (html) => html.replace('thirty', 'forty'), known)
    expect(over.outcome).toMatchObject({ kind: 'refused', reason: expect.stringContaining('Elm stays') })
    expect(nodesOf(await stored(id))).toEqual(nodesOf(theirs))
  })

  it('a text made of an older one is not written', async () => {
    const id = await site().writePost('Adopted: stale', POST)
    const found = await stored(id)
    const { slug } = valueIn((await cmsOf(site()).readPost?.({ postId: id })) ?? { kind: 'done', value: null }) ?? {
      slug: '',
    }
    const theirs = found.replace('Elm rots', 'Elm stays')
    await site().saveText(id, theirs)
    const stale = await cmsOf(site()).update(
      id,
      { ...article({ slug }), stored: { from: found, to: found.replace('thirty', 'fifty') } },
      { intent: 'change', only: ['html'] },
    )
    expect(stale).toMatchObject({ kind: 'refused', code: 'changed' })
    expect(nodesOf(await stored(id))).toEqual(nodesOf(theirs))
  })
}

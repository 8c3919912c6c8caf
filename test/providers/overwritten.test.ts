import { describe, expect, it } from 'vitest'
import { overwrittenNotes } from '../../src/providers/cms/overwritten.ts'
import type { CmsUpdate, CmsWords } from '../../src/publishing/target/cms-adapter.ts'
import type { SentWords } from '../../src/publishing/target/sent-words.ts'

const LEAD = 'Many words stand before the one that an editor put right in this text of ours. '.repeat(5)
const BEFORE: SentWords = {
  title: 'Sheds & huts',
  content_html: `<h2>Why</h2><p>${LEAD}A shed keeps <b>tools</b> dry.</p>`,
  meta_description: 'Sheds, step by step.',
  tags: ['Tools'],
  category: 'Guides',
  seo_title: 'Sheds | Guide',
}
const AFTER = { ...BEFORE, id: '7', title: 'New', content_html: '<p>New.</p>', meta_description: 'New.', tags: ['New'] }
const WORDS: CmsWords = {
  title: 'Sheds & huts',
  text: `Why\n${LEAD}A shed keeps tools dry.`,
  metaDescription: 'Sheds, step by step.',
  seoTitle: 'Sheds | Guide',
  tags: ['tools', 'Guides'],
}

const notes = (
  words: CmsWords,
  more: { article?: Partial<typeof AFTER>; update?: CmsUpdate; sent?: SentWords[] } = {},
) =>
  overwrittenNotes({ ...WORDS, ...words }, { ...AFTER, ...more.article }, more.sent ?? [BEFORE], {
    update: more.update ?? { intent: 'change' },
    canRestore: true,
  })

const CHANGED: CmsWords = { title: 'Sheds and huts', text: `Why ${LEAD}A shed keeps books dry.` }

describe('an update names words at the site that the service did not send', () => {
  it.each<[string, CmsWords, string]>([
    ['a title', { title: 'Sheds and huts' }, 'title (it was “Sheds and huts”)'],
    ['a word of the text, with what stands around it', CHANGED, 'A shed keeps books dry.”)'],
    ['a sentence that was taken out', { text: `Why ${LEAD}` }, 'content (it was “'],
    ['an amount of money', { text: `Why ${LEAD}A shed keeps tools $ dry.` }, 'tools $ dry.”)'],
    ['a description', { metaDescription: 'All of sheds.' }, 'meta_description (it was “All of sheds.”)'],
    ['a title for search engines', { seoTitle: 'By hand' }, 'seo_title (it was “By hand”)'],
    ['a tag', { tags: ['Tools', 'Summer', 'Guides'] }, 'tags (it was “Summer”)'],
    ['a sentence of a converted text', { isConverted: true, text: '- Quite another sentence.\n- x' }, 'Quite another'],
  ])('%s', (_, words, part) => {
    expect(notes(words)).toEqual([expect.stringContaining(part)])
    expect(notes(words)[0]).toContain('POST /articles/7/rollback puts the post back')
  })

  it.each<[string, CmsWords, Parameters<typeof notes>[1]]>([
    ['what was sent last, in blocks', { text: `Why\n\n${LEAD} A shed  keeps tools — dry` }, {}],
    ['parts that the update does not send', CHANGED, { update: { intent: 'change', only: ['tags'] } }],
    ['words that the update sends itself', { title: 'By hand' }, { article: { title: 'By hand' } }],
    ['words of a delivery whose end is not known', { title: 'Lost' }, { sent: [BEFORE, { ...BEFORE, title: 'Lost' }] }],
    ['a description that was taken away', { metaDescription: '' }, {}],
    ['a field that the article leaves to people', { seoTitle: 'By hand' }, { article: { seo_title: '' } }],
    ['tags that stay where the article has none', { tags: ['Summer'], keepsTags: true }, { article: { tags: [] } }],
    [
      'a text that was cut',
      { metaDescription: 'a'.repeat(120) },
      { sent: [{ ...BEFORE, meta_description: 'a'.repeat(600) }] },
    ],
    ['labels of a converted text', { isConverted: true, text: `Tip\n${LEAD}` }, {}],
  ])('and none of %s', (_, words, more) => {
    expect(notes(words, more)).toEqual([])
  })
})

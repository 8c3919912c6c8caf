import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fleschOf } from '../../../src/content/seo/checks.ts'
import { ctrCurve, priorityOf } from '../../../src/insights/suggestions/detect.ts'
import { differenceOf } from '../../../src/insights/suggestions/difference.ts'
import { nextRunAfter } from '../../../src/insights/suggestions/jobs.ts'
import {
  betterDescription,
  betterTitle,
  evidenceFor,
  faultsOf,
  headlineFaults,
  proposeFrom,
  usableQueries,
} from '../../../src/insights/suggestions/proposal.ts'
import { sentencesOf } from '../../../src/platform/lib/sentences.ts'
import { briefWith } from '../../content/writing/briefs.ts'

const BRIEF = briefWith()

const wordsIn = (html: string): number => html.replace(/<[^>]*>/g, ' ').match(/\S+/g)?.length ?? 0

describe('the difference of two versions', () => {
  it('marks words and keeps the tags of the later one', () => {
    expect(differenceOf('<p>Oak sheds last long.</p>', '<p>Oak <b>sheds</b> last for decades.</p>')).toEqual({
      html: '<p>Oak <b>sheds</b> last <del>long.</del><ins>for decades.</ins></p>',
      stats: { added: 2, removed: 1 },
    })
  })

  it('shows words that become a link, or one to elsewhere, as changed', () => {
    const [plain, near, far] = ['sheds', '<a href="/near">sheds</a>', '<a href="/far">sheds</a>']
    expect(differenceOf(`<p>Oak ${plain}</p>`, `<p>Oak ${near}</p>`).html).toBe(
      '<p>Oak <del>sheds</del><a href="/near"><ins>sheds</ins></a></p>',
    )
    expect(differenceOf(near, far)).toEqual({
      html: '<del> sheds</del><a href="/far"><ins>sheds</ins></a>',
      stats: { added: 1, removed: 1 },
    })
  })

  it('of equal versions is the version itself', () => {
    fc.assert(
      fc.property(fc.string(), (html) => {
        expect(differenceOf(html, html)).toEqual({ html, stats: { added: 0, removed: 0 } })
      }),
    )
  })

  it('equals the later version without the deletions', () => {
    const words = fc.array(fc.constantFrom('oak', 'elm', 'ash', '<b>', '</b>', '<p>', ' '), { maxLength: 40 })
    fc.assert(
      fc.property(words, words, (one, other) => {
        const [before, after] = [one.join(' '), other.join(' ')]
        const found = differenceOf(before, after)
        // Without its additions, it has the words of the earlier version.
        const earlier = found.html.replace(/<ins>.*?<\/ins>/gs, '').replace(/<[^>]*>/g, ' ')
        expect(earlier.match(/\S+/g) ?? []).toEqual(before.replace(/<[^>]*>/g, ' ').match(/\S+/g) ?? [])
        expect(found.stats.added - found.stats.removed).toBe(wordsIn(after) - wordsIn(before))
        const left = differenceOf(before, after)
          .html.replace(/<del>.*?<\/del>/gs, '')
          .replace(/<\/?ins>/g, '')
        expect(left.replace(/\s+/g, '')).toBe(after.replace(/\s+/g, ''))
      }),
    )
  })

  it('of completely different versions shows one after the other, quickly', () => {
    const long = (word: string) => Array.from({ length: 20_000 }, (_, n) => `${word}${n}`).join(' ')
    expect(differenceOf(long('a'), long('b')).stats).toEqual({ added: 20_000, removed: 20_000 })
  })

  // Read over and over again from each of these characters, such a text would take minutes.
  it('of text that resembles tags or sentence ends is fast', { timeout: 10_000 }, () => {
    const [open, dots] = ['<'.repeat(300_000), '.'.repeat(300_000)]
    expect(differenceOf(`<p>x</p>${open}`, `<p>y</p>${open}`).stats).toEqual({ added: 1, removed: 1 })
    expect(sentencesOf(`One. ${dots}x`)).toHaveLength(2)
    expect(fleschOf([`One two. ${dots}x`]).words).toBe(3)
  })
})

describe('a proposal without a model', () => {
  it.each([
    ['Sheds, part 1', 'oak garden shed', 'Oak garden shed: Sheds, part 1'],
    ['All about the oak garden shed', 'oak garden shed', 'All about the oak garden shed'],
    [
      'How to build a garden shed of oak in a single weekend',
      'oak shed plans',
      'How to build a garden shed of oak in a single weekend',
    ],
    ['Foundations for sheds: which one do you need?', 'shed foundations', 'Shed foundations: Foundations for sheds'],
    ['Sheds', undefined, 'Sheds'],
    ['Gartenhäuser bauen', 'gartenhäuser', 'Gartenhäuser bauen'],
  ])('the title %s for %s is %s', (title, query, expected) => {
    expect(betterTitle(title, query)).toBe(expected)
    expect(expected.length).toBeLessThanOrEqual(60)
  })

  it('uses the page’s own sentence that answers the query', () => {
    const answer = 'An oak shed needs a dry floor, a roof that lets the rain run off, and oil in every second spring.'
    expect(betterDescription('Sheds.', `<p>Hello.</p><p>We like wood. ${answer}</p>`, 'oak shed')).toBe(answer)
  })
})

describe('title and description by a writer', () => {
  const before = {
    title: 'Oak sheds',
    meta_description: 'Sheds of oak.',
    content: '<p>An oak shed lasts 25 years.</p>',
  }
  const evidence = evidenceFor(before, briefWith())
  const description = 'An oak shed lasts 25 years where the rain runs off its roof and the floor below it stays dry.'

  it.each([
    ['are sound', { title: 'An oak shed lasts 25 years', metaDescription: description }, []],
    [
      'with another number',
      { title: 'An oak shed lasts 90 years', metaDescription: description },
      [/title states something/],
    ],
    [
      'with an address',
      { title: 'Oak shed: see www.x.example', metaDescription: description },
      [/title states something/],
    ],
    ['too short', { title: 'An oak shed', metaDescription: 'Sheds.' }, [/description has 6 characters/]],
    [
      'without the query',
      { title: 'Floors', metaDescription: description.replace('An oak', 'A') },
      [/words that searchers typed/],
    ],
  ])('%s', (_, headline, faults) => {
    const found = headlineFaults(headline, 'oak shed', evidence)
    expect(found).toHaveLength(faults.length)
    for (const [n, fault] of faults.entries()) expect(found[n]).toMatch(fault)
  })

  it('say no query with a number or an address that the article does not have', () => {
    expect(usableQueries(['oak sheds 2031', 'oak shed 25 years', 'shed https://x.example'], evidence)).toEqual([
      'oak shed 25 years',
    ])
  })
})

describe('a rewrite', () => {
  const before = `<h2 id="floors">Floors</h2><p>See <a href="https://wood.example/a">larch</a>. <img src="https://x.example/1.jpg" alt="A floor"> It takes 25 days to dry.</p><iframe src="https://www.youtube.com/embed/a"></iframe><table><tr><td>Oak</td></tr></table>`
  it.each([
    ['a link', before.replace(/<a [^>]*>larch<\/a>/, 'larch'), /lost links: https:\/\/wood.example\/a/],
    ['an image', before.replace(/<img [^>]*>/, ''), /lost images/],
    ['an id', before.replace(' id="floors"', ''), /lost ids: floors/],
    ['an embed', before.replace(/<iframe.*<\/iframe>/, ''), /lost an element: iframe/],
    [
      'nothing but embeds more',
      `${before}<iframe src="https://www.youtube.com/embed/b"></iframe>`,
      /embeds something that the article does not/,
    ],
    ['a table', before.replace(/<table>.*<\/table>/, ''), /lost an element: table/],
    [
      'most of its text',
      '<h2 id="floors">F</h2><a href="https://wood.example/a"></a><img src="https://x.example/1.jpg"><table></table>',
      /much shorter/,
    ],
    ['the truth', before.replace('25 days', '40 days'), /states something that the article does not/],
  ])('that loses %s is not sound', (_, after, fault) => {
    expect(faultsOf(before, after, BRIEF).join(' ')).toMatch(fault)
  })

  it('that only adds words is sound', () => {
    expect(faultsOf(before, before.replace('It takes', 'Be patient. It takes'), BRIEF)).toEqual([])
  })
})

it('priority grows with the expected clicks, from 0 to 100', () => {
  expect([0, 1, 50, 200, 1e9].map(priorityOf)).toEqual([0, 2, 50, 80, 100])
})

it('a project’s own click rates are used if well known, and never grow with the position', () => {
  const own = ctrCurve([{ impressions: 2_000, clicks: 1_000, position: 2 }])
  expect(own(1)).toBeCloseTo(0.276)
  expect(own(2)).toBeCloseTo(0.276)
  expect(own(3)).toBeCloseTo(0.11)
  expect(own(30)).toBeCloseTo(0.01)
  expect(ctrCurve([{ impressions: 10, clicks: 10, position: 3 }])(3)).toBeCloseTo(0.11)
})

it.each([
  ['2026-11-22T07:00:00.000Z', '2026-11-23T06:00:00.000Z'],
  ['2026-11-23T05:59:59.999Z', '2026-11-23T06:00:00.000Z'],
  ['2026-11-23T06:00:00.000Z', '2026-11-30T06:00:00.000Z'],
])('after %s the next weekly run is %s', (now, next) => {
  expect(nextRunAfter(new Date(now)).toISOString()).toBe(next)
})

it('a page that competes with a better one links to it, and does not say the query in its title as well', () => {
  const before = {
    title: 'Floors',
    meta_description: 'About floors.',
    content: '<p>An oak shed needs a dry floor.</p>',
  }
  const numbers = { clicks: 1, impressions: 900, position: 9 }
  const trigger = {
    page: '',
    period: { starts_on: '', ends_on: '', days: 28 },
    now: numbers,
    before: null,
    queries: [{ query: 'oak shed', ...numbers }],
    other_page: 'https://x.example/better',
    expected_clicks: 5,
  }
  const given = { trigger, query: 'oak shed' }
  expect(proposeFrom(before, before.content, { ...given, type: 'cannibalisation' })).toEqual({
    ...before,
    content: `${before.content}<p><a href="https://x.example/better">Oak shed</a></p>`,
  })
  expect(proposeFrom(before, before.content, { ...given, type: 'striking_distance' }).title).toBe('Oak shed: Floors')
})

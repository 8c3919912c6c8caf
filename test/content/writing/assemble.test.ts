import { describe, expect, it } from 'vitest'
import { assemble } from '../../../src/content/writing/assemble.ts'
import type { Outline, WritingBrief } from '../../../src/content/writing/port.ts'
import { briefWith } from './briefs.ts'

const OUTLINE: Outline = {
  title: 'Choosing garden sheds',
  metaDescription: 'What to know about garden sheds: how to plan them, which materials last, and what to ask first.',
  sections: [
    { heading: '', points: [] },
    { heading: 'Wood', points: [] },
    { heading: 'Wood', points: [] },
  ],
}

const made = (sections: readonly string[], changes: Partial<WritingBrief> = {}, outline = OUTLINE) =>
  assemble(briefWith(changes), 'Notes on sheds.', outline, { sections })

const PLAIN = ['<p>Garden sheds are useful.</p>', '<p>Oak lasts.</p>', '<p>Pine is soft.</p>']
const PARTNER = { url: 'https://partner.example/page', anchor: 'Partner Ltd' }
const ROOFS = { url: 'https://oak.example/roofs', anchor: 'roof felt' }

describe('an assembled article', () => {
  it('has headings with ids of their own and, if the project wants it, a table of contents after the introduction', () => {
    expect(made(PLAIN).html).toBe(
      '<p>Garden sheds are useful.</p><h2 id="wood">Wood</h2><p>Oak lasts.</p><h2 id="wood-2">Wood</h2><p>Pine is soft.</p>',
    )
    expect(made(PLAIN, { tableOfContents: true }).html).toContain(
      '</p><nav><ul><li><a href="#wood">Wood</a></li><li><a href="#wood-2">Wood</a></li></ul></nav><h2',
    )
  })

  it('corrects heading levels and removes empty sections', () => {
    const html = made(['<h1>Buy</h1><p>Intro.</p>', '<h2>Wood</h2><h5>Deep</h5><p>Oak.</p>', '<p>99 % agree.</p>']).html
    expect(html).toBe('<p>Intro.</p><h2 id="wood">Wood</h2><h3 id="deep">Deep</h3><p>Oak.</p>')
  })

  it('links partners and own pages at their names in the text, otherwise in a line of their own, each once', () => {
    const brief = { exchangePartners: [PARTNER], internalLinks: [ROOFS] }
    const named = made(['<p>Ask Partner Ltd about Roof Felt. Partner Ltd knows.</p>', ...PLAIN.slice(1)], brief).html
    expect(named).toContain(
      'Ask <a href="https://partner.example/page">Partner Ltd</a> about <a href="https://oak.example/roofs">Roof Felt</a>. Partner Ltd knows.',
    )
    expect(made(PLAIN, brief).html).toContain(
      '<p>Related: <a href="https://partner.example/page">Partner Ltd</a>, <a href="https://oak.example/roofs">roof felt</a></p>',
    )
    const own = made(
      ['<p>See <a href="https://www.partner.example/page/" rel="nofollow" target="_blank">them</a>.</p>'],
      brief,
    ).html
    expect(own.match(/partner\.example/g)).toHaveLength(1)
    expect(own).not.toContain('nofollow')
  })

  it('ends with the call to action the project asks for', () => {
    const action = (intensity: 'None' | 'Soft' | 'Direct') =>
      made(PLAIN, { callToAction: { intensity, url: intensity === 'None' ? null : 'https://oak.example' } }).html
    expect(action('None')).not.toContain('oak.example')
    expect(action('Soft')).toMatch(/<p>More from <a href="https:\/\/oak\.example">Oak &amp; Co<\/a><\/p>$/)
    expect(action('Direct')).toMatch(
      /<p><strong>Visit <a href="https:\/\/oak\.example">Oak &amp; Co<\/a><\/strong><\/p>$/,
    )
  })

  it('unwraps links to competitors and to pages that the model made up, and keeps those of the brief', () => {
    const { html } = made([
      '<p><a href="https://shop.rival.example/a">Rival</a>, <a href="https://made-up.example">made up</a>, <a href="/relative">here</a>, <a href="mailto:x@y.example">mail</a>, <a href="https://oak.example">us</a>.</p>',
    ])
    expect(html).toContain('Rival, made up, here, mail, <a href="https://oak.example">us</a>.')
  })

  it('takes the model’s title only if the caller gave none but the keyword', () => {
    expect(made(PLAIN).title).toBe('Choosing garden sheds')
    expect(made(PLAIN, { title: 'My sheds' }).title).toBe('My sheds')
    for (const title of ['Choosing well', `Garden sheds ${'x'.repeat(60)}`, ''])
      expect(made(PLAIN, {}, { ...OUTLINE, title }).title).toBe('garden sheds')
    expect(made(PLAIN, { bannedPhrases: ['choosing'] }).title).toBe('garden sheds')
  })

  // blader/humanizer#96, haydenbleasel/blume#187
  it('takes no title with a banned sign, and measures texts in columns as the checks do', () => {
    const keyword = briefWith({}).keyword
    const title = (text: string, brief = {}) => made(PLAIN, brief, { ...OUTLINE, title: text }).title
    expect(title(`A ${keyword} — a guide`)).toBe(`A ${keyword} — a guide`)
    expect(title(`A ${keyword} — a guide`, { bannedPhrases: ['—'] })).toBe(keyword)
    expect(title(`${keyword} ${'東'.repeat(30)}`)).toBe(keyword)
    const metaDescription = '東'.repeat(50)
    expect(made(PLAIN, {}, { ...OUTLINE, metaDescription }).metaDescription).toBe(metaDescription)
  })

  it('has a description from its text if the given one is unsuitable', () => {
    expect(made(PLAIN).metaDescription).toBe(OUTLINE.metaDescription)
    for (const metaDescription of [
      'Short.',
      'Long. '.repeat(40),
      '97 % of owners agree that this is by far the best of all articles on sheds there is.',
    ])
      expect(made(PLAIN, {}, { ...OUTLINE, metaDescription }).metaDescription).toBe(
        'Garden sheds are useful. Oak lasts. Pine is soft.',
      )
  })

  it('of a repaired whole is put together by the same rules', () => {
    const whole =
      '<p>Intro.</p><nav><ul><li><a href="#x">x</a></li></ul></nav><h2 id="x">Wood</h2><p>Oak. 99 % agree.</p><h4>Deep</h4><p>More.</p>'
    const { html } = assemble(briefWith({ tableOfContents: true }), 'Notes.', OUTLINE, { whole })
    expect(html).toBe('<p>Intro.</p><h2 id="wood">Wood</h2><p>Oak.</p><h3 id="deep">Deep</h3><p>More.</p>')
  })
})

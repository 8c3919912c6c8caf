import { describe, expect, it } from 'vitest'
import { mentions } from '../../../src/insights/screenshots/rules.ts'
import { type Findings, judgePage } from '../../../src/providers/browser-run/judge.ts'

const findings = (changes: Partial<Findings> = {}): Findings => ({
  title: 'Pedal & Spoke',
  text: 'Pedal & Spoke repairs bicycles.',
  named: '',
  frames: [],
  banner: false,
  ...changes,
})

describe('a name in a page', () => {
  it.each([
    ['Pedal & Spoke Ltd.', 'PEDAL AND SPOKE? No: pedal  &  spoke', true],
    ['Café Müller GmbH', 'Welcome to cafe muller', true],
    ['Blue Heron', 'blueheron.example — our shop', true],
    ['Go', 'Good things go a long way', true],
    ['Go', 'Good morning', false],
    ['Acme, Inc.', 'The ACME of perfection', true],
    ['Acme', 'Summit of Mount Ac-me', false],
    ['骑行生活', '欢迎来到骑行生活网站', true],
    ['Велоблог', 'Это ВЕЛОБЛОГ', true],
    ['Pedal & Spoke', 'Roof tiles of clay', false],
    ['The Co', 'We are The Co', true],
    ['!!!', 'anything', true],
  ])('%s in %j: %s', (name, text, found) => {
    expect(mentions(text, name)).toBe(found)
  })
})

describe('why a page cannot be shown', () => {
  const page = (changes: Partial<Findings>, status = 200, isBlank = false, headers: Record<string, string> = {}) =>
    judgePage(findings(changes), { status, headers }, isBlank, 'Pedal & Spoke')?.reason

  it('is nothing for a clean page', () => expect(page({})).toBeUndefined())
  it('is its status', () => expect(page({}, 404)).toBe('http_error'))
  it('is a wall rather than its status', () => {
    expect(page({ title: 'Just a moment...', text: '' }, 403)).toBe('blocked')
    expect(page({}, 403, false, { 'cf-mitigated': 'challenge' })).toBe('blocked')
    expect(page({ text: 'Please verify you are a human' }, 200)).toBe('blocked')
    expect(page({ text: '', frames: ['https://geo.captcha-delivery.com/captcha/?x'] }, 403)).toBe('blocked')
    expect(page({ text: 'Too many requests' }, 429)).toBe('blocked')
    expect(page({ text: 'Forbidden' }, 403)).toBe('http_error')
  })
  it('is no bot check if a long page mentions robots', () => {
    expect(page({ text: `Pedal & Spoke. How sites verify you are human. ${'Words. '.repeat(400)}` })).toBeUndefined()
  })
  it('is first a blank page, then the banner, then the name', () => {
    expect(page({ banner: true, text: '' }, 200, true)).toBe('blank_page')
    expect(page({ banner: true, title: '', text: '' })).toBe('cookie_banner')
    expect(page({ title: 'Roofs', text: 'Tiles' })).toBe('wrong_brand')
    expect(page({ title: 'Roofs', text: 'Tiles', named: 'Logo of Pedal & Spoke' })).toBeUndefined()
  })
})

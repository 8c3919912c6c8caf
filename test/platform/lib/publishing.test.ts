import { describe, expect, it } from 'vitest'
import { showsContent } from '../../../src/content/html/shown.ts'
import { deliveryKey, leaseMs, nextAttempt } from '../../../src/publishing/send/rules.ts'

const now = new Date('2027-01-01T00:00:00Z')

describe('when to try again', () => {
  const wait = (attempts: number, more: { random?: number; scale?: number; retryAfterS?: number } = {}) => {
    const at = nextAttempt('publish_articles', attempts, { now, random: 0.5, scale: 1, ...more })
    return at && (at.getTime() - now.getTime()) / 1_000
  }

  it('is after 30 s, 2 min and 8 min, ±20 %, and then never', () => {
    expect([1, 2, 3, 4, 5].map((n) => wait(n))).toEqual([30, 120, 480, undefined, undefined])
    expect([0, 1].map((random) => wait(1, { random }))).toEqual([24, 36])
    expect([0, 1].map((random) => wait(3, { random }))).toEqual([384, 576])
  })

  it('is the receiver’s Retry-After, and sooner in development', () => {
    expect(wait(1, { retryAfterS: 900 })).toBe(900)
    expect(wait(1, { retryAfterS: 0 })).toBe(0)
    expect(wait(2, { scale: 10 })).toBe(12)
    expect(wait(4, { retryAfterS: 5 })).toBeUndefined()
  })

  it('is never for an update', () => {
    expect(nextAttempt('update_articles', 1, { now, random: 0.5, scale: 1 })).toBeUndefined()
  })
})

it('the lease is a minute for a webhook, and longer for a CMS', () => {
  expect(['webhook', 'wordpress', 'ghost', 'framer'].map(leaseMs)).toEqual([60_000, 300_000, 300_000, 540_000])
})

describe('content', () => {
  it.each(['<p>word</p>', 'word', '<img src="x">', '<p><iframe src="x"></iframe></p>', '<table></table>', '&amp;'])(
    '%s shows something',
    (html) => expect(showsContent(html)).toBe(true),
  )
  it.each(['', ' \n', '<p></p>', '<p>&nbsp; </p><br>', '<div><h2> </h2></div>'])('%j shows nothing', (html) =>
    expect(showsContent(html)).toBe(false),
  )
})

it('a delivery key has the form of a UUID and follows its hash', () => {
  const hash = '0123456789abcdef'.repeat(4)
  expect(deliveryKey(hash)).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-a[0-9a-f]{3}-[0-9a-f]{12}$/)
  expect(deliveryKey(hash)).toBe(deliveryKey(hash))
  expect(deliveryKey(`f${hash.slice(1)}`)).not.toBe(deliveryKey(hash))
})

import { describe, expect, it } from 'vitest'
import { type ExchangeView, exchangeAnswer, judgeLinks, linksIn } from '../../../src/content/exchange/scan.ts'
import { readDocument } from '../../../src/content/html/document.ts'

const VIEW: ExchangeView = { participating: true, offered: true, counted: 0, sites: [] } as unknown as ExchangeView
const sent = (html: string) => linksIn(readDocument(html))
const site = (kind: string, key = 'a.example') => ({ site_key: key, project_id: 3, kind }) as never
const answerOf = (html: string, view: Partial<ExchangeView>, hasContent = true) => {
  const full = { ...VIEW, ...view }
  return exchangeAnswer(judgeLinks(sent(html), full), full, hasContent)
}

const LINK = '<p><a href="https://a.example/x">words</a></p>'
const ASK = 'Ask GET /backlink-targets for pages to link to, and save the content again.'

describe('the exchange’s part of a save’s answer', () => {
  it('is only the number of links that count, if there is one', () => {
    expect(answerOf(LINK, { sites: [site('partner')] })).toEqual({ backlinks_processed: 1 })
  })

  it('is a warning if a project that takes part links to no partner, and what to do', () => {
    expect(answerOf('<p>Words.</p>', {})).toEqual({
      backlinks_processed: 0,
      backlinks_warning: `The content links to no partner of the backlink exchange, so it earns no credit. ${ASK}`,
    })
    expect(answerOf('<p>Words.</p>', { participating: false })).toEqual({ backlinks_processed: 0 })
    expect(answerOf('', {}, false)).toEqual({ backlinks_processed: 0 })
  })

  it.each([
    ['no_credits', 'no_credits', /no credit left to pay/],
    ['full', 'monthly_limit', /no more links this month/],
    ['competitor', 'competitor', /names the other as a competitor/],
  ])('says why a link to a site that is %s does not count', (kind, reason, message) => {
    expect(answerOf(LINK, { sites: [site(kind)] })).toEqual({
      backlinks_processed: 0,
      backlinks_warning: `No link of the content counts in the backlink exchange (backlinks_not_counted says why), so it earns no credit. ${ASK}`,
      backlinks_not_counted: [{ url: 'https://a.example/x', reason, message: expect.stringMatching(message) }],
    })
    expect(answerOf(LINK, { sites: [site(kind)], participating: false })).toEqual({ backlinks_processed: 0 })
  })

  it('without content is what counted before', () => {
    const view = { ...VIEW, counted: 2 }
    expect(judgeLinks(undefined, view)).toBeUndefined()
    expect(exchangeAnswer(undefined, view, true)).toEqual({ backlinks_processed: 2 })
    expect(exchangeAnswer(undefined, VIEW, true)).toMatchObject({
      backlinks_processed: 0,
      backlinks_warning: expect.any(String),
    })
  })
})

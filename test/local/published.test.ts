import { afterEach, describe, expect, it } from 'vitest'
import { startGohighlevel } from '../../local/cms/gohighlevel.ts'
import { startNotion } from '../../local/cms/notion.ts'
import { startDataForSeo } from '../../local/dataforseo/server.ts'
import { published } from '../../local/published.ts'
import { startZernio } from '../../local/social/zernio.ts'
import type { StandIn } from '../../local/stand-in.ts'
import { LOCAL_STRIPE, startStripe } from '../../local/stripe/server.ts'

let standIn: StandIn | undefined
afterEach(() => standIn?.close())

/** A stand-in refuses each operation that its schema lacks, so the tests of adapters show that nothing else is sent. */
it.each([
  ['dataforseo', { operations: 24, byHand: [] }],
  ['gohighlevel', { operations: 8, byHand: [] }],
  ['notion', { operations: 11, byHand: ['markdown_version'] }],
  ['stripe', { operations: 7, byHand: [] }],
  ['zernio', { operations: 16, byHand: [] }],
])('the schema of %s covers all that is sent: %j', (name, { operations, byHand }) => {
  const schema = published(name)
  expect(schema.operations).toHaveLength(operations)
  expect(Object.keys(schema.byHand)).toEqual(byHand)
  expect(schema).toMatchObject({
    source: expect.stringMatching(/^(?:npm|https:)/),
    date: expect.stringMatching(/^2026-\d\d-\d\d$/),
    licence: expect.stringMatching(/^(?:MIT|CC0-1\.0|Apache-2\.0)$/),
  })
})

type Sent = { path: string; method?: string; headers?: Record<string, string>; body?: string }
type Told = { status: number; text: string }

const ask = async ({ path, method = 'POST', headers = {}, body }: Sent): Promise<Told> => {
  const response = await fetch(`${standIn?.url}${path}`, {
    method,
    headers: { 'content-type': 'application/json', ...headers },
    ...(body === undefined ? {} : { body }),
  })
  return { status: response.status, text: await response.text() }
}

const json = (value: unknown): string => JSON.stringify(value)

describe('a stand-in refuses a request that does not fit its provider’s schema', () => {
  it('GoHighLevel’s refuses as GoHighLevel does', async () => {
    standIn = await startGohighlevel()
    const headers = { version: 'v3' }
    const post = { title: 'A', tags: 'not a list', colour: 'red' }
    expect(await ask({ path: '/blogs/posts', headers, body: json(post) })).toMatchObject({ status: 422 })
    const list = '/blogs/site/all?locationId=x&limit=50&offset=0'
    expect(await ask({ path: list, method: 'GET', headers })).toMatchObject({
      status: 422,
      text: expect.stringContaining('skip'),
    })
    expect(await ask({ path: '/blogs/posts/1', method: 'DELETE', headers })).toMatchObject({ status: 404 })
  })

  it('Notion’s refuses as Notion does', async () => {
    standIn = await startNotion()
    const headers = { 'notion-version': '2025-09-03' }
    const pages = async (body: unknown) => await ask({ path: '/v1/pages', headers, body: json(body) })
    expect(await pages({ slug: 'x' })).toMatchObject({ status: 400, text: expect.stringContaining('body.slug') })
    expect(await pages({ properties: { Name: { title: 'text' } } })).toMatchObject({
      status: 400,
      text: expect.stringContaining('body.properties.Name'),
    })
  })

  it('Stripe’s refuses as Stripe does', async () => {
    standIn = await startStripe(() => '')
    const headers = {
      'content-type': 'application/x-www-form-urlencoded',
      authorization: `Bearer ${LOCAL_STRIPE.secretKey}`,
    }
    const checkout = async (body: string) => await ask({ path: '/v1/checkout/sessions', headers, body })
    expect(await checkout('line_items[0][prize]=x')).toMatchObject({
      status: 400,
      text: expect.stringContaining('Received unknown parameter: line_items[0][prize]'),
    })
    expect(await checkout('line_items[0][quantity]=many')).toMatchObject({
      status: 400,
      text: expect.stringContaining('Invalid line_items[0][quantity]'),
    })
    const asJson = { ...headers, 'content-type': 'application/json' }
    expect(await ask({ path: '/v1/checkout/sessions', headers: asJson, body: '{}' })).toMatchObject({ status: 400 })
  })

  it('Stripe’s refuses a portal without a configuration', async () => {
    const stripe = await startStripe(() => '')
    standIn = stripe
    stripe.state.portal = undefined
    stripe.state.subscriptions.set('sub_1', {
      ...{
        id: 'sub_1',
        object: 'subscription',
        customer: 'cus_1',
        status: 'active',
        cancel_at_period_end: false,
        cancel_at: null,
      },
      ...{ created: 1, metadata: {}, items: { data: [] } },
    })
    const headers = {
      'content-type': 'application/x-www-form-urlencoded',
      authorization: `Bearer ${LOCAL_STRIPE.secretKey}`,
    }
    const body = 'customer=cus_1&return_url=https%3A%2F%2Fa.example'
    const portal = async () => await ask({ path: '/v1/billing_portal/sessions', headers, body })
    expect(await portal()).toMatchObject({ status: 400, text: expect.stringContaining('No configuration provided') })
    stripe.state.portal = { canUpdate: true, updates: ['quantity'] }
    expect(await portal()).toMatchObject({ status: 200 })
  })

  it('Zernio, and what was sent with a repeat of a post until now', async () => {
    standIn = await startZernio({ key: 'k' })
    const headers = { authorization: 'Bearer k' }
    const posts = async (body: unknown) => await ask({ path: '/v1/posts', headers, body: json(body) })
    const platforms = [{ platform: 'reddit', accountId: 'a', platformSpecificData: { subreddit: 5 } }]
    expect(await posts({ content: 'A', platforms })).toMatchObject({
      status: 400,
      text: expect.stringContaining('platforms.0.platformSpecificData'),
    })
    expect(await posts({ content: 1 })).toMatchObject({ status: 400, text: expect.stringContaining('content') })
    expect(await ask({ path: '/v1/posts/1/retry', headers, body: '{}' })).toMatchObject({ status: 400 })
    expect(await ask({ path: '/v1/posts/1/retry', headers })).toMatchObject({ status: 404 })
  })

  it('DataForSEO, with its own codes', async () => {
    standIn = await startDataForSeo()
    const headers = { authorization: `Basic ${btoa('a:sandbox-b')}` }
    const path = '/v3/dataforseo_labs/google/keyword_overview/live'
    const codeOf = async (task: unknown): Promise<string> => (await ask({ path, headers, body: json([task]) })).text
    expect(await codeOf({ keywords: ['a'], country: 'US' })).toContain('40506')
    expect(await codeOf({ keywords: 'a' })).toContain('40501')
    expect(await codeOf({ location_code: 2_840 })).toContain("Invalid Field: 'keywords'")
    expect(await ask({ path, headers, body: '{}' })).toMatchObject({ text: expect.stringContaining('40503') })
    expect(await ask({ path: '/v3/serp/bing/live', headers, body: '[]' })).toMatchObject({ status: 404 })
  })
})

import * as z from 'zod/mini'
import type { CampaignOrder, Crowd, Crowdwork, SlotFilter } from '../../reach/crowdwork/port.ts'
import { type CrowdSettings, formApi, type MicroworkersDeps, NAME } from './api.ts'
import { Campaign, Campaigns, Categories, campaignBody, isoOf, Made, Slot, Slots, toLive, toSlot } from './transform.ts'

const PAGE = 100
/** Number of pages of campaigns that are searched for a mark. */
const MAX_PAGES = 20
/** Clocks differ, so a campaign may have a time before its request. */
const CLOCK_MS = 24 * 3_600_000

const mapped = <T, U>(answer: Crowd<T>, change: (value: T) => U): Crowd<U> =>
  answer.kind === 'got' ? { kind: 'got', value: change(answer.value) } : answer

/**
 * Returns the client of Microworkers' API 2.0.
 *
 * Not confirmed by documentation:
 * - the answer to a new campaign beyond its id, and the list of categories
 * - the form of errors, and some names of states
 * - rate limits (429 and Retry-After are obeyed)
 */
export const microworkers = (deps: MicroworkersDeps, settings: CrowdSettings): Crowdwork => {
  const ask = formApi(deps, settings)

  /** Returns the first category, for orders without one. */
  const someCategory = async (): Promise<Crowd<string>> => {
    const answer = await ask({ method: 'GET', path: '/basic-categories' }, Categories)
    if (answer.kind === 'failed') return answer
    const [id] = answer.value.items.flatMap((item) => (item.subCategories ?? []).map((sub) => sub.id))
    if (id !== undefined) return { kind: 'got', value: id }
    const message = `${NAME} names no category. Send category_id.`
    return { kind: 'failed', reason: 'rejected', mayBeDone: false, message }
  }

  const makeCampaign = async (order: CampaignOrder): Promise<Crowd<string>> => {
    const category: Crowd<string> =
      order.categoryId === undefined ? await someCategory() : { kind: 'got', value: order.categoryId }
    if (category.kind === 'failed') return category
    const json = campaignBody(order, category.value)
    return mapped(await ask({ method: 'POST', path: '/basic-campaigns', json }, Made), ({ id }) => id)
  }

  const findCampaign = async (mark: string, since: Date): Promise<Crowd<string | null>> => {
    let token = ''
    for (let page = 0; page < MAX_PAGES; page += 1) {
      const path = `/basic-campaigns?pageSize=${PAGE}&sort=-created${token && `&nextPageToken=${encodeURIComponent(token)}`}`
      const answer = await ask({ method: 'GET', path }, Campaigns)
      if (answer.kind === 'failed') return answer
      const { items, nextPageToken } = answer.value
      const found = items.find(({ title, description }) => `${title} ${description}`.includes(mark))
      if (found) return { kind: 'got', value: found.id }
      const last = isoOf(items.at(-1)?.created)
      const isOlder = last !== null && new Date(last).getTime() < since.getTime() - CLOCK_MS
      if (!nextPageToken || items.length === 0 || isOlder) return { kind: 'got', value: null }
      token = nextPageToken
    }
    const message = `${NAME} has too many campaigns to look through.`
    return { kind: 'failed', reason: 'broken', mayBeDone: false, message }
  }

  const slots = async (campaignId: string, { status, workerId }: SlotFilter, token: string | null) => {
    const query = new URLSearchParams({ pageSize: String(PAGE), sort: '-finished' })
    if (status !== undefined) query.set('status', status)
    if (workerId !== undefined) query.set('workerId', workerId)
    if (token !== null) query.set('nextPageToken', token)
    const answer = await ask(
      { method: 'GET', path: `/basic-campaigns/${encodeURIComponent(campaignId)}/slots?${query}` },
      Slots,
    )
    return mapped(answer, ({ items, nextPageToken }) => ({ slots: items.map(toSlot), next: nextPageToken || null }))
  }

  return {
    name: NAME,
    // No document describes how Microworkers answers to a new campaign.
    triesFirst: !settings.isSandbox,
    pageOf: (id) => `${new URL(settings.baseUrl).origin}/dotask/info/${encodeURIComponent(id)}`,
    makeTemplate: async (title, html) => {
      const json = { title, htmlCode: html, cssSection: '', jsSection: '' }
      return mapped(await ask({ method: 'POST', path: '/templates', json }, Made), ({ id }) => id)
    },
    makeCampaign,
    findCampaign,
    campaign: async (id) =>
      mapped(await ask({ method: 'GET', path: `/basic-campaigns/${encodeURIComponent(id)}` }, Campaign), toLive),
    slots,
    slot: async (id) => mapped(await ask({ method: 'GET', path: `/slots/${encodeURIComponent(id)}` }, Slot), toSlot),
    rate: async (id, rating, comment) => {
      const json = { rating, ...(comment === undefined ? {} : { comment }) }
      const answer = await ask({ method: 'PUT', path: `/slots/${encodeURIComponent(id)}/rate`, json }, z.unknown())
      return mapped(answer, () => true as const)
    },
  }
}

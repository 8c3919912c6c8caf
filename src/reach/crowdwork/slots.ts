import { streamed } from '../../platform/http/streamed.ts'
import { invalidInput } from '../../platform/lib/errors.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import type { ListSlotsInput } from './operations.ts'
import { type Crowdwork, type Slot, type SlotFilter, valueFrom } from './port.ts'
import { askLive, loadCampaign, slotShown } from './read.ts'
import { slotTotal } from './rules.ts'

const PAGE = { default: 50, max: 100 }
/** The provider goes on by tokens only, so a page is reached through all before it: as far as the largest campaign of ours. */
const REACH = 2_000

/** Slots of a campaign, newest first, as far as they are taken. Throws 404, 502, 503. */
export async function* slotsOf(crowd: Crowdwork, campaignId: string, filter: SlotFilter): AsyncGenerator<Slot[]> {
  let token: string | null = null
  do {
    const page: { slots: Slot[]; next: string | null } = valueFrom(
      crowd.name,
      await crowd.slots(campaignId, filter, token),
      'campaign',
    )
    yield page.slots
    token = page.slots.length === 0 ? null : page.next
  } while (token !== null)
}

/** Slots up to a place, and whether there are no more. */
const firstSlots = async (crowd: Crowdwork, campaignId: string, filter: SlotFilter, count: number) => {
  const found: Slot[] = []
  for await (const slots of slotsOf(crowd, campaignId, filter)) {
    found.push(...slots)
    if (found.length > count) return { found, isAll: false }
  }
  return { found, isAll: true }
}

/** Returns a page of a campaign's slots, those handed in last first. Throws 404, 403, 400 for a page too far, 502, 503. */
export const listSlots = async (ctx: Ctx, crowd: Crowdwork, campaignId: string, input: ListSlotsInput) => {
  const page = input.page ?? 1
  const size = Math.min(input.pageSize ?? input.page_size ?? PAGE.default, PAGE.max)
  await loadCampaign(ctx, campaignId)
  if (page * size > REACH)
    throw invalidInput([
      {
        field: 'page',
        message: `must lie within the first ${REACH} slots`,
        allowed: { max: Math.floor(REACH / size) },
      },
    ])
  const [live, { found, isAll }] = await Promise.all([
    askLive(crowd, campaignId),
    firstSlots(crowd, campaignId, { status: input.status }, page * size),
  ])
  return {
    slots: found.slice((page - 1) * size, page * size).map(slotShown),
    page,
    page_size: size,
    total: isAll ? found.length : Math.max(found.length, slotTotal(live, input.status)),
  }
}

/** Beginnings that spreadsheets would run as a formula: they get an apostrophe in front, which is not shown. */
const FORMULA = /^[=+\-@\t\r]/

const cell = (value: string): string => {
  const text = FORMULA.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** Returns a line of CSV (RFC 4180). Text that is not ours cannot become a formula. */
const csvLine = (cells: readonly (string | null)[]): string => `${cells.map((one) => cell(one ?? '')).join(',')}\r\n`

const HEAD = ['slot_id', 'worker_id', 'status', 'rating', 'submitted_at', 'type', 'question', 'answer', 'url']

/** Returns a line for each proof; one for a slot without any. */
const linesOf = ({ id, workerId, status, rating, submittedAt, proofs }: Slot): string => {
  const slot = [id, workerId, status, rating, submittedAt]
  if (proofs.length === 0) return csvLine([...slot, '', '', '', ''])
  return proofs
    .map((proof) =>
      proof.type === 'file'
        ? csvLine([...slot, 'file', '', '', proof.url])
        : csvLine([...slot, 'answer', proof.question, proof.answer, '']),
    )
    .join('')
}

async function* csvOf(first: IteratorResult<Slot[]>, rest: AsyncGenerator<Slot[]>): AsyncGenerator<string> {
  yield csvLine(HEAD)
  if (!first.done) yield first.value.map(linesOf).join('')
  for await (const slots of rest) yield slots.map(linesOf).join('')
}

/** Returns everything workers handed in for a campaign, as CSV. Throws 404, 403, 502, 503. */
export const exportProofs = async (ctx: Ctx, crowd: Crowdwork, campaignId: string) => {
  await loadCampaign(ctx, campaignId)
  const slots = slotsOf(crowd, campaignId, {})
  // Asked before the answer begins, so that a provider that is away is told as such.
  return streamed(csvOf(await slots.next(), slots))
}

import { streamed } from '../../platform/http/streamed.ts'
import { csvLine } from '../../platform/lib/csv.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import type { Crowdwork, Slot } from './port.ts'
import { loadCampaign } from './read.ts'
import { slotsOf } from './slots.ts'

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

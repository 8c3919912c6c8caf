import type { LiveCampaign, Slot } from './port.ts'
import type { CampaignRow } from './queries.ts'

/** Returns a campaign as lists show it. */
export const campaignShown = (row: CampaignRow) => ({
  ID: row.id,
  ProjectID: row.projectId,
  CrowdworkCampaignID: row.campaignId ?? '',
  Platform: row.platform,
  Title: row.title,
  Status: row.status,
  AvailablePositions: row.availablePositions,
  PaymentPerTask: row.paymentCents / 100,
  CreatedAt: row.createdAt.toISOString(),
})

/** Returns the state of a campaign at the provider, as callers see it. */
export const liveShown = (live: LiveCampaign, row: Pick<CampaignRow, 'status'>, externalUrl: string) => ({
  status: live.status ?? row.status,
  provider_status: live.providerStatus,
  available_positions: live.availablePositions,
  payment_per_task: live.paymentCents / 100,
  slots: live.slots,
  blocked_reason: live.blockedReason,
  finished_at: live.finishedAt,
  external_url: externalUrl,
})

/** Returns a slot. What the worker wrote is the worker's own: material to judge. */
export const slotShown = (slot: Slot) => ({
  id: slot.id,
  worker_id: slot.workerId,
  status: slot.status,
  submitted_at: slot.submittedAt,
  proofs: slot.proofs,
  rating: slot.rating,
})

import { readSpend } from '../../src/crowdwork/budget.ts'
import { createCampaign } from '../../src/crowdwork/create.ts'
import { crowdworkOperations } from '../../src/crowdwork/operations.ts'
import type { Crowdwork } from '../../src/crowdwork/port.ts'
import { exportProofs } from '../../src/crowdwork/proofs.ts'
import { rateSlot } from '../../src/crowdwork/rate.ts'
import { listCampaigns, readCampaign } from '../../src/crowdwork/read.ts'
import { registerCampaign } from '../../src/crowdwork/register.ts'
import { listSlots } from '../../src/crowdwork/slots.ts'
import type { HttpDeps } from '../../src/http/deps.ts'
import { groupApp } from '../../src/http/group.ts'
import { routes } from '../../src/http/route.ts'
import { readEntitlement } from '../../src/outreach/entitlement.ts'
import { erasePerson } from '../../src/outreach/erase.ts'
import { exportMirror } from '../../src/outreach/export.ts'
import { outreachOperations } from '../../src/outreach/operations.ts'
import { syncMirror } from '../../src/outreach/sync.ts'

const outreach = routes(outreachOperations, {
  entitlement: (ctx) => readEntitlement(ctx),
  sync: (ctx, { body }) => syncMirror(ctx, body),
  export: (ctx) => exportMirror(ctx),
  erase: (ctx, { body }) => erasePerson(ctx, body),
})

const crowdwork = (crowd: Crowdwork) =>
  routes(crowdworkOperations, {
    list: (ctx, { query }) => listCampaigns(ctx, query),
    create: (ctx, { body }) => createCampaign(ctx, crowd, body),
    register: (ctx, { body }) => registerCampaign(ctx, crowd, body),
    get: (ctx, { params }) => readCampaign(ctx, crowd, params.campaign_id),
    slots: (ctx, { params, query }) => listSlots(ctx, crowd, params.campaign_id, query),
    proofs: (ctx, { params }) => exportProofs(ctx, crowd, params.campaign_id),
    rate: (ctx, { params, body }) => rateSlot(ctx, crowd, params.slot_id, body),
    spend: (ctx, { query }) => readSpend(ctx, query),
  })

export const reachApp = (deps: HttpDeps, crowd: Crowdwork) => groupApp(deps, outreach, crowdwork(crowd))

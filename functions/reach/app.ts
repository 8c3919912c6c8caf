import { askAboutCall } from '../../src/accounts/approvals/call.ts'
import type { HttpDeps } from '../../src/platform/http/deps.ts'
import { groupApp } from '../../src/platform/http/group.ts'
import { routes } from '../../src/platform/http/route.ts'
import { createCampaign } from '../../src/reach/crowdwork/create.ts'
import { crowdworkOperations } from '../../src/reach/crowdwork/operations.ts'
import type { Crowdwork } from '../../src/reach/crowdwork/port.ts'
import { listCampaigns, readCampaign, readSpend } from '../../src/reach/crowdwork/read.ts'
import { registerCampaign } from '../../src/reach/crowdwork/register.ts'
import { exportProofs, listSlots, rateSlot } from '../../src/reach/crowdwork/slots.ts'
import { erasePerson } from '../../src/reach/outreach/erase.ts'
import { exportMirror } from '../../src/reach/outreach/export.ts'
import { outreachOperations } from '../../src/reach/outreach/operations.ts'
import { readEntitlement, syncMirror } from '../../src/reach/outreach/sync.ts'
import type { ProfileDeps } from '../../src/reach/profile/connected.ts'
import { socialRoutes } from './social.ts'

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

/** Returns the app with the operations of crowdwork, outreach, social posts and the business profile. */
export const reachApp = (deps: HttpDeps, crowd: Crowdwork, ports: ProfileDeps) =>
  groupApp({ ...deps, askPerson: askAboutCall }, outreach, crowdwork(crowd), socialRoutes(ports))

import { defineJob, type JobDefinition } from '../../platform/jobs/define.ts'
import type { Crowdwork } from './port.ts'
import { giveUpSettling, settleCampaign } from './settle.ts'
import { settleJob } from './settle-job.ts'

/** The jobs of crowdwork. */
export const crowdworkJobs = (crowd: Crowdwork): JobDefinition[] => [
  defineJob(settleJob, (ctx, payload) => settleCampaign(ctx, crowd, payload), giveUpSettling),
]

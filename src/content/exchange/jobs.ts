import { defineJob, type JobDefinition } from '../../platform/jobs/define.ts'
import { giveUpLooking, verifyLinks } from './verify.ts'
import { verifyJob } from './verify-job.ts'

/** The job of the exchange: the look at a live page for its links to partners. */
export const exchangeJobs = (): JobDefinition[] => [defineJob(verifyJob, verifyLinks, giveUpLooking)]

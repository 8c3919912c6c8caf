import { defineJob, type JobDefinition } from '../../platform/jobs/define.ts'
import { screenshotJob } from './job.ts'
import type { Browser } from './port.ts'
import { giveUpScreenshot, runScreenshot } from './run.ts'

/** The job that takes the picture of a page. */
export const screenshotJobs = (browser: Browser): JobDefinition[] => [
  defineJob(
    screenshotJob,
    (ctx, { screenshot_id }) => runScreenshot(ctx, browser, screenshot_id),
    (ctx, { screenshot_id }) => giveUpScreenshot(ctx, screenshot_id),
  ),
]

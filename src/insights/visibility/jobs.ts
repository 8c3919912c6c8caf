import { defineJob, type JobDefinition } from '../../platform/jobs/define.ts'
import type { AnswerEngines } from './port.ts'
import { askEngine, stopAsking } from './scan/ask.ts'
import { scanWeekly } from './scan/weekly.ts'
import { askJob, weeklyJob } from './scan/work.ts'

/** The jobs of AI visibility. `engines` is undefined where no provider is set. */
export const visibilityJobs = (engines: AnswerEngines | undefined): JobDefinition[] => [
  defineJob(
    askJob,
    (ctx, asking) => askEngine(ctx, engines, asking),
    (ctx, asking) => stopAsking(ctx, engines, asking),
  ),
  defineJob(weeklyJob, scanWeekly, async () => {}),
]

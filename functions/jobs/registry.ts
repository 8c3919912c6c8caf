import type { WritingDeps } from '../../src/content/writing/step.ts'
import { type Handler, type Registry, registryOf } from '../../src/platform/jobs/job.ts'
import type { IndexNow } from '../../src/publishing/engines/port.ts'
import type { ReceiptSigner } from '../../src/publishing/signed/keys.ts'
import type { TargetFactory } from '../../src/publishing/target/publish-target.ts'
import { type InsightDeps, insightJobs } from './insights.ts'
import { publishingJobs } from './publishing.ts'
import { type ServiceDeps, serviceJobs } from './services.ts'

/** Providers that the jobs use. */
export type JobDeps = {
  targets: TargetFactory
  /** Signs receipts; undefined without a key. */
  signer: ReceiptSigner | undefined
  indexNow: IndexNow
  writing: WritingDeps
  services: ServiceDeps
  insights: InsightDeps
}

/** Returns the handlers with rows offered that a run enqueued. Publishing offers its own, which saves most runs a query. */
const offeringNewRows = (handlers: readonly Handler[]): Handler[] =>
  handlers.map((handler) => ({
    ...handler,
    run: async (ctx, payload) => {
      const result = await handler.run(ctx, payload)
      ctx.defer(ctx.wakeQueue())
      return result
    },
  }))

/** Returns every job. */
export const registry = ({ targets, signer, indexNow, writing, services, insights }: JobDeps): Registry =>
  registryOf([
    ...publishingJobs(targets, { writing, indexNow, signer }),
    ...offeringNewRows([...serviceJobs(services), ...insightJobs(insights)]),
  ])

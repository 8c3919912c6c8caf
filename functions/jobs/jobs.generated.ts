// Written by `npm run generate` from the jobs that are defined in src. Do not edit.
import type { PlacedJob } from '../../src/platform/jobs/job.ts'

export const JOBS: readonly PlacedJob[] = [
  {
    "name": "approvals.call",
    "worker": "background"
  },
  {
    "name": "approvals.follow",
    "worker": "jobs"
  },
  {
    "name": "archive.export_project",
    "worker": "background"
  },
  {
    "name": "archive.import_project",
    "worker": "background"
  },
  {
    "name": "crowdwork.settle",
    "worker": "background"
  },
  {
    "name": "effects.measure",
    "worker": "watch"
  },
  {
    "name": "exchange.verify",
    "worker": "watch"
  },
  {
    "name": "people.erase_account",
    "worker": "background"
  },
  {
    "name": "people.export_account",
    "worker": "background"
  },
  {
    "name": "people.mail",
    "worker": "background"
  },
  {
    "name": "people.notices",
    "worker": "background"
  },
  {
    "name": "providers.check",
    "worker": "background"
  },
  {
    "name": "publishing.approved",
    "worker": "jobs"
  },
  {
    "name": "publishing.deliver",
    "worker": "jobs"
  },
  {
    "name": "publishing.publish_due",
    "worker": "jobs"
  },
  {
    "name": "publishing.receipt",
    "worker": "jobs",
    "pace": "quick"
  },
  {
    "name": "publishing.republish",
    "worker": "jobs"
  },
  {
    "name": "publishing.rollback_lost",
    "worker": "jobs"
  },
  {
    "name": "publishing.unpublish_lost",
    "worker": "jobs"
  },
  {
    "name": "research.onboard",
    "worker": "background"
  },
  {
    "name": "research.scan",
    "worker": "watch"
  },
  {
    "name": "screenshots.take",
    "worker": "background"
  },
  {
    "name": "search.sync",
    "worker": "watch"
  },
  {
    "name": "social.draft",
    "worker": "background"
  },
  {
    "name": "social.guide",
    "worker": "background"
  },
  {
    "name": "social.post",
    "worker": "background"
  },
  {
    "name": "suggestions.rewrite",
    "worker": "watch"
  },
  {
    "name": "suggestions.weekly",
    "worker": "watch"
  },
  {
    "name": "visibility.ask",
    "worker": "watch",
    "pace": "slow"
  },
  {
    "name": "visibility.weekly",
    "worker": "watch"
  },
  {
    "name": "writing.step",
    "worker": "jobs",
    "pace": "slow"
  }
]

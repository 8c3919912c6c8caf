import { giveUpCall, type NoteFailure, runApprovedCall } from '../../src/accounts/approvals/call.ts'
import { callJob } from '../../src/accounts/approvals/jobs.ts'
import { pushJob } from '../../src/accounts/events/jobs.ts'
import { giveUpPush, pushEvents } from '../../src/accounts/events/push.ts'
import { mailNotices, noticesJob } from '../../src/accounts/notices/send.ts'
import { eraseAgainJob, eraseJob, exportJob, mailJob } from '../../src/accounts/people/jobs.ts'
import { type EndOutside, eraseAccount } from '../../src/accounts/people/leaving/erase.ts'
import { giveUpExport, runExport } from '../../src/accounts/people/leaving/export.ts'
import type { Mailer } from '../../src/accounts/people/mail.ts'
import { giveUpMail, sendMail } from '../../src/accounts/people/send-mail.ts'
import { eraseProject } from '../../src/accounts/projects/delete.ts'
import { eraseProjectJob, onboardJob, postJob } from '../../src/accounts/projects/jobs.ts'
import { eraseByTombstones } from '../../src/accounts/restore/erasures.ts'
import { giveUpProjectExport, runProjectExport } from '../../src/content/archive/export.ts'
import { exportProjectJob, importProjectJob } from '../../src/content/archive/jobs.ts'
import { giveUpProjectImport, runProjectImport } from '../../src/content/archive/run-import.ts'
import { forgetPictures, forgetPicturesJob } from '../../src/content/media/forget.ts'
import type { KeywordDeps } from '../../src/insights/onboarding/discover.ts'
import { abandonOnboarding, runOnboarding } from '../../src/insights/onboarding/onboard.ts'
import type { Browser } from '../../src/insights/screenshots/port.ts'
import { giveUpScreenshot, runScreenshot, screenshotJob } from '../../src/insights/screenshots/run.ts'
import type { AnswerEngines } from '../../src/insights/visibility/port.ts'
import { routes } from '../../src/platform/http/route.ts'
import { type Handler, handle } from '../../src/platform/jobs/job.ts'
import { type ModelInUse, modelsJob } from '../../src/platform/jobs/models.ts'
import { providerCheckJob } from '../../src/platform/jobs/provider-check.ts'
import { createCampaign } from '../../src/reach/crowdwork/create.ts'
import { settleCampaign, settleJob } from '../../src/reach/crowdwork/lease.ts'
import { crowdworkOperations } from '../../src/reach/crowdwork/operations.ts'
import type { Crowdwork } from '../../src/reach/crowdwork/port.ts'
import type { ProfileDeps } from '../../src/reach/profile/connected.ts'
import { profileOperations } from '../../src/reach/profile/operations.ts'
import { publishProfilePost } from '../../src/reach/profile/post.ts'
import { replyToReview } from '../../src/reach/profile/reply.ts'
import { draftPosts } from '../../src/reach/social/draft.ts'
import { giveUpGuide, runGuide, setGuide } from '../../src/reach/social/guide.ts'
import { draftJob, guideJob, postLeft } from '../../src/reach/social/jobs.ts'
import { socialOperations } from '../../src/reach/social/operations.ts'
import type { PostWriter, Social } from '../../src/reach/social/port.ts'
import { publishPost } from '../../src/reach/social/posts.ts'
import { publishPosts } from '../../src/reach/social/publish.ts'
import { giveUpPost, runPost } from '../../src/reach/social/run.ts'
import { type checksOf, runCheck } from './checks.ts'
import { lookAtModels } from './models.ts'

/** Providers that these jobs use. */
export type ServiceDeps = {
  social: Social
  profiles: ProfileDeps['profiles']
  posts: PostWriter
  crowd: Crowdwork
  keywords: KeywordDeps
  browser: Browser
  mailer: Mailer | undefined
  checks: ReturnType<typeof checksOf>
  /** Models of the writer and of pictures, as their providers list them. */
  modelsOfWriter: () => Promise<ModelInUse[]>
  engines: AnswerEngines | undefined
  endOutside: EndOutside
}

/** Returns the calls that are carried out after their approval. */
const callsOf = ({ social, profiles, crowd }: Pick<ServiceDeps, 'social' | 'profiles' | 'crowd'>) => {
  const { publish, publishPost: publishSaved, guide } = socialOperations
  const { reply, post } = profileOperations
  return [
    ...routes(
      { publish, publishSaved, guide },
      {
        publish: (ctx, { body }) => publishPosts(ctx, social, body),
        publishSaved: (ctx, { params, body }) => publishPost(ctx, social, params.post_id, body),
        guide: (ctx, { params, body }) => setGuide(ctx, params.post_id, body),
      },
    ),
    ...routes(
      { reply, post },
      {
        reply: (ctx, { body }) => replyToReview(ctx, { social, profiles }, body),
        post: (ctx, { body }) => publishProfilePost(ctx, { social, profiles }, body),
      },
    ),
    ...routes({ create: crowdworkOperations.create }, { create: (ctx, { body }) => createCampaign(ctx, crowd, body) }),
  ]
}

/** Stores on a post that waited for an approval why its call failed. */
const notePost: NoteFailure = ({ db, now }, which, error) => [postLeft(db, which, error, now())]

/** Returns the jobs of people's accounts, and of the domains that act on other services. */
export const serviceJobs = (deps: ServiceDeps): Handler[] => {
  const { social, crowd, keywords, posts, browser, mailer, checks, endOutside } = deps
  const calls = callsOf(deps)
  return [
    handle(callJob, {
      run: (ctx, { approval_id }) => runApprovedCall(ctx, calls, approval_id, notePost),
      gaveUp: (ctx, { approval_id }, reason) => giveUpCall(ctx, approval_id, reason, notePost),
    }),
    handle(postJob, {
      run: (ctx, { post_id }) => runPost(ctx, social, post_id),
      gaveUp: (ctx, { post_id }, reason) => giveUpPost(ctx, post_id, reason),
    }),
    handle(guideJob, {
      run: (ctx, { post_id }) => runGuide(ctx, social, post_id),
      gaveUp: (ctx, { post_id }, reason) => giveUpGuide(ctx, post_id, reason),
    }),
    handle(draftJob, { run: (ctx, { article_id }) => draftPosts(ctx, social, posts, article_id) }),
    handle(settleJob, { run: (ctx, { row }) => settleCampaign(ctx, crowd, row) }),
    handle(onboardJob, {
      run: (ctx, { project_id }) => runOnboarding(ctx, keywords, project_id),
      gaveUp: (ctx, { project_id }, reason) => abandonOnboarding(ctx, project_id, reason),
    }),
    handle(screenshotJob, {
      run: (ctx, { screenshot_id }) => runScreenshot(ctx, browser, screenshot_id),
      gaveUp: (ctx, { screenshot_id }, reason) => giveUpScreenshot(ctx, screenshot_id, reason),
    }),
    handle(pushJob, {
      run: (ctx, { endpoint_id }) => pushEvents(ctx, endpoint_id),
      gaveUp: (ctx, { endpoint_id }, reason) => giveUpPush(ctx, endpoint_id, reason),
    }),
    handle(eraseJob, {
      run: (ctx, { account_id }) => eraseAccount(ctx, account_id, endOutside),
      gaveUp: async (ctx, { account_id }, reason) =>
        ctx.log('error', 'account.not_erased', { account: account_id, reason }),
    }),
    handle(eraseProjectJob, {
      run: (ctx, { project_id }) => eraseProject(ctx, project_id, endOutside),
      gaveUp: async (ctx, { project_id }, reason) =>
        ctx.log('error', 'project.not_erased', { project: project_id, reason }),
    }),
    handle(eraseAgainJob, {
      run: (ctx) => eraseByTombstones(ctx),
      gaveUp: async (ctx, _, reason) => ctx.log('error', 'account.not_erased', { reason }),
    }),
    handle(exportJob, {
      run: (ctx, { export_id }) => runExport(ctx, export_id),
      gaveUp: (ctx, { export_id }) => giveUpExport(ctx, export_id),
    }),
    handle(exportProjectJob, {
      run: (ctx, { export_id }) => runProjectExport(ctx, export_id),
      gaveUp: (ctx, { export_id }) => giveUpProjectExport(ctx, export_id),
    }),
    handle(importProjectJob, {
      run: (ctx, { import_id }) => runProjectImport(ctx, import_id),
      gaveUp: (ctx, { import_id }) => giveUpProjectImport(ctx, import_id),
    }),
    handle(forgetPicturesJob, { run: forgetPictures }),
    handle(mailJob, {
      run: (ctx, mail) => sendMail(ctx, mail, mailer),
      gaveUp: async (ctx, _, reason) => giveUpMail(ctx, reason),
    }),
    handle(noticesJob, {
      run: (ctx) => mailNotices(ctx),
      gaveUp: async (ctx, _, reason) => ctx.log('error', 'notices.not_mailed', { reason }),
    }),
    handle(providerCheckJob, { run: (ctx, asked) => runCheck(ctx, checks, asked) }),
    handle(modelsJob, { run: (ctx) => lookAtModels(ctx, deps.modelsOfWriter, deps.engines) }),
  ]
}

import { noticesJob } from '../../src/accounts/notices/jobs.ts'
import { mailNotices } from '../../src/accounts/notices/send.ts'
import { eraseJob, exportJob, mailJob } from '../../src/accounts/people/jobs.ts'
import { type EndOutside, eraseAccount } from '../../src/accounts/people/leaving/erase.ts'
import { giveUpExport, runExport } from '../../src/accounts/people/leaving/export.ts'
import type { Mailer } from '../../src/accounts/people/mail.ts'
import { noteFailure, sendMail } from '../../src/accounts/people/send-mail.ts'
import { onboardJob } from '../../src/accounts/projects/jobs.ts'
import type { KeywordMeans } from '../../src/insights/onboarding/discover.ts'
import { abandonOnboarding, runOnboarding } from '../../src/insights/onboarding/onboard.ts'
import { screenshotJob } from '../../src/insights/screenshots/jobs.ts'
import type { Browser } from '../../src/insights/screenshots/port.ts'
import { giveUpScreenshot, runScreenshot } from '../../src/insights/screenshots/run.ts'
import { handle, type Registry, registryOf } from '../../src/platform/jobs/handler.ts'
import { providerCheckJob } from '../../src/platform/jobs/provider-check.ts'
import { settleJob } from '../../src/reach/crowdwork/jobs.ts'
import type { Crowdwork } from '../../src/reach/crowdwork/port.ts'
import { settleCampaign } from '../../src/reach/crowdwork/settle.ts'
import { draftPosts } from '../../src/reach/social/draft.ts'
import { draftJob, guideJob, postJob } from '../../src/reach/social/jobs.ts'
import type { Social } from '../../src/reach/social/port.ts'
import { giveUpPost, runPost } from '../../src/reach/social/run.ts'
import { giveUpGuide, runGuide } from '../../src/reach/social/run-guide.ts'
import type { PostWriter } from '../../src/reach/social/writer-port.ts'
import { type checksOf, runCheck } from './checks.ts'

type Means = {
  social: Social
  posts: PostWriter
  crowd: Crowdwork
  keywords: KeywordMeans
  browser: Browser
  mailer: Mailer | undefined
  checks: ReturnType<typeof checksOf>
  endOutside: EndOutside
}

/** The jobs of people's accounts, and of the domains that act on other services. */
export const registry = (means: Means): Registry => {
  const { social, crowd, keywords, posts, browser, mailer, checks, endOutside } = means
  return registryOf<'background'>([
    handle(postJob, {
      run: (ctx, { post_id }) => runPost(ctx, social, post_id),
      gaveUp: (ctx, { post_id }) => giveUpPost(ctx, post_id),
    }),
    handle(guideJob, {
      run: (ctx, { post_id }) => runGuide(ctx, social, post_id),
      gaveUp: (ctx, { post_id }) => giveUpGuide(ctx, post_id),
    }),
    handle(draftJob, { run: (ctx, { article_id }) => draftPosts(ctx, social, posts, article_id) }),
    handle(settleJob, { run: (ctx, { row }) => settleCampaign(ctx, crowd, row) }),
    handle(onboardJob, {
      run: (ctx, { project_id }) => runOnboarding(ctx, keywords, project_id),
      gaveUp: (ctx, { project_id }) => abandonOnboarding(ctx, project_id),
    }),
    handle(screenshotJob, {
      run: (ctx, { screenshot_id }) => runScreenshot(ctx, browser, screenshot_id),
      gaveUp: (ctx, { screenshot_id }) => giveUpScreenshot(ctx, screenshot_id),
    }),
    handle(eraseJob, {
      run: (ctx, { account_id }) => eraseAccount(ctx, account_id, endOutside),
      gaveUp: async (ctx, { account_id }, reason) =>
        ctx.log('error', 'account.not_erased', { account: account_id, reason }),
    }),
    handle(exportJob, {
      run: (ctx, { export_id }) => runExport(ctx, export_id),
      gaveUp: (ctx, { export_id }) => giveUpExport(ctx, export_id),
    }),
    handle(mailJob, {
      run: (ctx, mail) => sendMail(ctx, mail, mailer),
      gaveUp: async (ctx, _, reason) => noteFailure(ctx, { code: reason }),
    }),
    handle(noticesJob, {
      run: (ctx) => mailNotices(ctx),
      gaveUp: async (ctx, _, reason) => ctx.log('error', 'notices.not_mailed', { reason }),
    }),
    handle(providerCheckJob, { run: (ctx, asked) => runCheck(ctx, checks, asked) }),
  ])
}

import { defineJob, type JobDefinition } from '../../platform/jobs/define.ts'
import { draftPosts } from './draft.ts'
import { draftJob, guideJob, postJob } from './job.ts'
import type { Social } from './port.ts'
import { giveUpPost, runPost } from './run.ts'
import { giveUpGuide, runGuide } from './run-guide.ts'
import type { PostWriter } from './writer-port.ts'

/** The jobs of social publishing: a post that is to go out, the rule that answers its commenters, and posts about articles. */
export const socialJobs = (social: Social, writer: PostWriter): JobDefinition[] => [
  defineJob(
    postJob,
    (ctx, { post_id }) => runPost(ctx, social, post_id),
    (ctx, { post_id }) => giveUpPost(ctx, post_id),
  ),
  defineJob(
    guideJob,
    (ctx, { post_id }) => runGuide(ctx, social, post_id),
    (ctx, { post_id }) => giveUpGuide(ctx, post_id),
  ),
  defineJob(
    draftJob,
    (ctx, { article_id }) => draftPosts(ctx, social, writer, article_id),
    // Nobody waits for drafts.
    async () => {},
  ),
]

import { cardsClient } from '../../src/content/cards/client.ts'
import { withBackground } from '../../src/platform/jobs/background.ts'
import { namesAt } from '../../src/platform/jobs/job.ts'
import { createQueue, offerRows, type Queue } from '../../src/platform/jobs/queue.ts'
import { inRequest, withRequestId } from '../../src/platform/lib/request-scope.ts'
import type { Deps } from '../../src/platform/runtime/ctx.ts'
import { depsFrom, OFFER_URL } from '../../src/platform/runtime/deps.ts'
import { parseHeartbeat, parseQueueSettings } from '../../src/platform/runtime/env.ts'
import { parseVideoSettings } from '../../src/platform/runtime/provider-env.ts'
import type { CmsBinding } from '../../src/providers/cms/client.ts'
import { imageClient, writerClient } from '../../src/providers/models/writer-client/index.ts'
import { youtubeSearch } from '../../src/providers/social/youtube/index.ts'
import { targetFactory } from '../../src/providers/targets.ts'
import { jobsApp, offerApp } from './app.ts'
import { everyMinute, sendHeartbeat } from './crons.ts'
import { JOBS } from './jobs.generated.ts'
import { registry } from './registry.ts'

type Built = {
  deps: Deps
  queue: Queue
  heartbeatUrl: string
  app: ReturnType<typeof jobsApp>
  offers: ReturnType<typeof offerApp>
}
let built: Built | undefined

type Env = Record<string, unknown> & {
  WRITER: { fetch: typeof fetch }
  CARDS: { fetch: typeof fetch }
  CMS: CmsBinding
  BACKGROUND: { fetch: typeof fetch }
  WATCH: { fetch: typeof fetch }
}

const build = (env: Env): Built => {
  const base = depsFrom(env, { name: 'jobs', seals: true })
  const queue = createQueue(parseQueueSettings(env), base.settings.publicUrl, new Set(namesAt('quick', JOBS)))
  const deps: Deps = { ...base, wakeQueue: async () => void (await offerRows(base, queue)) }
  const pictures = {
    images: imageClient(env.WRITER),
    cards: cardsClient(env.CARDS),
    videos: youtubeSearch(parseVideoSettings(env), deps),
  }
  const own = registry(targetFactory(deps, env.CMS), { writer: writerClient(env.WRITER), pictures })
  return {
    deps,
    queue,
    heartbeatUrl: parseHeartbeat(env),
    app: jobsApp(deps, queue, withBackground(own, JOBS, { background: env.BACKGROUND, watch: env.WATCH })),
    offers: offerApp(deps, queue),
  }
}

const of = (env: Env): Built => {
  built ??= build(env)
  return built
}

/** App for calls from other Workers. */
export const internal = {
  fetch: withRequestId((request, env, ctx) => of(env).offers.fetch(request, env, ctx)),
} satisfies ExportedHandler<Env>

/**
 * True for an offer from Workers of the release before. They do not know the entrypoint, so the default one answers
 * them too.
 */
const isOfferAsBefore = ({ url }: Request): boolean => url === OFFER_URL

export default {
  fetch: withRequestId((request, env, ctx) => {
    const { app, offers } = of(env)
    return (isOfferAsBefore(request) ? offers : app).fetch(request, env, ctx)
  }),
  scheduled: async (event, env) => {
    const { deps, queue, heartbeatUrl } = of(env)
    await inRequest(deps.newId(), async () => {
      await everyMinute(deps, queue, new Date(event.scheduledTime))
      await sendHeartbeat(deps, heartbeatUrl)
    })
  },
} satisfies ExportedHandler<Env>

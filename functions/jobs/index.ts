import { inRequest, requestIdHeader, withRequestId } from '../../src/platform/lib/request-scope.ts'
import { OFFER_URL } from '../../src/platform/runtime/deps.ts'
import { build } from './build.ts'
import { everyMinute, sendHeartbeat } from './crons.ts'

type Env = Parameters<typeof build>[0]

let built: ReturnType<typeof build> | undefined

const of = (env: Env): ReturnType<typeof build> => {
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

/** Address at which the clock calls this Worker. No request of a caller has it, because its host is no public name. */
const MINUTE_URL = 'http://jobs/internal/minute'

/** Does the minute's work. Throws if a step failed. */
const doMinute = async (env: Env, at: number): Promise<void> => {
  const { deps, queue, heartbeatUrl } = of(env)
  await everyMinute(deps, queue, new Date(at))
  await sendHeartbeat(deps, heartbeatUrl)
}

/** Does the minute's work for the clock. A failure is in the log already. */
const answerMinute = async (request: Request, env: Env): Promise<Response> => {
  const at = Number(await request.text())
  return await doMinute(env, at).then(
    () => new Response('done'),
    (error: unknown) => new Response(error instanceof Error ? error.message : 'failed', { status: 500 }),
  )
}

export default {
  fetch: withRequestId(async (request, env, ctx) => {
    if (request.url === MINUTE_URL) return await answerMinute(request, env)
    const { app, offers } = of(env)
    return await (isOfferAsBefore(request) ? offers : app).fetch(request, env, ctx)
  }),
  /**
   * Has the minute's work done by the fetch handler, which runs next to the database. Placement does not affect this one
   * (https://developers.cloudflare.com/workers/configuration/placement/, 2026-11-29). The release before has no such address: then the work
   * is done here.
   */
  scheduled: async (event, env) => {
    const { deps } = of(env)
    await inRequest(deps.newId(), async () => {
      const call = { method: 'POST', body: String(event.scheduledTime), headers: requestIdHeader() }
      const answer = await env.PLACED?.fetch(MINUTE_URL, call)
      if (answer === undefined || answer.status === 404) return await doMinute(env, event.scheduledTime)
      if (!answer.ok) throw new Error(await answer.text())
    })
  },
} satisfies ExportedHandler<Env>

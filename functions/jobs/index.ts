import { inRequest, withRequestId } from '../../src/platform/lib/request-scope.ts'
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

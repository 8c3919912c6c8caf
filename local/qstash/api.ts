import { messageRoutes } from './message-routes.ts'
import { publishRoutes } from './publish-routes.ts'
import type { ApiRequest, Route } from './route.ts'
import { queueRoutes, scheduleRoutes } from './schedule-routes.ts'
import type { Service } from './service.ts'
import type { Answer } from './wire.ts'

const keysRoute: Route = {
  method: 'GET',
  pattern: /^\/v2\/keys$/,
  handle: (service) => ({ status: 200, body: service.signingKeys }),
}

const routes: Route[] = [...publishRoutes, ...messageRoutes, ...scheduleRoutes, ...queueRoutes, keysRoute]

/** Answers one request of the QStash API: 401 without the token, 404 for a path it does not know. Throws a RequestError. */
export const answerApi = (service: Service, request: ApiRequest): Answer => {
  if (request.headers.authorization !== `Bearer ${service.token}`) {
    return { status: 401, body: { error: 'unauthorized' } }
  }
  for (const { method, pattern, raw, handle } of routes) {
    const found = method === request.method ? pattern.exec(raw ? request.target : request.path) : null
    if (found) return handle(service, request, found.slice(1))
  }
  return { status: 404, body: { error: `${request.method} ${request.path} not found` } }
}

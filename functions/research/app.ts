import { createApp, type HttpDeps } from '../../src/http/app.ts'

export const researchApp = (deps: HttpDeps) => createApp(deps).basePath('/api/v1')

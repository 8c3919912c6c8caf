import type { HttpDeps } from '../../src/http/deps.ts'
import { groupApp } from '../../src/http/group.ts'
import { routes } from '../../src/http/route.ts'
import { createImage } from '../../src/media/create-image.ts'
import { mediaOperations } from '../../src/media/operations.ts'

const images = routes(mediaOperations, {
  createImage: (ctx, { body }) => createImage(ctx, body),
})

export const mediaApp = (deps: HttpDeps) => groupApp(deps, images)

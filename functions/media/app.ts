import { createImage } from '../../src/content/media/create-image.ts'
import { mediaOperations } from '../../src/content/media/operations.ts'
import { intakeTo } from '../../src/content/media/receive.ts'
import { mediaUploader } from '../../src/content/media/upload-media.ts'
import { screenshotOperations } from '../../src/insights/screenshots/operations.ts'
import { readScreenshot, takeScreenshot } from '../../src/insights/screenshots/take.ts'
import type { HttpDeps } from '../../src/platform/http/deps.ts'
import { fileBodies } from '../../src/platform/http/file-bodies.ts'
import { groupApp } from '../../src/platform/http/group.ts'
import { routes } from '../../src/platform/http/route.ts'

const media = (deps: HttpDeps) => {
  const upload = mediaUploader(deps)
  return routes(mediaOperations, {
    createImage: (ctx, { body }) => createImage(ctx, body),
    uploadMedia: (ctx, { body }) => upload(ctx, body),
  })
}

const screenshots = routes(screenshotOperations, {
  take: (ctx, { body }) => takeScreenshot(ctx, body),
  get: (ctx, { params }) => readScreenshot(ctx, params.screenshot_id),
})

/** Returns the app with the operations of images and screenshots. */
export const mediaApp = (deps: HttpDeps) =>
  groupApp({ ...deps, files: fileBodies(deps.wait, intakeTo(deps)) }, media(deps), screenshots)

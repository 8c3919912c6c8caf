import type { HttpDeps } from '../../src/http/deps.ts'
import { fileBodies } from '../../src/http/file-bodies.ts'
import { groupApp } from '../../src/http/group.ts'
import { routes } from '../../src/http/route.ts'
import { createImage } from '../../src/media/create-image.ts'
import { mediaOperations } from '../../src/media/operations.ts'
import { intakeTo } from '../../src/media/take-file.ts'
import { mediaUploader } from '../../src/media/upload-media.ts'
import { screenshotOperations } from '../../src/screenshots/operations.ts'
import { readScreenshot } from '../../src/screenshots/read.ts'
import { takeScreenshot } from '../../src/screenshots/take.ts'

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

export const mediaApp = (deps: HttpDeps) =>
  groupApp({ ...deps, files: fileBodies(deps.wait, intakeTo(deps)) }, media(deps), screenshots)

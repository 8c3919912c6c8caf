import { fetchPicture, type PictureFile } from '../../content/media/fetch-picture.ts'
import type { CmsFailure } from '../../publishing/target/cms-adapter.ts'
import type { CmsDeps } from './http.ts'

const MAX_BYTES = 12 * 1024 * 1024

/** Fetches an image for a CMS that wants the bytes. A failure is for a note, not for the post. */
export const fetchImage = async (deps: CmsDeps, url: string): Promise<PictureFile | CmsFailure> => {
  const picture = await fetchPicture(deps, url, MAX_BYTES)
  return 'bytes' in picture
    ? picture
    : {
        kind: 'refused',
        code: 'validation',
        reason: `The image could not be fetched: ${picture.reason}.`,
        retryable: false,
      }
}

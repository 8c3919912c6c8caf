import { type ImageMaker, MAX_PICTURE_BYTES, type PictureResult } from '../../../content/writing/pictures-port.ts'
import { requestIdHeader } from '../../../platform/lib/request-scope.ts'

type Binding = { fetch: typeof fetch }

/** Above the time a model may take, below that of a run. */
const TIMEOUT_MS = 185_000

const failed = (reason: string): PictureResult => ({ kind: 'failed', reason })

/** Returns the model that makes pictures, asked through the writer's Worker. */
export const imageClient = (binding: Binding): ImageMaker => ({
  make: async (prompt) => {
    try {
      const response = await binding.fetch('http://writer/image', {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...requestIdHeader() },
        body: JSON.stringify({ prompt }),
        signal: AbortSignal.timeout(TIMEOUT_MS),
      })
      if (response.status === 204) return { kind: 'none' }
      if (!response.ok) return failed(response.status === 422 ? await response.text() : 'The picture was not made.')
      if (Number(response.headers.get('content-length') ?? 0) > MAX_PICTURE_BYTES) return failed('It is too large.')
      const bytes = new Uint8Array(await response.arrayBuffer())
      return bytes.length > MAX_PICTURE_BYTES ? failed('It is too large.') : { kind: 'made', bytes }
    } catch {
      return failed('The picture was not made in time.')
    }
  },
})

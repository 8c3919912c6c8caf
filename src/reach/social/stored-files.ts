import { MEDIA_PATH } from '../../content/media/paths.ts'
import type { Deps } from '../../platform/runtime/ctx.ts'
import type { StoredFiles } from './port.ts'

const NAME = /^[0-9a-f]{64}\.(?:jpg|png|webp|gif|mp4|mov)$/

/** Returns the files of posts that this service hosts itself, by their addresses. */
export const storedFiles = ({ media, settings }: Pick<Deps, 'media' | 'settings'>): StoredFiles => {
  const root = `${settings.publicUrl}${MEDIA_PATH}/`
  const nameIn = (url: string): string | undefined => {
    const name = url.startsWith(root) ? url.slice(root.length) : ''
    return NAME.test(name) ? name : undefined
  }
  return {
    has: (url) => nameIn(url) !== undefined,
    look: async (url) => {
      const name = nameIn(url)
      const known = name === undefined ? null : await media.head(name)
      if (name === undefined || known === null) return undefined
      const open = async (): Promise<AsyncIterable<Uint8Array>> => {
        const file = await media.get(name)
        if (!file) throw new Error('the file is gone')
        return file.body as unknown as AsyncIterable<Uint8Array>
      }
      return { name, size: known.size, open }
    },
  }
}

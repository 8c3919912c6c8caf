import { readFileSync } from 'node:fs'
import type { Answer } from './answers.ts'

const FOLDER = new URL('../../examples/images/', import.meta.url)

/** Returns one of the example article's pictures, as the blog's own media library would serve it; undefined for any other name. */
export const picture = (name: string): Answer | undefined => {
  if (!/^[a-z0-9-]+\.webp$/.test(name)) return undefined
  try {
    return {
      status: 200,
      headers: { 'content-type': 'image/webp', 'cache-control': 'max-age=3600' },
      body: readFileSync(new URL(name, FOLDER)),
    }
  } catch {
    return undefined
  }
}

import { afterAll } from 'vitest'
import { startWordpress, type WordpressStandIn } from '../../../../local/cms/wordpress.ts'
import { conduct } from './conduct.ts'

let standIn: WordpressStandIn | undefined
afterAll(() => standIn?.close())

conduct(async () => {
  standIn = await startWordpress({
    customFields: {
      rating: { type: 'integer' },
      featured: { type: 'boolean' },
      layout: { type: 'string' },
      badges: { type: 'array', items: { type: 'string' } },
      locked: { type: 'string', isLocked: true },
    },
  })
  const { url, pluginKey, passwordOf } = standIn
  const passwords = {
    admin: passwordOf('admin'),
    author: passwordOf('author'),
    contributor: passwordOf('contributor'),
    subscriber: passwordOf('subscriber'),
  }
  return { url, pluginKey, passwords }
})

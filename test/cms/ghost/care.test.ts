import { DatabaseSync } from 'node:sqlite'
import { SENTENCE } from '../../docs/care-guide.ts'
import { careAt, type OldBlog, type StoredPost } from '../care.ts'
import { askGhost, realGhost } from './site.ts'

const text = (words: string, format = 0) => ({
  type: 'extended-text',
  version: 1,
  text: words,
  format,
  mode: 'normal',
  style: '',
  detail: 0,
})

const element = (type: string, children: object[], fields: object = {}) =>
  JSON.stringify({ type, version: 1, direction: 'ltr', format: '', indent: 0, ...fields, children })

const item = (words: string, value: number) => ({
  ...{ type: 'listitem', version: 1, direction: 'ltr', format: '', indent: 0 },
  ...{ value, children: [text(words)] },
})

const PLAIN = [
  element('paragraph', [text('The '), text('old', 1), text(' mill stood here.')]),
  element('extended-heading', [text('Rye & wheat')], { tag: 'h2' }),
  JSON.stringify({ type: 'signup', version: 1, header: 'Join', subheader: '', labels: ['a'] }),
  JSON.stringify({ type: 'html', version: 1, html: '<div class="box">Open from 9 to 5.</div>' }),
  JSON.stringify({ type: 'horizontalrule', version: 1 }),
  JSON.stringify({ type: 'codeblock', version: 1, code: 'bake --hot', language: 'sh', caption: '' }),
]

const SAYING = [
  element('paragraph', [text(`Fresh every day. ${SENTENCE}, and rolls less.`)]),
  element('paragraph', [text('Mind this: ', 2), text(`${SENTENCE}.`)]),
  element('list', [item(`${SENTENCE}.`, 1), item('A roll is cheaper.', 2)], {
    listType: 'bullet',
    start: 1,
    tag: 'ul',
  }),
]

const document = (nodes: readonly string[]): string =>
  `{"root":{"children":[${nodes.join(',')}],"direction":"ltr","format":"","indent":0,"type":"root","version":1}}`

/** Returns a post as Ghost's database has it, with its other fields and tags. */
const storedIn = (database: DatabaseSync, id: string): StoredPost => {
  const found = database.prepare('select * from posts where id = ?').get(id) ?? {}
  const { updated_at: _, updated_by: __, ...row } = found as Record<string, unknown>
  const fields = database.prepare('select * from posts_meta where post_id = ?').all(id)
  const tags = database
    .prepare(
      'select t.slug from posts_tags pt join tags t on t.id = pt.tag_id where pt.post_id = ? order by pt.sort_order',
    )
    .all(id)
  const edits = database
    .prepare(`select count(*) as count from actions where resource_id = ? and event = 'edited'`)
    .get(id)
  return { id, whole: JSON.stringify({ row, fields, tags }), writes: Number(edits?.count ?? 0) }
}

const oldBlog = async (): Promise<OldBlog> => {
  const { url, key } = realGhost()
  return {
    connection: { platform: 'ghost', api_url: url, admin_api_key: key },
    pieces: { plain: PLAIN, saying: SAYING, join: document },
    write: async (posts) => {
      // Posts of other tests: the guide adopts every published one.
      const others = await askGhost<{ id: string }>('posts', '?limit=100&fields=id')
      for (const { id } of others) await askGhost('posts', `${id}/`, 'DELETE')
      const ids: string[] = []
      for (const { title, text: lexical, excerpt, tags } of posts) {
        const [made] = await askGhost<{ id: string }>('posts', '', 'POST', {
          ...{ title, lexical, status: 'published', published_at: '2019-03-05T06:07:08.000Z' },
          ...{
            custom_excerpt: excerpt || null,
            meta_title: `${title} – the mill`,
            tags: tags.map((name) => ({ name })),
          },
        })
        ids.push(made?.id ?? '')
      }
      return ids
    },
    read: async (ids) => {
      // Ghost writes meanwhile, so a read waits for the end of its write.
      const database = new DatabaseSync(`${process.env.GHOST_DIR}/ghost.db`, { readOnly: true, timeout: 30_000 })
      try {
        return ids.map((id) => storedIn(database, id))
      } finally {
        database.close()
      }
    },
    writesOfChange: 2,
  }
}

careAt('Ghost', oldBlog, { short: { posts: 10, changed: 4 }, whole: { posts: 60, changed: 20 } })

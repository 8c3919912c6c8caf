import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { getTableColumns } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { ROOT } from '../../../local/root.ts'
import { FRONT_MATTER as IN_FILES, LIVE_FIELDS } from '../../../packages/cli/src/article-fields.generated.ts'
import { articleRevisions, articles } from '../../../schema/articles.ts'
import { LINES } from '../../../src/content/archive/lines.ts'
import { plainChanges } from '../../../src/content/articles/changes.ts'
import {
  ARCHIVED_COLUMNS,
  ARTICLE_FIELDS,
  ENTRY_COLUMNS,
  FRONT_MATTER,
  LIVE_COLUMNS,
  REVISION_COLUMNS,
} from '../../../src/content/articles/fields.ts'
import { UpdateArticle } from '../../../src/content/articles/operations.ts'
import { SyncArticle } from '../../../src/publishing/live/operations.ts'
import { CMS_FIELDS } from '../../../src/publishing/target/cms-adapter.ts'

const fields = Object.entries(ARTICLE_FIELDS)
const written = fields.flatMap(([column, field]) => ('name' in field ? [{ column, ...field }] : []))

/** Returns the fields of a body that are stored. `content_format` only says how to read `content`. */
const stored = (shape: object): string[] => Object.keys(shape).filter((name) => name !== 'content_format')

describe('the table of an article’s fields', () => {
  it('has every column of the database', () =>
    expect(Object.keys(ARTICLE_FIELDS).sort()).toEqual(Object.keys(getTableColumns(articles)).sort()))

  it('has every field of PUT /articles/:id, and only those besides the id that never changes', () =>
    expect(written.map(({ name }) => name).sort()).toEqual([...stored(UpdateArticle.shape), 'external_ref'].sort()))

  it('has the fields that a published article takes', () =>
    expect(LIVE_COLUMNS.map((column) => ARTICLE_FIELDS[column].name).sort()).toEqual(stored(SyncArticle.shape).sort()))

  it('names parts that a CMS knows', () =>
    expect(CMS_FIELDS).toEqual(expect.arrayContaining(LIVE_COLUMNS.map((column) => ARTICLE_FIELDS[column].part))))

  it('has the columns that a revision keeps', () => {
    const { id, articleId, revision, createdAt, ...kept } = getTableColumns(articleRevisions)
    expect([...REVISION_COLUMNS].sort()).toEqual(Object.keys(kept).sort())
  })

  it('has the fields of an article in archives', () =>
    expect(ARCHIVED_COLUMNS.map((column) => ARTICLE_FIELDS[column].archive).sort()).toEqual(
      Object.keys(LINES.article()).sort(),
    ))

  it('has the fields of front matter that the command line reads', () => {
    expect(IN_FILES).toEqual(FRONT_MATTER)
    expect(LIVE_FIELDS).toEqual(LIVE_COLUMNS.map((column) => ARTICLE_FIELDS[column].name))
  })

  it.each(written)('says how $name is undone, or why it is not', ({ column, undo }) => {
    const restored = [...REVISION_COLUMNS, ...ENTRY_COLUMNS] as string[]
    expect(restored.includes(column)).toBe(!undo.startsWith('no: '))
  })

  it.each(written)('names the page with the control of $name, or says why there is none', ({ page }) =>
    expect(page.startsWith('no: ') || existsSync(join(ROOT, page))).toBe(true),
  )
})

it('a field that is stored as sent needs no line of its own in the save', () => {
  const sent = { title: 'A', keyword: 'b', meta_description: 'c', instructions: 'd', tags: ['e'], seo_title: '' }
  expect(plainChanges(sent, { timezone: 'UTC', publishTime: '09:00' })).toEqual({
    title: 'A',
    mainKeyword: 'b',
    metaDescription: 'c',
    instructions: 'd',
    tags: ['e'],
    seoTitle: '',
  })
})

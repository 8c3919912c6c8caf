import { type SQL, sql } from 'drizzle-orm'
import { getTableConfig } from 'drizzle-orm/pg-core'
import { beforeAll, describe, expect, inject, it } from 'vitest'
import { PICTURES } from '../../../schema/pictures.ts'
import { enqueuePictureLooks, forgetPictures, idsAfter, SEARCHED } from '../../../src/content/media/forget.ts'
import { holdImages, imageName, storeImage } from '../../../src/content/media/store.ts'
import type { Bucket } from '../../../src/platform/runtime/bucket.ts'
import { systemDeps, systemFor } from '../../publishing/system.ts'
import { newAccount, newArticle, rowsIn } from '../../support/client.ts'
import { memoryBucket } from '../../support/memory-bucket.ts'
import { connectedProject } from '../../support/story.ts'
import { TABLES } from '../../support/tables.ts'

const stack = inject('stack')

const DAY_MS = 86_400_000

/** A picture of 1 × 1 pixel, different in each call. */
const picture = (): Uint8Array<ArrayBuffer> => {
  const gif = Uint8Array.from(atob('R0lGODlhAQABAIAAAP///wAAACwAAAAAAQABAAACAkQBADs='), (byte) => byte.charCodeAt(0))
  crypto.getRandomValues(gif.subarray(13, 19))
  return gif
}

/** An account with a site and an article, and a bucket whose clock the test moves. */
const scene = async () => {
  let clock = Date.now() - 100 * DAY_MS
  const { bucket, objects } = memoryBucket(() => clock)
  const api = await newAccount(stack)
  const project = await connectedProject(api, stack)
  const article = await newArticle(api, project)
  // The clock of the stack does not look meanwhile.
  await rowsIn(stack, sql`update accounts set pictures_at = '2100-01-01' where id = ${api.accountId}::int returning id`)
  const ctxOf = (accountId: number, media: Bucket) => systemFor(stack, accountId, { media, now: () => new Date(clock) })
  const upload = async (bytes = picture(), accountId = api.accountId) => {
    const ctx = ctxOf(accountId, bucket)
    const image = await storeImage(ctx, bytes)
    await ctx.batch(
      { held: holdImages({ accountId, images: [image], now: ctx.now(), if: 'always' }) },
      { unaudited: 'a picture' },
    )
    return { ...image, name: imageName(image.hash, image.extension), content: bytes }
  }
  return {
    api,
    project,
    article,
    bucket,
    upload,
    days: (count: number) => {
      clock += count * DAY_MS
    },
    look: (media: Bucket = bucket) =>
      forgetPictures(ctxOf(api.accountId, media), { account_id: api.accountId, table: 0 }),
    size: (name: string) => objects.get(name)?.bytes.length,
    isKept: async (hash: string) =>
      (
        await rowsIn(
          stack,
          sql`select 1 from hosted_images where account_id = ${api.accountId}::int and hash = ${hash}`,
        )
      ).length === 1,
  }
}
type Scene = Awaited<ReturnType<typeof scene>>

describe('a picture that nothing uses', () => {
  it('is deleted 30 days after its upload, and not before', async () => {
    const { upload, days, look, size, isKept } = await scene()
    const { hash, name } = await upload()
    days(29)
    await look()
    expect([size(name), await isKept(hash)]).toEqual([35, true])
    days(2)
    await look()
    expect([size(name), await isKept(hash)]).toEqual([0, false])
  })

  it('is deleted 30 days after the last look that found it in use', async () => {
    const { api, article, upload, days, look, isKept } = await scene()
    const { hash, url } = await upload()
    await rowsIn(stack, sql`update articles set content = ${url} where id = ${article}::int returning id`)
    days(60)
    await look()
    await rowsIn(
      stack,
      sql`with r as (delete from article_revisions where article_id = ${article}::int)
        update articles set content = '' where id = ${article}::int returning id`,
    )
    await rowsIn(stack, sql`delete from audit_log where account_id = ${api.accountId}::int returning id`)
    days(29)
    await look()
    expect(await isKept(hash)).toBe(true)
    days(2)
    await look()
    expect(await isKept(hash)).toBe(false)
  })

  it('stays if it is uploaded again', async () => {
    const { upload, days, look, size, isKept } = await scene()
    const { hash, name, content } = await upload()
    days(31)
    await upload(content)
    await look()
    expect([size(name), await isKept(hash)]).toEqual([35, true])
  })

  it('stays if it is uploaded again while it is deleted', async () => {
    const { bucket, upload, days, look, size, isKept } = await scene()
    const { hash, name, content } = await upload()
    days(31)
    let again: ReturnType<typeof upload> | undefined
    const between: Bucket = {
      ...bucket,
      put: async (...put) => {
        again ??= upload(content)
        await again
        return await bucket.put(...put)
      },
    }
    await look(between)
    expect([again !== undefined, size(name), await isKept(hash)]).toEqual([true, 35, true])
  })

  it('stays if it is uploaded again between its bytes and its row', async () => {
    const { bucket, upload, days, look, size, isKept } = await scene()
    const { hash, name, content } = await upload()
    days(31)
    let again: ReturnType<typeof upload> | undefined
    const after: Bucket = {
      ...bucket,
      put: async (...put) => {
        const emptied = await bucket.put(...put)
        again ??= upload(content)
        await again
        return emptied
      },
    }
    await look(after)
    expect([again !== undefined, size(name), await isKept(hash)]).toEqual([true, 35, true])
  })

  it('keeps its bytes while another account has it', async () => {
    const { upload, days, look, size, isKept } = await scene()
    const { hash, name, content } = await upload()
    await upload(content, (await newAccount(stack)).accountId)
    days(31)
    await look()
    expect([size(name), await isKept(hash)]).toEqual([35, false])
  })
})

/** Values of columns that a row of any searched table needs. */
const idsOf = async ({ api, project, article }: Scene): Promise<Record<string, unknown>> => {
  const [integration] = await rowsIn<{ id: number }>(
    stack,
    sql`select id from integrations where project_id = ${project}::int`,
  )
  const [set] = await rowsIn<{ id: number }>(
    stack,
    sql`insert into change_sets (account_id, project_id, name, hash, state) values (${api.accountId}::int, ${project}::int, 'x', 'x', 'draft') returning id`,
  )
  return {
    account_id: api.accountId,
    project_id: project,
    article_id: article,
    integration_id: integration?.id,
    set_id: set?.id,
  }
}

const value = (type: string): SQL => {
  if (type.startsWith('timestamp')) return sql`now()`
  if (type === 'jsonb') return sql`'{}'::jsonb`
  if (type === 'boolean') return sql`false`
  if (type.endsWith('[]')) return sql`'{}'::text[]`
  return type === 'text' ? sql`${crypto.randomUUID()}::text` : sql`2`
}

/** Inserts a row that names a picture in one of its columns. */
const insertNaming = async (place: Scene, table: string, url: string, more: Record<string, SQL> = {}) => {
  const of = TABLES.find((one) => getTableConfig(one).name === table)
  if (!of) throw new Error(table)
  const ids = await idsOf(place)
  const { columns } = getTableConfig(of)
  const isFree = ({ enumValues, name }: (typeof columns)[number]) =>
    !enumValues?.length && !(name in ids) && name !== 'id'
  const naming = columns.findLast(
    (column) =>
      ['text', 'jsonb'].includes(column.getSQLType()) && isFree(column) && !(column.name in more) && !column.generated,
  )
  if (!naming) throw new Error(`${table} has no column for a picture`)
  const needed = columns.filter(
    ({ name, notNull, hasDefault, generated, generatedIdentity, primary }) =>
      name !== naming.name &&
      ((notNull && !hasDefault && !generated && !generatedIdentity) || name in ids) &&
      !(primary && name === 'id' && generatedIdentity),
  )
  const row = Object.fromEntries([
    ...needed.map((column) => {
      const { name, enumValues } = column
      if (name in ids) return [name, sql`${ids[name]}::int`]
      return [name, enumValues?.length ? sql`${enumValues[0]}::text` : value(column.getSQLType())]
    }),
    [naming.name, naming.getSQLType() === 'jsonb' ? sql`${JSON.stringify({ a: url })}::jsonb` : sql`${url}::text`],
    ...Object.entries(more),
  ]) as Record<string, SQL>
  const names = sql.join(
    Object.keys(row).map((name) => sql.identifier(name)),
    sql`, `,
  )
  await rowsIn(
    stack,
    sql`insert into ${sql.identifier(table)} (${names}) select ${sql.join(Object.values(row), sql`, `)} returning 1`,
  )
}

/** Columns whose first value a check of the table refuses. */
const MORE: Record<string, Record<string, SQL>> = {
  article_drafts: { person_id: sql`(select id from people where email = 'draft@people.example')` },
  deliveries: { status: sql`'delivered'` },
  integrations: { status: sql`'Disconnected'` },
  outbox: { done_at: sql`now()` },
  screenshots: { state: sql`'failed'`, reason: sql`'http_error'` },
}

describe('a picture in use stays', () => {
  beforeAll(() =>
    rowsIn(
      stack,
      sql`insert into people (id, name, email) values ('draft', 'Draft', 'draft@people.example') returning id`,
    ),
  )

  it.each(SEARCHED)('$table', async (rule) => {
    const place = await scene()
    const [used, unused] = [await place.upload(), await place.upload()]
    await insertNaming(place, rule.table, used.url, MORE[rule.table])
    place.days(31)
    await place.look()
    expect([await place.isKept(used.hash), await place.isKept(unused.hash)]).toEqual([true, false])
    expect(place.size(used.name)).toBe(35)
  })

  it('also if it is put into a text while the look is behind that text', async () => {
    const { article, bucket, upload, days, isKept } = await scene()
    const [unused, used] = [await upload(), await upload()]
    days(31)
    // All tables are searched when the look reads the outbox.
    const place = { account_id: 0, table: SEARCHED.findIndex(({ table }) => table === 'outbox') }
    expect(place.table).toBeGreaterThan(SEARCHED.findIndex(({ table }) => table === 'articles'))
    const [row] = await rowsIn<{ snapshot: string; account_id: number }>(
      stack,
      sql`select pg_snapshot_xmin(pg_current_snapshot())::text as snapshot, account_id from articles where id = ${article}::int`,
    )
    await rowsIn(stack, sql`update articles set feature_image = ${used.url} where id = ${article}::int returning id`)
    const ctx = systemFor(stack, Number(row?.account_id), {
      media: bucket,
      now: () => new Date(Date.now() - 69 * DAY_MS),
    })
    await forgetPictures(ctx, {
      ...place,
      account_id: Number(row?.account_id),
      snapshot: String(row?.snapshot),
      since: ctx.now().toISOString(),
    })
    expect([await isKept(unused.hash), await isKept(used.hash)]).toEqual([false, true])
  })

  it('for good if a site received it, when nothing here names it any more', async () => {
    const place = await scene()
    const { hash, url, name } = await place.upload()
    await insertNaming(place, 'deliveries', url, MORE.deliveries)
    await place.look()
    await rowsIn(stack, sql`delete from deliveries where account_id = ${place.api.accountId}::int returning 1`)
    place.days(60)
    await place.look()
    expect([await place.isKept(hash), place.size(name)]).toEqual([true, 35])
  })
})

it('every table is searched for pictures, or says why it has none', () => {
  const snake = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
  expect(Object.keys(PICTURES).map(snake).sort()).toEqual(TABLES.map((table) => getTableConfig(table).name).sort())
})

it('reads the rows of a table from batch to batch', async () => {
  const place = await scene()
  const rule = { table: 'articles', by: 'id', batch: 1 }
  const other = await newArticle(place.api, place.project)
  const next = (after: number | undefined) => rowsIn(stack, idsAfter(rule, place.api.accountId, after))
  expect([await next(undefined), await next(place.article), await next(other)]).toEqual([
    [{ key: place.article }],
    [{ key: other }],
    [],
  ])
})

it('the clock queues each account with pictures once a week', async () => {
  const { api, upload } = await scene()
  await upload()
  const deps = systemDeps(stack)
  await rowsIn(
    stack,
    sql`update accounts set pictures_at = now() - interval '9 years' where id = ${api.accountId}::int returning id`,
  )
  await enqueuePictureLooks(deps)
  await enqueuePictureLooks(deps)
  const [row] = await rowsIn<{ n: number }>(
    stack,
    sql`select count(*)::int as n from outbox where key = ${`forget_pictures:${api.accountId}`}`,
  )
  const [account] = await rowsIn<{ days: number }>(
    stack,
    sql`select round(extract(epoch from pictures_at - now()) / 86400)::int as days from accounts where id = ${api.accountId}::int`,
  )
  expect([row?.n, account?.days]).toEqual([1, 7])
})

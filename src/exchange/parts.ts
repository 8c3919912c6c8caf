import { and, eq, isNotNull, ne, type SQL, sql } from 'drizzle-orm'
import { accounts } from '../../schema/accounts.ts'
import { exchangeLinks as links } from '../../schema/exchange.ts'
import { projects } from '../../schema/projects.ts'
import type { Part } from '../db/part.ts'
import { givenRows, read, select } from '../db/read-parts.ts'
import type { Parts } from '../db/statement.ts'
import { insert, update } from '../db/write-parts.ts'
import { bookMoves } from './booking.ts'
import { isFull, takesPart } from './fragments.ts'
import type { CountedLink } from './links.ts'
import { firstLookAt } from './rules.ts'
import { verifyJob } from './verify-job.ts'

const heldLinks = (article: Part<'id'>) =>
  read(
    'held_links',
    links,
    { id: links.id, toProjectId: links.toProjectId, status: links.status },
    { from: [article], where: and(eq(links.articleId, article.c.id), ne(links.status, 'Removed')) },
  )

type HeldLinks = ReturnType<typeof heldLinks>

/** What a changed link hands on; `before` is the state it had. */
const changed = (before: SQL) => ({
  id: links.id,
  fromProjectId: links.fromProjectId,
  toProjectId: links.toProjectId,
  before,
})

type ChangedLinks = Part<'id' | 'fromProjectId' | 'toProjectId' | 'before'>

const dropLinks = (held: HeldLinks, now: Date, which: SQL): ChangedLinks =>
  update(
    'dropped_links',
    links,
    { status: 'Removed', updatedAt: now },
    { from: [held], where: sql`${eq(links.id, held.c.id)} and ${which}`, returning: changed(held.c.status) },
  )

const movesOut = (out: Part<'id' | 'fromProjectId' | 'toProjectId'>, rest: SQL) => {
  const { id, fromProjectId, toProjectId } = out.c
  return select('link_moves', { linkId: id, fromProjectId, toProjectId, sign: sql`-1` }, sql`from ${out.rows} ${rest}`)
}

type Wanted = Part<'toProjectId' | 'url' | 'anchor'>

const keepLinks = (held: HeldLinks, wanted: Wanted, now: Date): ChangedLinks =>
  update(
    'kept_links',
    links,
    {
      targetUrl: wanted.c.url,
      anchor: wanted.c.anchor,
      updatedAt: now,
      status: sql`case when ${held.c.status} = 'Missing' then 'Scheduled' else ${held.c.status} end`,
    },
    {
      from: [held, wanted],
      where: sql`${eq(links.id, held.c.id)} and ${wanted.c.toProjectId} = ${held.c.toProjectId}
        and (${held.c.status} = 'Missing' or ${links.targetUrl} <> ${wanted.c.url} or ${links.anchor} <> ${wanted.c.anchor})`,
      returning: changed(held.c.status),
    },
  )

const addLinks = (saved: Part<'id'>, projectId: SQL, held: HeldLinks, wanted: Wanted, now: Date) => {
  const missing = select(
    'links_to_add',
    { articleId: saved.c.id, toProjectId: projects.id, url: wanted.c.url, anchor: wanted.c.anchor },
    sql`from ${saved.rows} cross join ${wanted.rows}
      join ${projects} on ${eq(projects.id, wanted.c.toProjectId)} and ${takesPart('projects')}
      join ${accounts} on ${eq(accounts.id, projects.accountId)}
      where not exists (select 1 from ${held.rows} where ${held.c.toProjectId} = ${wanted.c.toProjectId})
        and not ${isFull('accounts', 'projects', now)}`,
  )
  const added = insert(
    'added_links',
    links,
    {
      articleId: missing.c.articleId,
      fromProjectId: projectId,
      toProjectId: missing.c.toProjectId,
      status: 'Scheduled',
      targetUrl: missing.c.url,
      anchor: missing.c.anchor,
      createdAt: now,
      updatedAt: now,
    },
    {
      from: [missing],
      returning: { id: links.id, fromProjectId: links.fromProjectId, toProjectId: links.toProjectId },
    },
  )
  return { missing, added }
}

/**
 * Parts that make an article's links in the exchange those of its content, and book what changed. `saved` is the part that
 * saved the article. The statement runs after `articleLocks` or `newArticleLocks`.
 */
export const saveLinks = (saved: Part<'id'>, projectId: SQL, counted: readonly CountedLink[], now: Date): Parts => {
  const wanted = givenRows(
    'wanted_links',
    {
      toProjectId: links.toProjectId,
      url: links.targetUrl,
      anchor: links.anchor,
    },
    counted,
  )
  const held = heldLinks(saved)
  const dropped = dropLinks(
    held,
    now,
    sql`not (${held.c.toProjectId} = any(${sql.param(counted.map((link) => link.toProjectId))}::int[]))`,
  )
  const kept = keepLinks(held, wanted, now)
  const { missing, added } = addLinks(saved, projectId, held, wanted, now)
  const { id, fromProjectId, toProjectId } = added.c
  const moves = select(
    'link_moves',
    { linkId: id, fromProjectId, toProjectId, sign: sql`1` },
    sql`from ${added.rows}
      union all select ${kept.c.id}, ${kept.c.fromProjectId}, ${kept.c.toProjectId}, 1 from ${kept.rows} where ${kept.c.before} = 'Missing'
      union all select ${dropped.c.id}, ${dropped.c.fromProjectId}, ${dropped.c.toProjectId}, -1 from ${dropped.rows} where ${dropped.c.before} <> 'Missing'`,
  )
  return [wanted, held, dropped, kept, missing, added, moves, bookMoves(moves, now)]
}

/** Parts that take an article's links back with it. `gone` is the part that deleted it; after `articleLocks`. */
export const removeLinks = (gone: Part<'id'>, now: Date): Parts => {
  const held = heldLinks(gone)
  const dropped = dropLinks(held, now, sql`true`)
  const moves = movesOut(dropped, sql`where ${dropped.c.before} <> 'Missing'`)
  return [held, dropped, moves, bookMoves(moves, now)]
}

/** Parts that mark links which the live page does not have as missing and take their credits back; after `articleLocks`. */
export const loseLinks = (linkIds: readonly number[], now: Date): Parts => {
  const missed = update(
    'missed_links',
    links,
    { status: 'Missing', updatedAt: now },
    {
      where: sql`${links.id} = any(${sql.param([...linkIds])}::int[]) and ${eq(links.status, 'Scheduled')}`,
      returning: { id: links.id, fromProjectId: links.fromProjectId, toProjectId: links.toProjectId },
    },
  )
  const moves = movesOut(missed, sql``)
  return [missed, moves, bookMoves(moves, now)]
}

/** A part that has the live page looked at for the links it has to show; nothing for an article without any. */
export const lookForLinks = (live: Part<'id' | 'url'>, account: SQL | number, now: Date): Part => {
  const runAt = firstLookAt(now)
  return verifyJob.enqueue({
    from: live,
    account,
    payload: { article_id: live.c.id, look: 0, not_before: runAt.getTime() },
    runAt,
    open: 'move',
    replacePayload: true,
    where: sql`${and(
      isNotNull(live.c.url),
      sql`exists (select 1 from ${links} where ${and(eq(links.articleId, live.c.id), eq(links.status, 'Scheduled'))})`,
    )}`,
  })
}

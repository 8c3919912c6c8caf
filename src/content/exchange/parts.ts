import { and, eq, ne, type SQL, sql } from 'drizzle-orm'
import { accounts } from '../../../schema/accounts.ts'
import { exchangeCommitments as commitments, exchangeLinks as links } from '../../../schema/exchange.ts'
import { projects } from '../../../schema/projects.ts'
import type { AnyPart, Part } from '../../platform/db/part.ts'
import { givenRows, read, select } from '../../platform/db/read-parts.ts'
import type { Parts } from '../../platform/db/statement.ts'
import { insert, update } from '../../platform/db/write-parts.ts'
import { book } from './booking.ts'
import { canPay, isFull, participates } from './fragments.ts'
import type { CountedLink } from './links.ts'

const heldLinks = (article: Part<'id'>) =>
  read(
    'held_links',
    links,
    { id: links.id, toProjectId: links.toProjectId, status: links.status },
    { from: [article], where: and(eq(links.articleId, article.c.id), ne(links.status, 'Removed')) },
  )

type HeldLinks = ReturnType<typeof heldLinks>

/** Returns the columns that a changed link passes on; `before` is the state it had. */
const changed = (before: SQL) => ({
  id: links.id,
  fromProjectId: links.fromProjectId,
  toProjectId: links.toProjectId,
  round: links.round,
  before,
})

type ChangedLinks = Part<'id' | 'fromProjectId' | 'toProjectId' | 'round' | 'before'>

const dropLinks = (held: HeldLinks, now: Date, which: SQL): ChangedLinks =>
  update(
    'dropped_links',
    links,
    { status: 'Removed', updatedAt: now },
    { from: [held], where: sql`${eq(links.id, held.c.id)} and ${which}`, returning: changed(held.c.status) },
  )

type Wanted = Part<'toProjectId' | 'url' | 'anchor'>

/** Links that stay get their new address and words. One that was missing counts again, if its receiver can pay for it. */
const keepLinks = (saved: Part<'id'>, held: HeldLinks, wanted: Wanted, now: Date): ChangedLinks => {
  const payable = sql`exists (select 1 from ${projects} where ${eq(projects.id, held.c.toProjectId)} and ${canPay('projects', sql`${saved.c.id}`)})`
  return update(
    'kept_links',
    links,
    {
      targetUrl: wanted.c.url,
      anchor: wanted.c.anchor,
      updatedAt: now,
      status: sql`case when ${held.c.status} = 'Missing' then 'Scheduled' else ${held.c.status} end`,
      round: sql`case when ${held.c.status} = 'Missing' then ${links.round} + 1 else ${links.round} end`,
    },
    {
      from: [saved, held, wanted],
      where: sql`${eq(links.id, held.c.id)} and ${wanted.c.toProjectId} = ${held.c.toProjectId}
        and ((${held.c.status} = 'Missing' and ${payable})
          or (${held.c.status} <> 'Missing' and (${links.targetUrl} <> ${wanted.c.url} or ${links.anchor} <> ${wanted.c.anchor})))`,
      returning: changed(held.c.status),
    },
  )
}

const addLinks = (saved: Part<'id'>, projectId: SQL, held: HeldLinks, wanted: Wanted, now: Date) => {
  const missing = select(
    'links_to_add',
    { articleId: saved.c.id, toProjectId: projects.id, url: wanted.c.url, anchor: wanted.c.anchor },
    sql`from ${saved.rows} cross join ${wanted.rows}
      join ${projects} on ${eq(projects.id, wanted.c.toProjectId)} and ${participates('projects')}
      join ${accounts} on ${eq(accounts.id, projects.accountId)}
      where not exists (select 1 from ${held.rows} where ${held.c.toProjectId} = ${wanted.c.toProjectId})
        and not ${isFull('accounts', 'projects', now)} and ${canPay('projects', sql`${saved.c.id}`)}`,
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
      returning: {
        id: links.id,
        fromProjectId: links.fromProjectId,
        toProjectId: links.toProjectId,
        round: links.round,
      },
    },
  )
  return { missing, added }
}

/** Credits set aside for links are set free where `where` holds. What ends is to be booked. */
const endReservations = (where: SQL, from: readonly AnyPart[] = []) =>
  update(
    'ended_reservations',
    commitments,
    { reserved: false },
    {
      from,
      where: sql`${eq(commitments.reserved, true)} and ${where}`,
      returning: { id: commitments.id, toProjectId: commitments.toProjectId },
    },
  )

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
  const kept = keepLinks(saved, held, wanted, now)
  const { missing, added } = addLinks(saved, projectId, held, wanted, now)
  const { id, fromProjectId, toProjectId, round } = added.c
  const moves = select(
    'link_moves',
    { linkId: id, fromProjectId, toProjectId, round, sign: sql`1` },
    sql`from ${added.rows}
      union all select ${kept.c.id}, ${kept.c.fromProjectId}, ${kept.c.toProjectId}, ${kept.c.round}, 1 from ${kept.rows} where ${kept.c.before} = 'Missing'
      union all select ${dropped.c.id}, ${dropped.c.fromProjectId}, ${dropped.c.toProjectId}, ${dropped.c.round}, -1 from ${dropped.rows} where ${dropped.c.before} <> 'Missing'`,
  )
  const paid = and(eq(commitments.articleId, saved.c.id), eq(commitments.toProjectId, moves.c.toProjectId))
  const ended = endReservations(sql`${moves.c.sign} > 0 and ${paid}`, [saved, moves])
  return [wanted, held, dropped, kept, missing, added, moves, ended, book({ moves, ended }, now)]
}

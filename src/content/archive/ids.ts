import { type SQL, sql } from 'drizzle-orm'
import { projectImportIds } from '../../../schema/archives.ts'
import { NUMBERED_KINDS, type NumberedKind } from '../../../schema/values/archives.ts'
import { rowsOf } from '../../platform/db/client.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import { BadArchive, type ReadLine } from './lines.ts'

const SEQUENCES: Record<NumberedKind | 'project', string> = {
  project: 'projects_id_seq',
  integration: 'integrations_id_seq',
  article: 'articles_id_seq',
  delivery: 'deliveries_id_seq',
}

type Known = [kind: NumberedKind, oldId: number, newId: number][]

/** Ids of rows of an archive, as they are here. */
export type Ids = {
  /** Returns the new id of a row. Throws `BadArchive` for one that the archive does not have before this line. */
  of: (kind: NumberedKind, oldId: number) => number
  /** Pairs that this part adds. */
  added: Known
  project: number
}

const ownId = ({ kind, row }: ReadLine): [NumberedKind, number] | undefined =>
  kind === 'integration' || kind === 'article' || kind === 'delivery' ? [kind, row.id] : undefined

const refersTo = ({ kind, row }: ReadLine): [NumberedKind, number | null][] => {
  if (kind === 'revision') return [['article', row.article_id]]
  if (kind !== 'delivery') return []
  return [
    ['integration', row.integration_id],
    ['article', row.article_id],
    ['delivery', row.replay_of],
  ]
}

const keyOf = (kind: NumberedKind, id: number): string => `${kind}:${id}`

const drawn = (kind: NumberedKind | 'project', count: number): SQL =>
  sql`(select coalesce(json_agg(nextval(${SEQUENCES[kind]}::regclass)), '[]') from generate_series(1, ${count}::int))`

/** Draws ids for the rows of a part, and reads those that it refers to. Throws `BadArchive` if two rows have one id. */
export const idsFor = async (ctx: Ctx, importId: number, lines: readonly ReadLine[]): Promise<Ids> => {
  const own = lines.map(ownId).filter((pair) => pair !== undefined)
  const asked = [...own, ...lines.flatMap(refersTo)].filter((pair): pair is [NumberedKind, number] => pair[1] !== null)
  const counts = Object.fromEntries(NUMBERED_KINDS.map((kind) => [kind, own.filter(([one]) => one === kind).length]))
  const { importId: ofImport, kind, oldId, newId } = projectImportIds
  const [found] = await rowsOf<{ fresh: Record<NumberedKind | 'project', number[]>; known: Known }>(
    ctx.db,
    sql`select json_build_object(
        'project', ${drawn('project', lines.some((line) => line.kind === 'project') ? 1 : 0)},
        'integration', ${drawn('integration', counts.integration ?? 0)},
        'article', ${drawn('article', counts.article ?? 0)},
        'delivery', ${drawn('delivery', counts.delivery ?? 0)}) as fresh,
      (select coalesce(json_agg(json_build_array(${kind}, ${oldId}, ${newId})), '[]') from ${projectImportIds}
        where ${ofImport} = ${importId}::int and (${kind}, ${oldId}) in (select * from unnest(
          ${sql.param(asked.map(([one]) => one))}::text[], ${sql.param(asked.map(([, one]) => one))}::int[]))) as known`,
  )
  if (!found) throw new Error('the ids of a part are one row')
  const ids = new Map(found.known.map(([one, from, to]) => [keyOf(one, from), Number(to)]))
  const added: Known = []
  for (const [one, from] of own) {
    if (ids.has(keyOf(one, from))) throw new BadArchive(`two rows of the type ${one} have the id ${from}`)
    const to = Number(found.fresh[one].shift())
    ids.set(keyOf(one, from), to)
    added.push([one, from, to])
  }
  return {
    of: (one, from) => {
      const to = ids.get(keyOf(one, from))
      if (to === undefined) throw new BadArchive(`a row names the ${one} ${from}, which does not stand before it`)
      return to
    },
    added,
    project: Number(found.fresh.project[0] ?? 0),
  }
}

import { OUTREACH_KINDS, type OutreachKind } from '../../../schema/values/outreach.ts'
import { streamed } from '../../platform/http/streamed.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import { type ExportedRow, exportPage, mirrorOf } from './queries.ts'

type Page = readonly ExportedRow[]

const lineOf = (kind: OutreachKind, { data, suppressed }: ExportedRow): string =>
  `${JSON.stringify({ kind, row: data, ...(suppressed ? { suppressed } : {}) })}\n`

/** Returns the lines of a mirror, page by page; the last says how far the sync is and how many rows there were. */
async function* linesOf(ctx: Ctx, first: Page, cursor: string | null): AsyncGenerator<string> {
  const counts = Object.fromEntries(OUTREACH_KINDS.map((kind) => [kind, 0])) as Record<OutreachKind, number>
  for (const kind of OUTREACH_KINDS) {
    let page = kind === OUTREACH_KINDS[0] ? first : await pageOf(ctx, kind)
    while (page.length > 0) {
      counts[kind] += page.length
      yield page.map((row) => lineOf(kind, row)).join('')
      page = await pageOf(ctx, kind, page.at(-1))
    }
  }
  yield `${JSON.stringify({ kind: 'end', cursor, counts })}\n`
}

const pageOf = async (ctx: Ctx, kind: OutreachKind, after?: ExportedRow): Promise<Page> => {
  const [page] = await ctx.read((owner) => [exportPage(ctx.db, owner, kind, after)])
  return page.rows
}

/**
 * Returns the whole mirror as newline-delimited JSON, a row a line: `{kind, row, suppressed?}`. Rows are as they were sent, so that
 * syncing them elsewhere makes an equal mirror. The last line is `{kind: "end", …}`; without it the export is not complete.
 */
export const exportMirror = async (ctx: Ctx) => {
  const [first, [mirror]] = await ctx.read((owner) => [
    exportPage(ctx.db, owner, OUTREACH_KINDS[0], undefined),
    mirrorOf(ctx.db, owner),
  ])
  return streamed(linesOf(ctx, first.rows, mirror?.cursor ?? null))
}

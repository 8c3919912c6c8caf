import type { ChangeKind } from '../../../schema/values/effects.ts'
import { readWithProject } from '../../accounts/projects/scope.ts'
import { pageOf, pagingOf } from '../../platform/db/paging.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import { pooled } from '../effects/estimate.ts'
import type { ListEffectsInput } from './operations.ts'
import { changeRows, comparedEffects, verdictCounts } from './queries.ts'

const PAGE = { default: 100, max: 500 }
/** Effects the average is made of: the newest. */
const MAX_AVERAGED = 1_000

type Counts = Awaited<ReturnType<typeof verdictCounts>>['rows']
type Compared = Awaited<ReturnType<typeof comparedEffects>>['rows']

const summaryOf = (counts: Counts, compared: Compared, ...kinds: ChangeKind[]) => {
  const mine = counts.filter(({ kind }) => kinds.includes(kind))
  const sum = (fits: (row: Counts[number]) => boolean) => mine.filter(fits).reduce((n, row) => n + Number(row.n), 0)
  const effects = compared.filter(({ kind }) => kinds.includes(kind))
  return {
    n: sum(() => true),
    waiting: sum(({ measured }) => !measured),
    up: sum(({ verdict }) => verdict === 'up'),
    down: sum(({ verdict }) => verdict === 'down'),
    within_noise: sum(({ verdict }) => verdict === 'within_noise'),
    without_verdict: sum(({ measured, verdict }) => measured && verdict === null),
    average: pooled(effects.map(({ low, high, controls }) => ({ interval: { low, high }, controls }))) ?? null,
  }
}

/** Returns the effects of a project's rewrites and syncs on the clicks of their pages, summed up and newest first. Throws 404, 403. */
export const listEffects = async (ctx: Ctx, input: ListEffectsInput) => {
  const { project_id: id, kind } = input
  const paging = pagingOf(input, PAGE)
  const {
    results: [found, { rows: counts }, { rows: compared }],
  } = await readWithProject(ctx, id, [
    changeRows(ctx.db, id, kind, paging),
    verdictCounts(ctx.db, id),
    comparedEffects(ctx.db, id, MAX_AVERAGED),
  ] as const)
  const { rows, page } = pageOf(found, paging)
  return {
    project_id: id,
    summary: {
      all: summaryOf(counts, compared, 'rewrite', 'sync'),
      rewrite: summaryOf(counts, compared, 'rewrite'),
      sync: summaryOf(counts, compared, 'sync'),
      rollback: summaryOf(counts, compared, 'rollback'),
    },
    effects: rows.map((row) => ({
      id: row.id,
      kind: row.kind,
      suggestion_id: row.suggestionId,
      article_id: row.articleId,
      article_title: row.articleTitle,
      article_url: row.articleUrl,
      changed_at: row.changedAt.toISOString(),
      measure_at: row.measureAt.toISOString(),
      measured_at: row.measuredAt?.toISOString() ?? null,
      effect: row.effect,
    })),
    ...page,
  }
}

import { CARE_RULES, type CareRule } from '../../../schema/values/care.ts'
import { readWithProject } from '../../accounts/projects/scope.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import { NO_ORPHANS, unlistedArticles, withOrphans } from '../search/indexing/parts.ts'
import { detect, LOST_SHARE } from '../suggestions/detect.ts'
import { detectUnlisted, UNLISTED } from '../suggestions/not-indexed.ts'
import { searchData, snapshotOf } from '../suggestions/snapshot.ts'
import { type CareReportInput, SHOWN } from './operations.ts'
import { caredArticles, orphanFindings, orphansFound, type TextFinding, textFindings } from './queries.ts'
import { type CaredArticle, FINDINGS, mendingOf } from './rules.ts'

const shown = (projectId: number, { rule, reason }: TextFinding, article: CaredArticle) => ({
  article_id: article.id,
  title: article.title,
  url: article.url,
  origin: article.origin,
  reason,
  call: mendingOf(rule, article, projectId),
})

/** Lengths of texts, which the reports of articles have. To count them again would take longer than all the rest. */
const UNMEASURED = { isThin: false, words: 0, wanted: 0 }

/**
 * Reports which published articles of a project need care, by rule. It reads only; nothing is changed or sent.
 *
 * Throws 404, 403.
 */
export const careReport = async (ctx: Ctx, projectId: number, { rule, origin, limit }: CareReportInput) => {
  const {
    results: { live, unlisted, texts, search, orphans },
  } = await readWithProject(ctx, projectId, {
    live: caredArticles(ctx.db, projectId, origin),
    unlisted: unlistedArticles(ctx.db, projectId, UNLISTED, NO_ORPHANS),
    texts: textFindings(ctx.db, projectId, origin, ctx.now().getUTCFullYear()),
    search: searchData(ctx.db, projectId, LOST_SHARE),
    orphans: orphansFound(ctx.db, projectId),
  })
  const articles = new Map(live.rows.map((row) => [row.id, row]))
  const snapshot = snapshotOf(search, new Map(live.rows.map((row) => [row.id, { ...row, ...UNMEASURED }])))
  const pages = withOrphans(unlisted.rows, new Set(orphans.rows[0]?.ids))
  const findings = [...(snapshot ? detect(snapshot) : []), ...detectUnlisted(pages, ctx.now())]
  const searched: TextFinding[] = findings.flatMap(({ type, articleId: id, reason }) => {
    const found = FINDINGS[type]
    return found ? [{ rule: found, id, reason }] : []
  })
  const byRule = Map.groupBy(
    [...searched, ...texts.rows, ...orphanFindings(orphans.rows)].filter(({ id }) => articles.has(id)),
    (finding) => finding.rule,
  )
  const wanted: readonly CareRule[] = rule ?? CARE_RULES
  return {
    project_id: projectId,
    published: articles.size,
    has_search_data: snapshot !== undefined,
    rules: CARE_RULES.filter((one) => wanted.includes(one) && byRule.has(one)).map((one) => {
      const found = byRule.get(one) ?? []
      const first = found.slice(0, Math.min(limit ?? SHOWN.default, SHOWN.max))
      return {
        rule: one,
        count: found.length,
        articles: first.flatMap((finding) => {
          const article = articles.get(finding.id)
          return article ? [shown(projectId, finding, article)] : []
        }),
      }
    }),
  }
}

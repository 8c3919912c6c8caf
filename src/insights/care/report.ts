import { CARE_RULES, type CareRule } from '../../../schema/values/care.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import { unlistedArticles } from '../search/indexing/parts.ts'
import { detect } from '../suggestions/detect.ts'
import { detectUnlisted, UNLISTED } from '../suggestions/not-indexed.ts'
import { readSnapshot } from '../suggestions/snapshot.ts'
import { type CareReportInput, SHOWN } from './operations.ts'
import { caredArticles, type TextFinding, textFindings } from './queries.ts'
import { type CaredArticle, FINDINGS, mendingOf } from './rules.ts'

const shown = (projectId: number, { rule, reason }: TextFinding, article: CaredArticle) => ({
  article_id: article.id,
  title: article.title,
  url: article.url,
  origin: article.origin,
  reason,
  call: mendingOf(rule, article, projectId),
})

/**
 * Reports which published articles of a project need care, by rule. It reads only; nothing is changed or sent.
 *
 * Throws 404, 403.
 */
export const careReport = async (ctx: Ctx, projectId: number, { rule, origin, limit }: CareReportInput) => {
  const { snapshot, also } = await readSnapshot(ctx, projectId, {
    articles: caredArticles(ctx.db, projectId, origin),
    unlisted: unlistedArticles(ctx.db, projectId, UNLISTED),
    texts: textFindings(ctx.db, projectId, origin, ctx.now().getUTCFullYear()),
  })
  const articles = new Map(also.articles.rows.map((row) => [row.id, row]))
  const findings = [...(snapshot ? detect(snapshot) : []), ...detectUnlisted(also.unlisted.rows, ctx.now())]
  const searched: TextFinding[] = findings.flatMap(({ type, articleId: id, reason }) => {
    const found = FINDINGS[type]
    return found ? [{ rule: found, id, reason }] : []
  })
  const byRule = Map.groupBy(
    [...searched, ...also.texts.rows].filter(({ id }) => articles.has(id)),
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

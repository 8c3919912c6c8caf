import { and, eq, isNotNull, ne, or, type SQL, sql } from 'drizzle-orm'
import { articles } from '../../schema/articles.ts'
import { projects } from '../../schema/projects.ts'
import { lookForLinks } from '../content/exchange/writes.ts'
import { type HtmlDocument, readDocument } from '../content/html/document.ts'
import { collapse } from '../content/html/references.ts'
import { readLivePage } from '../content/site/live-page.ts'
import { articlePage } from '../content/site/writes.ts'
import type { Db } from '../platform/db/client.ts'
import type { Statement } from '../platform/db/steps.ts'
import { enqueue } from '../platform/jobs/enqueue.ts'
import { plainTypography } from '../platform/lib/fold.ts'
import { isWordEnd } from '../platform/lib/names/letters.ts'
import type { Deps } from '../platform/runtime/ctx.ts'
import { receiptJob } from './jobs.ts'

/** True if two neighbouring characters belong to the same word. */
const isWithinWord = (left: string, right: string): boolean =>
  /[\p{L}\p{N}]/u.test(left) && /[\p{L}\p{N}\p{M}]/u.test(right) && !isWordEnd(left, right)

/** True if a text contains another one as whole words. */
const holds = (text: string, wanted: string): boolean => {
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + 1)) {
    const end = at + wanted.length
    const isPart =
      isWithinWord(text.charAt(at - 1), wanted.charAt(0)) ||
      isWithinWord(wanted.charAt(wanted.length - 1), text.charAt(end))
    if (!isPart) return true
  }
  return false
}

/** True if a page shows a title in its own title, or in a heading of level 1 or 2. */
export const showsTitle = (pageTitle: string, headings: HtmlDocument['headings'], title: string): boolean => {
  const names = [pageTitle, ...headings.filter(({ level }) => level <= 2).map(({ text }) => text)]
  return holds(plainTypography(names.join(' ')), plainTypography(collapse(title)))
}

/** Reads an address and returns whether its page shows an article, with the reason if it does not. */
export const lookFor = async (
  deps: Pick<Deps, 'outbound' | 'settings'>,
  url: string,
  title: string,
): Promise<{ isShown: true } | { isShown: false; reason: string }> => {
  const page = await readLivePage(deps, url)
  if (page.kind === 'unread') return { isShown: false, reason: page.reason }
  if (page.status !== 200) return { isShown: false, reason: `The page answered with ${page.status}.` }
  return showsTitle(page.head.title, readDocument(page.html).headings, title)
    ? { isShown: true }
    : { isShown: false, reason: "The page does not show the article's title." }
}

/** Delay from publication to the check of the live page, ms. */
const RECEIPT_AFTER_MS = 5_000

/** Article whose live page changed. `isRestored`: the site shows an earlier version of it again. */
type Live = { articleId: number; accountId: number; isRestored?: boolean }
type When = { if: SQL; now: Date }

/**
 * Returns the statement that enqueues the check of an article's live page, at `url` if it is known. Unfinished checks start anew.
 *
 * Without `url` it must run after the article's change. An article without an address is looked for in the project's
 * blog.
 */
export const checkLivePage = (
  { articleId, accountId, isRestored = false }: Live,
  url: string | null | undefined,
  { if: condition, now }: When,
) => {
  const runAt = new Date(now.getTime() + RECEIPT_AFTER_MS)
  const hasPlace = sql`exists (select 1 from ${articles} join ${projects} on ${eq(projects.id, articles.projectId)}
    where ${and(eq(articles.id, articleId), or(isNotNull(articles.url), ne(projects.blogRootUrl, '')))})`
  return enqueue(
    receiptJob,
    { article_id: articleId, look: 0, not_before: runAt.getTime(), is_restored: isRestored },
    {
      if: url ? condition : sql`${condition} and ${hasPlace}`,
      account: accountId,
      runAt,
      open: 'move',
      replacePayload: true,
    },
  )
}

/**
 * Returns the statements that store a live article as a page of its site and enqueue the check of its links to
 * partners.
 *
 * Without `url` they must run after the article's change.
 */
export const keepLivePage = (
  db: Db,
  { articleId, accountId }: Live,
  url: string | undefined,
  when: When,
): Statement[] => [...articlePage(db, articleId, url, when), lookForLinks(articleId, accountId, url, when)]

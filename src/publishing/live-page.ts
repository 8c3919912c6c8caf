import { and, eq, isNotNull, ne, or, type SQL, sql } from 'drizzle-orm'
import { articles } from '../../schema/articles.ts'
import { projects } from '../../schema/projects.ts'
import { lookForLinks } from '../content/exchange/writes.ts'
import { type HtmlDocument, readDocument } from '../content/html/document.ts'
import { readPageHead } from '../content/html/page.ts'
import { plainText } from '../content/html/references.ts'
import { articlePage } from '../content/site/writes.ts'
import type { Db } from '../platform/db/client.ts'
import { enqueue } from '../platform/jobs/enqueue.ts'
import { plainTypography } from '../platform/lib/fold.ts'
import { isWordEnd } from '../platform/lib/names/letters.ts'
import type { Deps, Statement } from '../platform/runtime/ctx.ts'
import { askForLivePage, unansweredReason } from '../platform/runtime/live-page.ts'
import { receiptJob } from './jobs.ts'

/** Maximum number of bytes read of a live page. */
export const MAX_PAGE_BYTES = 2 * 1024 * 1024

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

/** True if a page shows an article's title in its own title, or in a heading of level 1 or 2. */
export const showsTitle = (pageTitle: string, headings: HtmlDocument['headings'], title: string): boolean => {
  const names = [pageTitle, ...headings.filter(({ level }) => level <= 2).map(({ text }) => text)]
  return holds(plainTypography(names.join(' ')), plainTypography(plainText(title)))
}

/** Fetches an address and returns whether it shows an article, with the reason if it does not. */
export const lookFor = async (
  deps: Pick<Deps, 'outbound' | 'settings'>,
  url: string,
  title: string,
): Promise<{ isShown: true } | { isShown: false; reason: string }> => {
  const answer = await askForLivePage(deps, url, MAX_PAGE_BYTES)
  if (answer.kind !== 'answered') return { isShown: false, reason: unansweredReason(answer) }
  if (answer.status !== 200) return { isShown: false, reason: `The page answered with ${answer.status}.` }
  return showsTitle(readPageHead(answer.body).title, readDocument(answer.body).headings, title)
    ? { isShown: true }
    : { isShown: false, reason: "The page does not show the article's title." }
}

/** Delay from publication to the check of the live page, ms. */
const RECEIPT_AFTER_MS = 5_000

type Live = { articleId: number; accountId: number }
type When = { if: SQL; now: Date }

/**
 * Returns the statement that enqueues the check of an article's live page, at `url` if it is known.
 *
 * Without `url` it must run after the article's change. An article without an address is looked for in the project's
 * blog.
 */
export const checkLivePage = (
  { articleId, accountId }: Live,
  url: string | null | undefined,
  { if: condition, now }: When,
) => {
  const hasPlace = sql`exists (select 1 from ${articles} join ${projects} on ${eq(projects.id, articles.projectId)}
    where ${and(eq(articles.id, articleId), or(isNotNull(articles.url), ne(projects.blogRootUrl, '')))})`
  return enqueue(
    receiptJob,
    { article_id: articleId },
    {
      if: url ? condition : sql`${condition} and ${hasPlace}`,
      account: accountId,
      runAt: new Date(now.getTime() + RECEIPT_AFTER_MS),
      open: 'keep',
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

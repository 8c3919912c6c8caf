import { readDocument } from '../../html/document.ts'
import { readPageHead } from '../../html/page.ts'
import { plainText } from '../../html/references.ts'
import { plainTypography } from '../../lib/typography.ts'
import type { Deps } from '../../runtime/ctx.ts'
import { askForLivePage, unansweredReason } from '../../runtime/live-page.ts'

const MAX_PAGE_BYTES = 2 * 1024 * 1024

/** True if a page names the title, in its own title or in a heading of the first two levels. */
const showsTitle = (page: string, title: string): boolean => {
  const headings = readDocument(page).headings.filter(({ level }) => level <= 2)
  const names = [readPageHead(page).title, ...headings.map(({ text }) => text)].join(' ')
  return plainTypography(names).includes(plainTypography(plainText(title)))
}

/** Looks whether an address shows an article; the reason where it does not. */
export const lookFor = async (
  deps: Pick<Deps, 'outbound' | 'settings'>,
  url: string,
  title: string,
): Promise<{ isShown: true } | { isShown: false; reason: string }> => {
  const answer = await askForLivePage(deps, url, MAX_PAGE_BYTES)
  if (answer.kind !== 'answered') return { isShown: false, reason: unansweredReason(answer) }
  if (answer.status !== 200) return { isShown: false, reason: `The page answered with ${answer.status}.` }
  return showsTitle(answer.body, title)
    ? { isShown: true }
    : { isShown: false, reason: "The page does not show the article's title." }
}

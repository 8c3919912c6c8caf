import type { CmsFailure } from '../../../publishing/target/cms-adapter.ts'
import { type Got, misfit } from '../got.ts'
import { quotable } from '../http.ts'
import type { MarkdownVersion, NotionApi } from './api.ts'
import type { NotionMarkdown } from './types.ts'

const MAX_NAMED = 10

/** Returns pages and databases within a page's markdown, by name. */
const childrenIn = (markdown: string): string[] =>
  [...markdown.matchAll(/<(page|database)\b[^<>]*>([^<>]*)</g)].map(
    ([, kind, name]) => `the ${kind} "${quotable(name) || 'untitled'}"`,
  )

const isAboutChildren = (failure: CmsFailure): boolean =>
  failure.kind === 'refused' &&
  failure.code === 'validation' &&
  /allow_deleting_content|delete[^.]{0,80}\b(page|database|child)/i.test(failure.reason)

/**
 * Replaces a page's content. Pages and databases that people put under it are never deleted: Notion refuses then, and the
 * refusal names them. Null: the page is gone.
 */
export const replaceContent = async (
  api: NotionApi,
  remoteId: string,
  markdown: string,
  version?: MarkdownVersion,
): Promise<Got<NotionMarkdown | null>> => {
  const replaced = await api.replaceContent(remoteId, markdown, version)
  if (replaced.kind === 'got' || !isAboutChildren(replaced)) return replaced
  const shown = await api.markdown(remoteId)
  const names = shown.kind === 'got' && shown.value ? childrenIn(shown.value.markdown) : []
  const list = names.slice(0, MAX_NAMED).join(', ') || 'pages or databases'
  return misfit(
    `The page in Notion holds ${list}${names.length > MAX_NAMED ? ' and more' : ''}, which new content would delete. Move them out of the page, then send the article again.`,
  )
}

import { randomBytes } from 'node:crypto'
import { DeployFault } from '../fault.ts'
import type { Caller } from './caller.ts'
import type { Receiver } from './receiver.ts'

const WITHIN_MS = 180_000
const EVERY_MS = 1_000

type Listed = { projects?: { ID: number }[] }
type Receipt = { http_status: number | null; title_found: boolean; error?: string }

const projectOf = async (caller: Caller, receiver: Receiver): Promise<number> => {
  const listed = (await caller.expect([200], 'GET', '/projects')) as Listed
  const [known] = listed.projects ?? []
  if (known) return known.ID
  const made = await caller.expect([201], 'POST', '/projects', {
    website_url: receiver.url,
    business_name: 'Deployment proof',
  })
  return made.project_id as number
}

const CONTENT =
  '<h2>Why this page is here</h2><p>A deployment publishes one article to a receiver of its own, to show that everything between a call and a live page works.</p>'

const waitForReceipt = async (caller: Caller, articleId: number): Promise<Receipt> => {
  const until = Date.now() + WITHIN_MS
  for (;;) {
    const article = await caller.expect([200], 'GET', `/articles/${articleId}`)
    const receipt = article.Receipt as Receipt | null | undefined
    if (receipt) return receipt
    if (Date.now() > until)
      throw new DeployFault(
        `Article ${articleId} was published, but its page was not checked within ${WITHIN_MS / 60_000} minutes.`,
        'Jobs do not run. See docs/operations/runbook.md, "Work is late", or roll back: npm run deploy -- rollback',
      )
    await new Promise((resolve) => setTimeout(resolve, EVERY_MS))
  }
}

/** Publishes an article to the receiver and waits for the receipt of its live page. Throws a DeployFault. */
export const proveArticle = async (caller: Caller, receiver: Receiver): Promise<string> => {
  const projectId = await projectOf(caller, receiver)
  await caller.expect([200, 201], 'POST', `/projects/${projectId}/integrations`, {
    platform: 'webhook',
    url: `${receiver.url}/webhook`,
    access_token: receiver.token,
  })
  const made = await caller.expect([201], 'POST', '/articles', {
    project_id: projectId,
    keyword: `deployment proof ${randomBytes(4).toString('hex')}`,
    content: CONTENT,
  })
  const articleId = made.article_id as number
  const published = await caller.expect([200], 'POST', `/articles/${articleId}/publish`)
  const receipt = await waitForReceipt(caller, articleId)
  if (receipt.http_status !== 200 || !receipt.title_found)
    throw new DeployFault(
      `The page of article ${articleId} does not show the article: ${JSON.stringify(receipt)}`,
      `Open ${String(published.url)} and look.`,
    )
  return String(published.url)
}

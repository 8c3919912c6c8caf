import { afterEach, beforeEach } from 'vitest'
import { type NotionOptions, type NotionStandIn, startNotion } from '../../../../local/cms/notion.ts'
import { notionConnection } from '../../../../src/providers/cms/notion/connect.ts'
import { notionCms } from '../../../../src/providers/cms/notion/index.ts'
import type { CmsPost, CmsResult } from '../../../../src/publishing/target/cms-adapter.ts'
import { latest } from '../../../support/latest.ts'
import { clockAt, meansAt } from '../../drive.ts'

/** Returns the id of the page that a call made. */
export const idOf = (result: CmsResult<CmsPost>): string => (result.kind === 'done' ? result.value.remoteId : '')

/** Returns a stand-in of Notion that is new for each test of a file, and the adapter connected to it. */
export const eachInItsNotion = () => {
  const clock = clockAt('2026-11-21T10:00:00Z')
  let notion: NotionStandIn
  const restart = async (options: NotionOptions = {}) => {
    await notion?.close()
    notion = await startNotion({ now: clock.now, ...options })
  }
  const cms = (more: Record<string, unknown> = {}) => {
    const given = { integration_token: notion.token, database_id: notion.databaseId, api_url: notion.url, ...more }
    const { url, secrets } = notionConnection.connection(given)
    return notionCms({ id: 1, platform: 'notion', url, secrets }, meansAt(clock))
  }
  beforeEach(() => restart())
  afterEach(() => notion.close())
  return { clock, notion: latest(() => notion), restart, cms }
}

import { type SQL, sql } from 'drizzle-orm'
import { auditActors, auditRows, eventRows } from '../../src/accounts/audit/log.ts'
import { cursorRow, eventsOf } from '../../src/accounts/notices/queries.ts'
import { listRows } from '../../src/content/articles/read.ts'
import { ledgerRows, receivedRows } from '../../src/content/exchange/read.ts'
import { answerRows, newestScans, scanRows } from '../../src/insights/visibility/read/queries.ts'
import { listIntegrationRows } from '../../src/publishing/connect/queries.ts'
import { listDeliveryRows } from '../../src/publishing/queries.ts'
import { campaignRows } from '../../src/reach/crowdwork/queries.ts'
import { listPostRows } from '../../src/reach/social/queries.ts'
import { rowsIn, type Target } from '../support/client.ts'
import { TEXT, UNSENT } from '../support/plans.ts'

/** Rows of a small project, and newer ones of others. LIST_ROWS asks for more. */
export const OWN = 2_000
export const OTHERS = Number(process.env.LIST_ROWS ?? 20_000)
/** One statement may take ten seconds. */
const PORTION = 50_000
/** So many of a project's oldest rows are of a kind that no newer one is of. */
export const RARE = 60

/** `scan` and `prompt` are those of the rare answers. */
type Place = {
  account: number
  project: number
  target: number
  scan: number
  prompt: number
  others: [number, number]
}

/** Creates what the rows of a project belong to. */
export const openPlace = async (stack: Target, account: number, project: number): Promise<Place> => {
  const ids = sql`${account}::int, ${project}::int`
  const one = async (statement: SQL): Promise<number> => Number((await rowsIn<{ id: number }>(stack, statement))[0]?.id)
  const scan = () =>
    one(
      sql`insert into visibility_scans (account_id, project_id, kind, state, samples, location, language, started_at)
        values (${ids}, 'weekly', 'completed', 1, 'US', 'en', now()) returning id`,
    )
  const prompt = (key: string) =>
    one(
      sql`insert into visibility_prompts (account_id, project_id, prompt, prompt_key, source)
        values (${ids}, 'Who sells sheds?', ${key}, 'own') returning id`,
    )
  return {
    account,
    project,
    target: await one(
      sql`insert into integrations (account_id, project_id, platform, name, url, sealed_secrets, status)
        values (${ids}, 'webhook', 'Blog', 'https://blog.example', '', 'Disconnected') returning id`,
    ),
    scan: await scan(),
    prompt: await prompt('a'),
    others: [await scan(), await prompt('b')],
  }
}

/** Each table's rows, `n` from one number to another; `rare` for those of the rare kind. */
export const TABLES: Record<string, (place: Place, n: SQL, rare: SQL) => SQL> = {
  articles: ({ account, project }, n, rare) =>
    sql`(account_id, project_id, status, title, main_keyword, slug)
      select ${account}::int, ${project}::int, case when ${rare} then 'Planned' else 'Draft' end, 'Sheds', 'sheds', 'sheds-' || n ${n}`,
  deliveries: ({ account, project, target }, n, rare) =>
    sql`(account_id, project_id, integration_id, event_type, status, idempotency_key, revision, live, payload)
      select ${account}::int, ${project}::int, ${target}::int, 'publish_articles', case when ${rare} then 'failed' else 'delivered' end,
        md5(${project}::text || n), 1, true, '{}' ${n}`,
  social_posts: ({ account, project }, n, rare) =>
    sql`(account_id, project_id, platform, route, social_account_id, content, status, send_key)
      select ${account}::int, ${project}::int, case when ${rare} then 'telegram' else 'x' end, 'provider', 'a', repeat('x', 200),
        case when ${rare} then 'failed' else 'published' end, 'k' ${n}`,
  crowdwork_campaigns: ({ account, project }, n, rare) =>
    sql`(account_id, project_id, stage, mark, fingerprint, wanted, platform, title, status, available_positions, payment_cents, cost_cents,
        charged_at, campaign_id)
      select ${account}::int, ${project}::int, 'registered', ${project}::text || '-' || n, 'f', '{}', 'p', 't',
        case when ${rare} then 'stopped' else 'running' end, 1, 1, 1, now(), ${project}::text || '-' || n ${n}`,
  audit_log: ({ account }, n, rare) =>
    sql`(account_id, actor, action, subject, at) select ${account}::int, case when ${rare} then 'key:1' else 'key:2' end,
        case when ${rare} then 'article.delete' else 'article.update' end, 'article:1',
        now() - interval '90 days' + ${account}::int * interval '1 second' + n * interval '1 ms' ${n}`,
  exchange_links: ({ project }, n, rare) =>
    sql`(from_project_id, to_project_id, status, target_url, anchor)
      select ${project}::int, ${project}::int, case when ${rare} then 'Scheduled' else 'Verified' end, 'https://a.example', 'a' ${n}`,
  exchange_ledger: ({ account, project }, n) =>
    sql`(account_id, project_id, delta, reason) select ${account}::int, ${project}::int, 1, 'link_given' ${n}`,
  visibility_scans: ({ account, project }, n, rare) =>
    sql`(account_id, project_id, kind, state, samples, location, language, started_at)
      select ${account}::int, ${project}::int, 'weekly', case when ${rare} then 'completed' else 'failed' end, 1, 'US', 'en', now() ${n}`,
  visibility_answers: ({ account, project, scan, prompt, others }, n, rare) =>
    sql`(account_id, project_id, scan_id, prompt_id, engine, sample, state, text)
      select ${account}::int, ${project}::int, case when ${rare} then ${scan}::int else ${others[0]}::int end,
        case when ${rare} then ${prompt}::int else ${others[1]}::int end, case when ${rare} then 'gemini' else 'chatgpt' end,
        n % 30000, 'cited', repeat('x', 200) ${n}`,
  integrations: ({ account, project }, n) =>
    sql`(account_id, project_id, platform, name, url, sealed_secrets, status)
      select ${account}::int, ${project}::int, 'webhook', 'Blog', 'https://blog.example', '', 'Disconnected' ${n}`,
}

/** Targets are replaced by hand: no project has had more. */
const MOST: Record<string, number> = { integrations: OWN }

/** Adds `wanted` rows of each table to a project. */
export const fill = async (stack: Target, place: Place, wanted: number): Promise<void> => {
  for (const [table, rows] of Object.entries(TABLES)) {
    const count = Math.min(wanted, MOST[table] ?? wanted)
    for (let from = 1; from <= count; from += PORTION) {
      const to = Math.min(count, from + PORTION - 1)
      const n = sql`from generate_series(${from}::int, ${to}::int) n`
      await rowsIn(
        stack,
        sql`with made as (insert into ${sql.identifier(table)} ${rows(place, n, sql`n <= ${RARE}::int`)} returning 1)
          select count(*)::int as id from made`,
      )
    }
  }
}

/** As the gate asks it: the account is found by the key inside the statement, so the planner does not know it. */
export const ownerOf = ({ account }: Place): SQL =>
  sql`(select account_id from api_keys where account_id = ${account}::int and revoked_at is null limit 1)`

export const PAGE = { limit: 50, offset: 0, beforeId: undefined }

/** Returns the lists of an account, of one of its projects, and of the rare kind in them. */
export const readsOf = (place: Place): Record<string, unknown> => {
  const owner = ownerOf(place)
  const { project, scan, prompt } = place
  const both = { projectId: project, statuses: undefined }
  const audit = { action: undefined, actors: undefined, since: undefined }
  const longAgo = new Date(Date.now() - 200 * 86_400_000)
  return {
    'articles of a project': listRows(UNSENT, owner, { project_id: project }, PAGE),
    'articles of an account': listRows(UNSENT, owner, {}, PAGE),
    'articles of a project in a state': listRows(UNSENT, owner, { project_id: project, status: ['Planned'] }, PAGE),
    'articles of an account in a state': listRows(UNSENT, owner, { status: ['Planned'] }, PAGE),
    'articles of an account in two states': listRows(UNSENT, owner, { status: ['Planned', 'Published'] }, PAGE),
    'deliveries of a project': listDeliveryRows(UNSENT, owner, { project_id: project }, PAGE),
    'deliveries of an account': listDeliveryRows(UNSENT, owner, {}, PAGE),
    'failed deliveries of a project': listDeliveryRows(UNSENT, owner, { project_id: project, status: 'failed' }, PAGE),
    'failed deliveries of an account': listDeliveryRows(UNSENT, owner, { status: 'failed' }, PAGE),
    'delivered ones of an account': listDeliveryRows(UNSENT, owner, { status: 'delivered' }, PAGE),
    'posts of a project': listPostRows(UNSENT, owner, { project_id: project }, PAGE),
    'posts of an account': listPostRows(UNSENT, owner, {}, PAGE),
    'failed posts of a project': listPostRows(UNSENT, owner, { project_id: project, status: ['failed'] }, PAGE),
    'posts of an account in two states': listPostRows(UNSENT, owner, { status: ['failed', 'draft'] }, PAGE),
    'posts of an account on one network': listPostRows(UNSENT, owner, { platform: 'telegram' }, PAGE),
    'posts of a project on one network': listPostRows(
      UNSENT,
      owner,
      { project_id: project, platform: 'telegram' },
      PAGE,
    ),
    'posts in a state on one network': listPostRows(
      UNSENT,
      owner,
      { status: ['published'], platform: 'telegram' },
      PAGE,
    ),
    'campaigns of a project': campaignRows(UNSENT, owner, both, PAGE),
    'campaigns of an account': campaignRows(UNSENT, owner, { ...both, projectId: undefined }, PAGE),
    'campaigns of a project in a state': campaignRows(UNSENT, owner, { ...both, statuses: ['stopped'] }, PAGE),
    'campaigns of an account in two states': campaignRows(
      UNSENT,
      owner,
      { projectId: undefined, statuses: ['stopped', 'created'] },
      PAGE,
    ),
    'audit log': auditRows(UNSENT, owner, audit, PAGE),
    'audit log of an action': auditRows(UNSENT, owner, { ...audit, action: 'article.delete' }, PAGE),
    'audit log of an actor': auditRows(UNSENT, owner, { ...audit, actors: ['key:1'] }, PAGE),
    'audit log of a person in two roles': auditRows(UNSENT, owner, { ...audit, actors: ['key:1', 'key:3'] }, PAGE),
    'audit log of the service': auditRows(UNSENT, owner, { ...audit, actors: 'service' }, PAGE),
    'who acted, of an audit log': auditActors(UNSENT, owner),
    'audit log since long ago': auditRows(UNSENT, owner, { ...audit, since: longAgo }, PAGE),
    'audit log since now': auditRows(UNSENT, owner, { ...audit, since: new Date() }, PAGE),
    events: eventRows(UNSENT, owner, longAgo, { after: 0, limit: 50 }),
    'events after the newest': eventRows(UNSENT, owner, longAgo, { after: 2_147_483_647, limit: 50 }),
    'entries that people are told of': cursorRow(TEXT),
    'events for people': eventsOf(TEXT, [1, 2, 3]),
    'events since later': eventRows(UNSENT, owner, new Date(Date.now() + 3_600_000), { after: 0, limit: 50 }),
    'links received': receivedRows(TEXT, project, 'Verified', PAGE),
    'links to come': receivedRows(TEXT, project, 'Scheduled', PAGE),
    ledger: ledgerRows(TEXT, project, PAGE),
    scans: scanRows(UNSENT, project, PAGE),
    'completed scans': newestScans(UNSENT, project, 50),
    answers: answerRows(UNSENT, project, { project_id: project }, PAGE),
    'answers of a scan': answerRows(UNSENT, project, { project_id: project, scan_id: scan }, PAGE),
    'answers to a prompt': answerRows(UNSENT, project, { project_id: project, prompt_id: prompt }, PAGE),
    'answers of two engines': answerRows(
      UNSENT,
      project,
      { project_id: project, engine: ['gemini', 'perplexity'] },
      PAGE,
    ),
    'integrations of a project': listIntegrationRows(UNSENT, owner, { project_id: project }, PAGE),
    'integrations of an account': listIntegrationRows(UNSENT, owner, {}, PAGE),
  }
}

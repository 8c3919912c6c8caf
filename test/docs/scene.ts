import { randomBytes } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { startDirectus } from '../../local/cms/directus.ts'
import { startGhost } from '../../local/cms/ghost.ts'
import { startWordpress } from '../../local/cms/wordpress.ts'
import { startBluesky } from '../../local/social/bluesky.ts'
import type { Names } from '../../scripts/docs/examples/names.ts'
import { createKey } from '../../src/platform/accounts/admin.ts'
import { scopesOf } from '../../src/platform/accounts/scopes.ts'
import { ulid } from '../../src/platform/lib/bytes.ts'
import { connectAt } from '../insights/search/google.ts'
import { seedSearch } from '../insights/suggestions/seed.ts'
import { madeElsewhere, work } from '../reach/crowdwork/scene.ts'
import { until } from '../reach/social/scene.ts'
import { type Api, clientOf, newAccount, rowsIn, runnerOf, tell } from '../support/client.ts'
import { startEndpoint } from '../support/endpoint.ts'
import type { SharedStack } from '../support/global.ts'
import { manyKeys } from '../support/keys.ts'

/** Scene of the examples: an account with a thing of every kind, and the addresses of the stand-ins. */
export type Scene = {
  api: Api
  names: Names
  addresses: Record<string, string>
  close: () => Promise<void>
}

type Body = Record<string, unknown>

const BLUESKY = { identifier: 'sheds.bsky.social', password: 'abcd-efgh-ijkl-mnop' }

const TEXT = `<p>A garden shed floor stays dry on a level base.</p><h2>Floors</h2><p>See <a href="https://wood.example/floors">floors of larch</a>. ${'The timber is cut in winter and dried for two years. '.repeat(60)}</p><h2>Roofs</h2><p>Felt or shingles keep it dry.</p>`

/** Returns a call that has to succeed; the answer's body. */
const done = async (call: Promise<{ status: number; body: Body; text: string }>): Promise<Body> => {
  const { status, body, text } = await call
  if (status > 299) throw new Error(`${status} ${text}`)
  return body
}

const createHelpers = (stack: SharedStack, api: Api) => {
  const project = async (site: string, settings: Body = {}): Promise<number> => {
    const body = await done(
      api.post('/projects', {
        website_url: `https://${site}.example`,
        business_name: site.replace('-', ' '),
        backlinks_network: false,
        // The default depends on the project's id, so an example would show another time with each record.
        publish_time: '09:00',
        ...settings,
      }),
    )
    return body.project_id as number
  }
  const article = async (projectId: number, keyword: string, fields: Body = {}): Promise<number> => {
    const body = { project_id: projectId, keyword, content: `<h2>Why</h2><p>All about a ${keyword}.</p>`, ...fields }
    return (await done(api.post('/articles', body))).article_id as number
  }
  const live = async (projectId: number, keyword: string, fields: Body = {}): Promise<number> => {
    const id = await article(projectId, keyword, fields)
    const { status } = await done(api.post(`/articles/${id}/publish`))
    if (status !== 'published') throw new Error(`article ${id} was not published`)
    return id
  }
  const receiver = async (projectId: number): Promise<number> =>
    (
      await done(
        api.post(`/projects/${projectId}/integrations`, {
          platform: 'webhook',
          url: `${stack.receiverUrl}/webhook`,
          access_token: stack.receiverToken,
          name: 'The blog',
        }),
      )
    ).integration_id as number
  const row = async (statement: ReturnType<typeof sql>): Promise<number> =>
    Number((await rowsIn<{ id: number }>(stack, statement))[0]?.id)
  return { project, article, live, receiver, row }
}

type Helpers = ReturnType<typeof createHelpers>

/** Projects and articles, deliveries, and three CMSs. */
const openPublishing = async (stack: SharedStack, api: Api, { project, article, live, receiver, row }: Helpers) => {
  const [ghost, wordpress, directus] = await Promise.all([startGhost(), startWordpress(), startDirectus()])
  const garden = await project('garden-sheds', { timezone: 'Europe/Paris', business_description: 'Sheds of oak.' })
  const integration = await receiver(garden)
  const articleLive = await live(garden, 'shed floor', { title: 'What a Shed’s Floor Is Made Of' })
  const { deliveries } = await done(api.get(`/webhook-deliveries?article_id=${articleLive}`))
  const draft = await article(garden, 'shed wood', { title: 'Wood for Sheds' })
  await done(api.put(`/articles/${draft}`, { title: 'Which Wood for Sheds' }))
  const onGhost = await project('oak-garden')
  const keys = { platform: 'ghost', api_url: ghost.url, admin_api_key: ghost.key }
  await done(api.post(`/projects/${onGhost}/integrations`, keys))
  const onDirectus = await project('shelf-blog')
  const collection = { platform: 'directus', api_url: directus.url, access_token: directus.token, collection: 'posts' }
  const headless = await done(api.post(`/projects/${onDirectus}/integrations`, collection))
  const articleGhost = await live(onGhost, 'oak bench')
  await done(api.post(`/articles/${articleGhost}/sync`, { title: 'Oak Benches' }))
  const old = ghost.write({ title: 'How We Built the Workshop', html: '<p>It took a summer and forty oak boards.</p>' })
  const older = ghost.write({ title: 'Our First Shed', html: '<p>It stood for thirty years.</p>' })
  const adopted = await done(api.post('/articles/adopt', { project_id: onGhost, post_id: older.id }))
  await row(
    sql`insert into adoptions (account_id, project_id, integration_id, state, adopted, known, refused, problems)
      select account_id, project_id, id, 'done', 212, 3, 1, '[{"post_id": "6b0164addbda8401e38ec2aa", "reason": "The post cannot be an article: content must have at most 200000 characters as HTML. Nothing was changed."}]'
      from integrations where project_id = ${onGhost}::int returning id`,
  )
  const changes = (name: string, title: string) =>
    done(api.post('/changes', { project_id: garden, name, changes: [{ article_id: articleLive, title }] }))
  const { change_set_id: changeSetReleased } = await changes('Shorter titles', 'What a Shed Stands On')
  await row(sql`update change_sets set state = 'released' where id = ${changeSetReleased as number}::int returning id`)
  const { change_set_id: changeSet } = await changes('Titles in sentence case', 'What a shed’s floor is made of')
  const statement = async (name: string, wording: string) =>
    ((await done(api.post('/statements', { project_id: garden, name, wording }))).statement as { id: number }).id
  const statementOld = await statement('Where the wood is from', 'Our oak comes from Normandy')
  const floor = await statement('What our guides are about', 'All about a shed floor')
  const { batch_id: batch } = await done(
    api.post('/articles/batch', {
      project_id: garden,
      articles: [
        { keyword: 'shed lock', external_ref: 'posts/shed-lock.md' },
        { keyword: 'shed roof', external_ref: 'posts/shed-roof.md', published_at: '2999-01-01' },
      ],
    }),
  )
  await until(async () => (await done(api.get(`/articles/batches/${batch}`))).done_at ?? undefined, 60_000)
  const archived = await project('old-sheds')
  const shot = ulid(new Date(), randomBytes(10))
  await row(
    sql`insert into screenshots (shot_id, account_id, url, name, state, image_hash, image_extension, width, height)
      values (${shot}, ${api.accountId}::int, 'https://garden-sheds.example/', 'Garden Sheds', 'ready', ${'0'.repeat(64)}, 'png', 1280, 800) returning id`,
  )
  const careful = await project('careful-sheds', { timezone: 'Europe/Paris' })
  await receiver(careful)
  await row(
    sql`insert into policies (project_id, account_id, version, needs_approval, changed_by, changed_at)
      values (${careful}::int, ${api.accountId}::int, 1, 'every', 'person:1', now()) returning project_id as id`,
  )
  const waiting = await article(careful, 'shed paint', { title: 'Which Paint for Sheds' })
  const { approval_id: approval } = await done(api.post(`/articles/${waiting}/publish`))
  const articleLost = await article(garden, 'shed ramp', { title: 'A Ramp for a Shed' })
  await done(api.post(`/articles/${articleLost}/publish`))
  await rowsIn(stack, sql`update articles set url = null where id = ${articleLost}::int`)
  const follower = await done(
    api.post(`/projects/${garden}/targets`, {
      platform: 'webhook',
      url: `${stack.receiverUrl}/mirror`,
      access_token: stack.receiverToken,
    }),
  )
  await done(api.put(`/integrations/${follower.integration_id}`, { name: 'Mirror' }))
  const { export_id: exportId } = await done(api.post(`/projects/${archived}/export`))
  while ((await done(api.get(`/exports/${exportId}`))).status === 'making')
    await new Promise((resolve) => setTimeout(resolve, 2_500))
  return {
    names: {
      project: garden,
      project_ghost: onGhost,
      project_wordpress: await project('wood-blog'),
      project_onboarding: await project('new-sheds', { business_description: 'We build garden sheds of oak.' }),
      project_archived: archived,
      article: draft,
      article_planned: await article(garden, 'shed roof', { status: 'Planned', scheduled_date: '2030-05-03T09:00' }),
      article_live: articleLive,
      article_unwanted: await article(garden, 'shed door'),
      article_ready: await article(garden, 'shed window', { title: 'A Window for a Shed' }),
      article_ghost: articleGhost,
      version: await row(sql`select max(id) as id from remote_versions where article_id = ${articleGhost}::int`),
      article_lost: articleLost,
      article_adopted: adopted.article_id as number,
      site_post: old.id,
      approval: approval as number,
      export: exportId as number,
      import: await row(
        sql`insert into project_imports (account_id, folder, name, state, source_url, parts, parts_read, counts, project_id, expires_at)
          values (${api.accountId}::int, 'project-imports', 'of-the-scene', 'completed', 'https://api.example.com', 2, 2,
            '{"project": 1, "article": 1}', ${archived}::int, now() + interval '7 days') returning id`,
      ),
      batch: batch as number,
      change_set: changeSet as number,
      statement: floor,
      statement_old: statementOld,
      change_set_released: changeSetReleased as number,
      integration,
      integration_old: await receiver(archived),
      integration_headless: headless.integration_id as number,
      target: follower.integration_id as number,
      delivery: (deliveries as { id: number }[])[0]?.id ?? 0,
      receiver: stack.receiverUrl,
      token: stack.receiverToken,
      ghost: ghost.url,
      wordpress: wordpress.url,
      plugin_key: wordpress.pluginKey,
      screenshot: shot,
    },
    close: () => Promise.all([ghost.close(), wordpress.close(), directus.close()]),
  }
}

/** Makes accounts of networks with posts, a business profile, and a campaign with a worker's result. */
const openReach = async (stack: SharedStack, api: Api, { row }: Helpers, project: number) => {
  const bluesky = await startBluesky(BLUESKY)
  const connect = async (platform: string): Promise<string> => {
    const { connect_url: url } = await done(api.post('/social/accounts', { project_id: project, platform }))
    const page = (await (await fetch(url as string)).json()) as { connected: { _id: string } }
    return page.connected._id
  }
  const x = await connect('x')
  await connect('googlebusiness')
  const direct = await done(
    api.post('/social/accounts', {
      project_id: project,
      platform: 'bluesky',
      identifier: BLUESKY.identifier,
      app_password: BLUESKY.password,
      service_url: bluesky.url,
    }),
  )
  const draft = (key: string) =>
    row(
      sql`insert into social_posts (account_id, project_id, platform, route, social_account_id, content, status, send_key)
        values (${api.accountId}::int, ${project}::int, 'x', 'provider', ${x}, 'Sheds stay dry.', 'draft', ${key}) returning id`,
    )
  const { reviews } = await done(api.get(`/profile/reviews?project_id=${project}&has_reply=false&limit=1`))
  const { campaign_id: campaign } = await done(
    api.post('/crowdwork/campaigns', {
      project_id: project,
      title: 'Look at our shed',
      description: 'Say what you see.',
      template_html: '<input name="seen">',
    }),
  )
  const [slot = ''] = await work(stack, campaign, 1, 'A shed.')
  return {
    names: {
      account_x: x,
      account_direct: (direct.account as { account_id: string }).account_id,
      post: await draft('a'),
      post_draft: await draft('b'),
      post_unwanted: await draft('c'),
      review: (reviews as { review_id: string }[])[0]?.review_id ?? '',
      campaign: campaign as string,
      campaign_elsewhere: await madeElsewhere(stack),
      slot,
    },
    close: () => bluesky.close(),
  }
}

/** Two members of the exchange that link to each other. */
const openExchange = async (stack: SharedStack, { project, article }: Helpers): Promise<number> => {
  const partner = createHelpers(stack, manyKeys(stack, await newAccount(stack)))
  const taking = { backlinks_network: true, language: 'English (AU)' }
  const timber = await partner.project('timber-yard', { ...taking, business_description: 'Timber, sawn to size.' })
  const fences = await project('good-fences', taking)
  const shown = sql`update projects set site_read_at = now(), owner_shown_at = now() where id in (${timber}::int, ${fences}::int)`
  await rowsIn(stack, shown)
  await partner.article(timber, 'fence posts', {
    content: '<p>See <a href="https://good-fences.example/">fences</a>.</p>',
  })
  await article(fences, 'timber for fences', {
    content: '<p>From <a href="https://timber-yard.example/">timber</a>.</p>',
  })
  return fences
}

/** Live articles with suggestions in several states. */
const openSuggestions = async (stack: SharedStack, api: Api, { project, live, receiver }: Helpers) => {
  const id = await project('larch-sheds')
  await receiver(id)
  const articles: number[] = []
  for (const keyword of ['larch', 'oak', 'cedar', 'pine']) {
    const fields = { title: `Sheds of ${keyword}`, content: TEXT, meta_description: 'Sheds.' }
    articles.push(await live(id, `shed ${keyword}`, fields))
  }
  await seedSearch(
    stack,
    api,
    id,
    articles.map((article, n) => ({
      article,
      now: [5, 900, 6.2],
      before: [6, 1000, 6],
      queries: { [`garden shed ${n + 1}`]: [2, 800 - 100 * n, 6.1] },
    })),
  )
  await done(api.post('/suggestions/run', { project_id: id }))
  const { suggestions } = await done(api.get(`/suggestions?project_id=${id}&type=striking_distance`))
  const ids = (suggestions as { id: number }[]).map((one) => one.id).sort((a, b) => a - b)
  const [ready = 0, again = 0, pending = 0, unwanted = 0] = ids
  for (const approved of [ready, again]) await done(api.post(`/suggestions/${approved}/approve`))
  for (const approved of [ready, again])
    await until(async () => {
      const { suggestion } = await done(api.get(`/suggestions/${approved}`))
      return (suggestion as { status: string }).status === 'ready' || undefined
    })
  return {
    project_suggestions: id,
    suggestion_ready: ready,
    suggestion_again: again,
    suggestion_pending: pending,
    suggestion_unwanted: unwanted,
  }
}

/** Returns a project whose prompts were sent to the engines. */
const openVisibility = async (api: Api, { project }: Helpers): Promise<number> => {
  const id = await project('cedar-sheds', { competitors: ['other-sheds.example'] })
  await done(api.post('/ai-visibility/prompts', { project_id: id, prompt: 'Which garden shed lasts longest?' }))
  await done(api.post('/ai-visibility/scan', { project_id: id }))
  await until(
    async () => (await done(api.get(`/ai-visibility?project_id=${id}`))).scanning === false || undefined,
    60_000,
  )
  return id
}

/** Returns a project that is connected to Search Console, and a live article of it. */
const openSearch = async (stack: SharedStack, api: Api, { project, article }: Helpers) => {
  const id = await project('oak-sheds')
  const searched = await article(id, 'oak shed')
  const url = 'https://oak-sheds.example/blog/oak-shed'
  await rowsIn(
    stack,
    sql`update articles set status = 'Published', url = ${url}, published_at = now() - interval '20 days', created_at = now() - interval '20 days'
      where id = ${searched}::int`,
  )
  const status = {
    verdict: 'NEUTRAL',
    coverageState: 'Crawled - currently not indexed',
    robotsTxtState: 'ALLOWED',
    indexingState: 'INDEXING_ALLOWED',
    pageFetchState: 'SUCCESSFUL',
    lastCrawlTime: '2026-11-18T06:00:00Z',
  }
  await tell(stack.googleUrl, '/_index', { url, result: status })
  const email = 'owner@oak-sheds.example'
  const sites = [{ siteUrl: 'sc-domain:oak-sheds.example', permissionLevel: 'siteOwner' }]
  await tell(stack.googleUrl, '/_accounts', { email, sites })
  const { connect_url: connectUrl } = await done(api.post(`/projects/${id}/search-console/connect`))
  const { status: connected } = await connectAt(connectUrl as string, email)
  if (connected !== 200) throw new Error(`connecting ended with ${connected}`)
  return { project_search: id, article_searched: searched }
}

/** Opens the scene on a stack that no other test uses. */
export const openScene = async (stack: SharedStack): Promise<Scene> => {
  const account = { plan: 'pro', projects: 20, credits: 30, outreachPro: true } as const
  const api = manyKeys(stack, await newAccount(stack, account, scopesOf('admin')), scopesOf('admin'))
  const helpers = createHelpers(stack, api)
  const publishing = await openPublishing(stack, api, helpers)
  const reach = await openReach(stack, api, helpers, publishing.names.project)
  const agent = await createKey(runnerOf(stack), String(api.accountId), {
    name: 'An agent',
    scopes: scopesOf('draft'),
    kind: 'test',
  })
  const shed = await helpers.article(publishing.names.project, 'shed gutter')
  await done(
    clientOf(stack.url, agent.key, api.accountId).put(`/articles/${shed}`, { title: 'A gutter for each shed' }),
  )
  const receiving = await startEndpoint()
  const endpoint = async () => {
    const made = await done(api.post('/event-endpoints', { url: receiving.url, kinds: ['article'] }))
    const { id } = made.event_endpoint as { id: number }
    // It sends nothing, since each example shows it as it was made.
    await done(api.post(`/event-endpoints/${id}/replay`, { after: 2_000_000_000 }))
    return { id }
  }
  const [{ id: events }, { id: unwanted }] = [await endpoint(), await endpoint()]
  await helpers.row(sql`insert into event_attempts (endpoint_id, event_id, type, at, http_status, ms)
    values (${events}::int, 77, 'article.publish', now(), 204, 12) returning id`)
  const names: Names = {
    endpoint: events,
    endpoint_old: unwanted,
    service: stack.url,
    key_agent: agent.row.id,
    key: (await createKey(runnerOf(stack), String(api.accountId), { name: 'An old script', scopes: ['read'] })).row.id,
    ...publishing.names,
    ...reach.names,
    ...(await openSuggestions(stack, api, helpers)),
    project_exchange: await openExchange(stack, helpers),
    project_visibility: await openVisibility(api, helpers),
    ...(await openSearch(stack, api, helpers)),
  }
  for (const project of [names.project, names.project_onboarding])
    await until(async () => {
      const { setup } = await done(api.get(`/projects/${project}`))
      return /^(completed|failed)$/.test((setup as { site_scan: string }).site_scan) || undefined
    }, 60_000)
  await until(async () => (await done(api.get(`/articles/${names.article_live}`))).Receipt ?? undefined, 60_000)
  return {
    api,
    names,
    addresses: { [stack.zernioUrl]: 'https://social.example', [stack.crowdworkUrl]: 'https://crowdwork.example' },
    close: async () => {
      await Promise.all([publishing.close(), reach.close(), receiving.close()])
    },
  }
}

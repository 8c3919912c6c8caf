import { gzipSync } from 'node:zlib'
import { sql } from 'drizzle-orm'
import { describe, expect, inject, it } from 'vitest'
import { runProjectImport } from '../../../src/content/archive/run-import.ts'
import { scopesOf } from '../../../src/platform/accounts/scopes.ts'
import { inRequest, spentFields, waitingFor } from '../../../src/platform/lib/request-scope.ts'
import { type Bucket, NO_BUCKET } from '../../../src/platform/runtime/bucket.ts'
import { formOn, newOwner, signInAsOwner } from '../../accounts/people/browser.ts'
import { systemDeps, systemFor } from '../../publishing/system.ts'
import {
  type Api,
  anotherKey,
  connectReceiver,
  newAccount,
  newArticle,
  newProject,
  rowsIn,
} from '../../support/client.ts'
import { expectError } from '../../support/contract.ts'
import { PATIENCE_MS } from '../../support/patience.ts'

const stack = inject('stack')

/** A GIF of one pixel. */
const ONE_PIXEL = 'R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7'

type Row = Record<string, unknown> & { type: string }

const account = () => newAccount(stack, {}, scopesOf('admin'))

/** Waits until a job has ended its work on a row. */
const ended = async (table: 'project_exports' | 'project_imports', id: unknown): Promise<void> => {
  const end = Date.now() + PATIENCE_MS
  for (;;) {
    const [row] = await rowsIn<{ state: string }>(
      stack,
      sql`select state from ${sql.raw(table)} where id = ${Number(id)}::int`,
    )
    if (row && row.state !== 'making' && row.state !== 'importing') return
    if (Date.now() > end) throw new Error(`${table} ${id} does not end`)
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

const rowsOfText = (text: string): Row[] =>
  text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Row)

const textOf = (rows: readonly Row[]): string => `${rows.map((row) => JSON.stringify(row)).join('\n')}\n`

const exported = async (api: Api, project: number): Promise<{ id: number; text: string }> => {
  const { status, body } = await api.post(`/projects/${project}/export`)
  expect(status).toBe(202)
  await ended('project_exports', body.export_id)
  const { body: done } = await api.get(`/exports/${body.export_id}`)
  expect(done).toMatchObject({ status: 'ready', step: null, project_id: project })
  const { text, headers } = await api.get(`/exports/${body.export_id}/archive`)
  expect(headers.get('content-type')).toContain('application/x-ndjson')
  return { id: body.export_id as number, text }
}

const sent = async (api: Api, file: string | Uint8Array) => {
  const boundary = 'a-boundary-of-the-test'
  const head = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="project.ndjson"\r\n\r\n`
  const raw = Buffer.concat([Buffer.from(head), Buffer.from(file), Buffer.from(`\r\n--${boundary}--\r\n`)])
  const headers = { 'content-type': `multipart/form-data; boundary=${boundary}` }
  return await api.call('POST', '/projects/import', { raw: new Uint8Array(raw), headers })
}

const imported = async (api: Api, file: string | Uint8Array) => {
  const { status, body, text } = await sent(api, file)
  expect(status, text).toBe(202)
  await ended('project_imports', body.import_id)
  return (await api.get(`/imports/${body.import_id}`)).body
}

/** Replaces ids by the position of the row among those of its kind, and omits fields that an import changes. */
const comparable = (rows: readonly Row[]): Row[] => {
  const places = new Map<string, number>()
  for (const kind of ['integration', 'article', 'delivery'])
    for (const [n, row] of rows.filter(({ type }) => type === kind).entries()) places.set(`${kind}:${row.id}`, n)
  const place = (kind: string, id: unknown) => (id === null ? null : places.get(`${kind}:${id}`))
  return rows.map((row): Row => {
    if (row.type === 'archive') return { ...row, project_id: 0, exported_at: '' }
    if (row.type === 'project')
      return {
        ...row,
        settings: { ...(row.settings as object), backlinks_network: false },
        policy: row.policy && { ...(row.policy as object), frozen: false, timezone: '' },
      }
    if (row.type === 'integration') return { ...row, id: place('integration', row.id), status: '' }
    if (row.type === 'article')
      return { ...row, id: place('article', row.id), status: row.status === 'Planned' ? 'Draft' : row.status }
    if (row.type === 'revision') return { ...row, article_id: place('article', row.article_id) }
    if (row.type === 'translation') return { ...row, article_id: place('article', row.article_id), group: '' }
    if (row.type !== 'delivery') return row
    return {
      ...row,
      id: place('delivery', row.id),
      article_id: place('article', row.article_id),
      integration_id: place('integration', row.integration_id),
      replay_of: place('delivery', row.replay_of),
      payload: { ...(row.payload as object), id: place('article', Number((row.payload as { id: string }).id)) },
    }
  })
}

/** Returns a project with a policy, a published article with an earlier version and its delivery, a planned article, and an image. */
const fullProject = async (api: Api): Promise<number> => {
  const project = await newProject(api, {
    tone: 'Persuasive',
    banned_phrases: ['very, unique'],
    brand_color: '#aabbcc',
  })
  await rowsIn(
    stack,
    sql`insert into policies (project_id, account_id, version, needs_approval, max_publications_per_day, changed_by, changed_at)
      values (${project}::int, ${api.accountId}::int, 1, 'off', 7, 'person:1', now())`,
  )
  await connectReceiver(api, project, stack.receiverUrl, stack.receiverToken)
  const { body: image } = await api.post('/images', { image_base64: ONE_PIXEL })
  const article = await newArticle(api, project, {
    title: 'What a shed’s floor is made of — 床',
    external_ref: 'posts/floor.md',
    feature_image: image.url,
    content: `<h2>A floor</h2><p>Words about a <a href="https://blog.example/a">floor</a>.</p><p><img src="${image.url}" alt="A floor"></p>`,
    tags: ['sheds', 'floors'],
  })
  expect((await api.put(`/articles/${article}`, { title: 'Floors of sheds' })).status).toBe(200)
  const published = await api.post(`/articles/${article}/publish`)
  expect(published.status, published.text).toBe(200)
  const planned = { status: 'Planned', scheduled_date: '2031-05-03T09:00:00Z', keyword: 'shed roof' }
  const roof = await newArticle(api, project, planned)
  const joined = await api.post(`/articles/${roof}/translation`, { translation_of: article, language: 'de' })
  expect(joined.status, joined.text).toBe(200)
  return project
}

describe('an archive', () => {
  it('becomes a project of another account that exports the same', async () => {
    const [owner, other] = await Promise.all([account(), account()])
    const project = await fullProject(owner)
    const { text } = await exported(owner, project)
    const rows = rowsOfText(text)
    const kinds = rows.map(({ type }) => type)
    expect(new Set(kinds)).toEqual(
      new Set([
        'archive',
        'project',
        'integration',
        'page',
        'article',
        'revision',
        'translation',
        'delivery',
        'image',
        'end',
      ]),
    )
    expect(text).not.toMatch(new RegExp(`sealed|${stack.receiverToken}`))

    const done = await imported(other, gzipSync(text))
    expect(done).toMatchObject({
      status: 'completed',
      error: null,
      note: expect.stringMatching(/^The project is frozen: .*\/policy\.$/),
      counts: { article: 2, image: 1 },
    })
    const copy = done.project_id as number
    const again = rowsOfText((await exported(other, copy)).text)
    expect(comparable(again)).toEqual(comparable(rows))

    const { body } = await other.get(`/articles?project_id=${copy}`)
    expect(body.articles).toMatchObject([
      { Status: 'Draft', MainKeyword: 'shed roof', ScheduledDate: '2031-05-03T09:00:00' },
      { Status: 'Published' },
    ])
    const [roof, floor] = (body.articles as { ID: number }[]).map(({ ID }) => ID)
    expect((await other.get(`/articles/${floor}`)).body.Translations).toMatchObject([
      { article_id: floor, project_id: copy, language: 'en-US' },
      { article_id: roof, project_id: copy, language: 'de' },
    ])
    const { body: integrations } = await other.get(`/projects/${copy}/integrations`)
    expect(JSON.stringify(integrations)).not.toContain('"Active"')
    expect((await other.get(`/projects/${copy}/policy`)).body).toMatchObject({
      max_publications_per_day: 7,
      frozen: true,
    })
    expect((await other.get('/account')).body).toMatchObject({ project_slots: { used: 1 } })
  })

  it.each<[string, (rows: Row[]) => Row[]]>([
    ['as it is', (rows) => rows],
    ['without its policy', (rows) => rows.map((row) => (row.type === 'project' ? { ...row, policy: null } : row))],
    [
      'with a history that the key wrote',
      (rows) =>
        rows.map((row) =>
          row.type === 'article'
            ? { ...row, status: 'Published', remote_id: '1', published_at: '2026-01-05T09:00:00.000Z' }
            : row,
        ),
    ],
  ])('that a key imports %s sends nothing before a person confirms it on the page of the policy', async (_, forge) => {
    const [owner, api] = await Promise.all([account(), account()])
    const { text } = await exported(owner, await fullProject(owner))
    const project = (await imported(api, textOf(forge(rowsOfText(text))))).project_id as number
    await connectReceiver(api, project, stack.receiverUrl, stack.receiverToken)
    const [live] = await rowsIn<{ id: number }>(
      stack,
      sql`select id from articles where project_id = ${project}::int and status = 'Published' order by id`,
    )
    const sync = () => api.post(`/articles/${live?.id}/sync`, { title: 'By the key' })
    const refused = await sync()
    expectError(refused, 'policy')
    expect(refused.body.rule).toBe('frozen')
    const fresh = await newArticle(api, project)
    expect((await api.post(`/articles/${fresh}/publish`)).body).toMatchObject({ code: 'policy', rule: 'frozen' })
    const { person } = await signInAsOwner(stack, api)
    const at = `/p/${project}/policy`
    const page = await person.get(at)
    expect(page.text).toContain('This site comes from an archive that a key imported.')
    const { frozen: __, ...form } = formOn(page, at)
    await person.post(at, { needs_approval: 'off', ...form })
    expect((await api.post(`/articles/${fresh}/publish`)).body).toMatchObject({ status: 'published' })
  })

  it('without a policy, deliveries and posts of articles is a project like any other', async () => {
    const [owner, api] = await Promise.all([account(), account()])
    const project = await newProject(owner)
    await newArticle(owner, project)
    const { text } = await exported(owner, project)
    const done = await imported(api, text)
    expect(done).toMatchObject({ status: 'completed', note: null })
    expect((await api.get(`/projects/${done.project_id}/policy`)).body).toMatchObject({ version: 0, frozen: false })
  })

  it('is imported by its number, and stays archived beside the original', async () => {
    const api = await account()
    const project = await newProject(api)
    const article = await newArticle(api, project)
    const { id } = await exported(api, project)
    const { body } = await api.post('/projects/import', { export_id: id })
    await ended('project_imports', body.import_id)
    const { body: done } = await api.get(`/imports/${body.import_id}`)
    expect(done).toMatchObject({ status: 'completed', note: expect.stringContaining('archived') })
    const { body: shown } = await api.get(`/projects/${done.project_id}`)
    expect(shown.project).toMatchObject({ Status: 'Archived' })
    expect((await api.get(`/exports/${id}/archive`)).text).toContain(`"id":${article}`)
  })

  it('beside the original has groups of translations of its own', async () => {
    const api = await account()
    const project = await newProject(api)
    const [en, de, alone] = [
      await newArticle(api, project),
      await newArticle(api, project),
      await newArticle(api, await newProject(api)),
    ]
    for (const id of [de, alone]) await api.post(`/articles/${id}/translation`, { translation_of: en, language: 'de' })
    const translationsOf = async (id: number) =>
      ((await api.get(`/articles/${id}`)).body.Translations as { article_id: number }[]).map((one) => one.article_id)
    const { text } = await exported(api, project)
    const copy = (await imported(api, text)).project_id as number
    const copied = await rowsIn<{ id: number }>(
      stack,
      sql`select id from articles where project_id = ${copy}::int order by id`,
    )
    expect(await translationsOf(en)).toEqual([en, de, alone])
    expect(await translationsOf(copied[0]?.id ?? 0)).toEqual(copied.map(({ id }) => id))
  })

  it('is its account’s alone, and is made once a minute', async () => {
    const [owner, other] = await Promise.all([account(), account()])
    const project = await newProject(owner)
    const { id } = await exported(owner, project)
    const again = await owner.post(`/projects/${project}/export`)
    expectError(again, 'edit_conflict')
    expect(again.body.retry_after).toBe(60)
    expectError(await other.post(`/projects/${project}/export`), 'forbidden')
    expectError(await other.get(`/exports/${id}`), 'forbidden')
    expectError(await other.get(`/exports/${id}/archive`), 'forbidden')
    expectError(await other.post('/projects/import', { export_id: id }), 'forbidden')
    const writer = await anotherKey(stack, owner)
    expectError(await writer.post(`/projects/${project}/export`), 'key_may_not')
  })
})

const HEAD: Row = {
  type: 'archive',
  format: 1,
  source_url: 'https://elsewhere.example',
  project_id: 1,
  exported_at: '2026-01-01T00:00:00.000Z',
}
const projectRow = (changes: object = {}): Row => ({
  type: 'project',
  website_url: 'https://sheds.example',
  settings: {},
  article_plan: null,
  policy: null,
  ...changes,
})
const articleRow = (changes: object = {}): Row => ({
  type: 'article',
  id: 9,
  status: 'Planned',
  title: 'Sheds',
  keyword: 'sheds',
  slug: 'sheds',
  slug_given: false,
  article_style: 'Informative',
  content: '<p>Words.</p>',
  meta_description: '',
  feature_image: '',
  alt_text: '',
  category: '',
  tags: [],
  seo_title: '',
  canonical_url: '',
  instructions: '',
  scheduled_at: null,
  written_at: null,
  revision: 1,
  url: null,
  published_at: null,
  remote_id: null,
  remote_site: null,
  generation: 0,
  sent_as_draft_at: null,
  created_at: '2026-01-01T00:00:00.000Z',
  updated_at: '2026-01-01T00:00:00.000Z',
  ...changes,
})
const revisionRow = (changes: object = {}): Row => ({
  type: 'revision',
  article_id: 9,
  revision: 1,
  title: 'Sheds',
  meta_description: '',
  content: '<p>Earlier.</p>',
  feature_image: null,
  alt_text: null,
  created_at: '2026-01-01T00:00:00.000Z',
  ...changes,
})

const archiveOf = (...rows: Row[]): string => {
  const counts: Record<string, number> = {}
  for (const { type } of rows) counts[type] = (counts[type] ?? 0) + 1
  return textOf([HEAD, ...rows, { type: 'end', counts }])
}

it('people export and import on a page; an archive is for owners', async () => {
  const { api, person } = await newOwner(stack)
  const project = await newProject(api)
  expect((await person.get('/settings/archives')).text).toContain('Import a site')
  expect((await person.post('/settings/archives/export', { id: String(project) })).text).toContain('is being made')
  const [made] = await rowsIn<{ id: number }>(
    stack,
    sql`select id from project_exports where account_id = ${api.accountId}::int`,
  )
  await ended('project_exports', made?.id)
  expect((await person.get('/settings/archives')).text).toContain(`/settings/archives/${made?.id}`)
  const cookie = [...person.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const headers = { cookie, origin: stack.url }
  const file = await (await fetch(`${stack.url}/settings/archives/${made?.id}`, { headers })).blob()
  const body = new FormData()
  body.set('file', file, 'site.ndjson.gz')
  const sending = { method: 'POST', headers, body, redirect: 'manual' } as const
  expect((await fetch(`${stack.url}/settings/archives/import`, sending)).status).toBe(303)
  const [begun] = await rowsIn<{ id: number }>(
    stack,
    sql`select id from project_imports where account_id = ${api.accountId}::int`,
  )
  await ended('project_imports', begun?.id)
  expect((await person.get('/settings/archives')).text).toContain('another active project has its website')
  const otherOwner = await newOwner(stack)
  expect((await otherOwner.person.get(`/settings/archives/${made?.id}`)).status).toBe(404)
})

describe('a run of an import that dies', () => {
  it('is continued by other runs at once, and no row is written twice', async () => {
    const api = await account()
    const { accountId } = api
    const parts = [[HEAD, projectRow()], [articleRow(), revisionRow()], [articleRow({ id: 10, slug: 'b' })]]
    const [row] = await rowsIn<{ id: number }>(
      stack,
      sql`insert into project_imports (account_id, folder, name, state, source_url, parts, expires_at)
        values (${accountId}::int, 'project-imports', 'dies', 'importing', 'https://elsewhere.example', 3, now() + interval '7 days')
        returning id`,
    )
    const id = Number(row?.id)
    const bucket = (missing: number): Bucket => ({
      ...NO_BUCKET,
      get: async (name) => {
        const n = Number(/(\d+)\.ndjson$/.exec(name)?.[1])
        const body = n === missing ? null : new Response(textOf(parts[n] ?? [])).body
        return body && { key: name, size: 1, body }
      },
      delete: async () => {},
    })
    const run = (missing: number) => runProjectImport(systemFor(stack, accountId, { media: bucket(missing) }), id)
    await expect(run(1)).rejects.toThrow('part 1')
    await expect(run(2)).rejects.toThrow('part 2')
    const listed = async () =>
      await Promise.all(
        ['', '?limit=5&offset=0', '?status=Draft,Planned,Published', '?q=Sheds'].map(
          async (query) => ((await api.get(`/articles${query}`)).body.articles as unknown[]).length,
        ),
      )
    // The rows that exist so far are not shown.
    expect(await listed()).toEqual([0, 0, 0, 0])
    await Promise.all([run(9), run(9)])
    expect(await listed()).toEqual([2, 2, 2, 2])
    const [found] = await rowsIn(
      stack,
      sql`select (select count(*)::int from projects where account_id = ${accountId}::int) as projects,
        (select count(*)::int from articles where account_id = ${accountId}::int) as articles,
        (select count(*)::int from article_revisions r join articles a on a.id = r.article_id where a.account_id = ${accountId}::int) as revisions,
        (select active_projects from accounts where id = ${accountId}::int) as slots,
        state, counts from project_imports where id = ${id}::int`,
    )
    expect(found).toEqual({
      projects: 1,
      articles: 2,
      revisions: 1,
      slots: 1,
      state: 'completed',
      counts: { project: 1, article: 2, revision: 1 },
    })
  })
})

it('an import makes at most 24 calls to other Workers in a run, and the next run continues', async () => {
  const { accountId } = await account()
  const parts = [
    [HEAD, projectRow()],
    Array.from({ length: 30 }, (_, n) => articleRow({ id: 100 + n, slug: `a-${n}` })),
    [revisionRow({ article_id: 129 })],
  ]
  const [row] = await rowsIn<{ id: number }>(
    stack,
    sql`insert into project_imports (account_id, folder, name, state, source_url, parts, expires_at)
      values (${accountId}::int, 'project-imports', 'many', 'importing', 'https://elsewhere.example', 3, now() + interval '7 days')
      returning id`,
  )
  const bucket: Bucket = {
    ...NO_BUCKET,
    get: async (name) => {
      const body = new Response(textOf(parts[Number(/(\d+)\.ndjson$/.exec(name)?.[1])] ?? [])).body
      return body && { key: name, size: 1, body }
    },
    delete: async () => {},
  }
  const calls: number[] = []
  const run = () =>
    inRequest(crypto.randomUUID(), async () => {
      const { texts } = systemDeps(stack)
      const ctx = systemFor(stack, accountId, {
        media: bucket,
        texts: (work, input) => waitingFor('binding', () => texts(work, input)),
      })
      const result = await runProjectImport(ctx, Number(row?.id))
      calls.push(spentFields().binding ?? 0)
      return result
    })
  const state = async () =>
    (
      await rowsIn<{ state: string; counts: unknown }>(
        stack,
        sql`select state, counts from project_imports where id = ${Number(row?.id)}::int`,
      )
    )[0]
  for (let n = 0; n < 4 && (await state())?.state === 'importing'; n += 1) await run()
  expect(await state()).toEqual({ state: 'completed', counts: { project: 1, article: 30, revision: 1 } })
  expect(calls).toEqual([24, 24, 13])
})

describe('an invalid archive', () => {
  it.each<[string, string | Uint8Array, string]>([
    ['nothing', '', 'is empty'],
    ['no JSON', 'sheds\n', 'not a JSON object'],
    [
      'another format',
      textOf([
        { ...HEAD, format: 2 },
        { type: 'end', counts: {} },
      ]),
      'has the format 2',
    ],
    ['a cut end', archiveOf(projectRow()).split('\n').slice(0, 2).join('\n'), 'is not complete'],
    ['fewer rows than said', textOf([HEAD, projectRow(), { type: 'end', counts: { project: 2 } }]), 'has 1 rows'],
    ['cut gzip', gzipSync(archiveOf(projectRow())).subarray(0, 60), 'gzip'],
    [
      'more behind gzip',
      Buffer.concat([gzipSync(archiveOf(projectRow())), Buffer.alloc(100, 'more')]),
      'gzip of one member',
    ],
    ['bytes', new Uint8Array([0xff, 0xfe, 10, 10]), 'not UTF-8'],
  ])('is refused at once: %s', async (_, file, why) => {
    const api = await account()
    const answer = await sent(api, file)
    expectError(answer, 'invalid_input')
    expect(answer.body.details).toMatchObject([{ field: 'file', message: expect.stringContaining(why) }])
  })

  it('is refused if it is too large when unpacked', async () => {
    const bomb = gzipSync(Buffer.concat([Buffer.from(textOf([HEAD])), Buffer.alloc(20 * 1024 * 1024, 'a')]))
    expectError(await sent(await account(), bomb), 'body_too_large')
  })

  it.each<[string, Row[], string]>([
    ['no project', [articleRow()], 'second line is the project'],
    ['a second project', [projectRow(), projectRow()], 'second line is the project'],
    ['a private site', [projectRow({ website_url: 'ftp://sheds.example' })], 'website_url'],
    ['a wrong setting', [projectRow({ settings: { tone: 'Loud' } })], 'tone'],
    ['an unknown setting', [projectRow({ settings: { shell: 'rm' } })], 'settings'],
    ['an unknown row', [projectRow(), { type: 'key' }], 'type "key"'],
    ['an unknown field', [projectRow(), articleRow({ account_id: 1 })], 'article'],
    ['a path for a slug', [projectRow(), articleRow({ slug: '../../etc' })], 'slug'],
    ['a script for an address', [projectRow(), articleRow({ url: 'javascript:alert(1)' })], 'url'],
    ['a foreign article', [projectRow(), articleRow(), revisionRow({ article_id: 8 })], 'the article 8'],
    ['an article twice', [projectRow(), articleRow(), articleRow({ slug: 'b' })], 'have the id 9'],
    ['a slug twice', [projectRow(), articleRow(), articleRow({ id: 10 })], 'articles_slug_unique'],
    ['a revision that none can follow', [projectRow(), articleRow({ revision: 2_147_483_647 })], 'revision'],
    ['a detached post that none can follow', [projectRow(), articleRow({ generation: 2_147_483_647 })], 'generation'],
    [
      'a date that no field takes',
      [projectRow(), articleRow({ scheduled_at: '9999-01-01T00:00:00.000Z' })],
      '1970 to 9998',
    ],
    ['NUL', [projectRow(), articleRow({ title: 'a\0b' })], 'NUL'],
    ['HTML that is none', [projectRow(), articleRow({ content: '<p>Words <b' })], 'HTML is not taken'],
    [
      'another image',
      [projectRow(), { type: 'image', hash: 'a'.repeat(64), extension: 'gif', width: 1, height: 1, data: ONE_PIXEL }],
      'another hash',
    ],
  ])('fails and leaves nothing: %s', async (_, rows, why) => {
    const api = await account()
    const done = await imported(api, archiveOf(...rows))
    expect(done).toMatchObject({ status: 'failed', project_id: null, error: expect.stringContaining(why) })
    const left = await rowsIn<{ left: number }>(
      stack,
      sql`select (select count(*) from projects where account_id = ${api.accountId}::int)
        + (select count(*) from articles where account_id = ${api.accountId}::int)
        + (select count(*) from project_import_ids i join project_imports p on p.id = i.import_id
          where p.account_id = ${api.accountId}::int) as left`,
    )
    expect(Number(left[0]?.left)).toBe(0)
  })

  it('has its HTML sanitized, and publishes nothing', async () => {
    const api = await account()
    const evil = '<p onclick="x()">Words.</p><script>x()</script>'
    const rows = [
      projectRow(),
      articleRow({ content: evil, scheduled_at: '2026-01-01T00:00:00.000Z' }),
      revisionRow({ content: evil }),
    ]
    const done = await imported(api, archiveOf(...rows))
    expect(done).toMatchObject({ status: 'completed' })
    const { body } = await api.get(`/articles?project_id=${done.project_id}`)
    const [article] = body.articles as { ID: number; Status: string }[]
    expect(article).toMatchObject({ Status: 'Draft' })
    const { text } = await api.get(`/articles/${article?.ID}`)
    expect(text).toContain('Words.')
    const kept = await rowsIn<{ content: string }>(
      stack,
      sql`select content from article_revisions where article_id = ${article?.ID}::int`,
    )
    expect(`${text}${kept[0]?.content}`).not.toMatch(/onclick|<script/)
  })
})

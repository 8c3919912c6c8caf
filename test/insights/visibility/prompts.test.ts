import { sql } from 'drizzle-orm'
import { expect, inject, it } from 'vitest'
import { tirelessAccount } from '../../publishing/scene.ts'
import { anotherKey, newAccount, newProject, rowsIn } from '../../support/client.ts'
import { ABSENT, expectError } from '../../support/contract.ts'

const stack = inject('stack')
const PATH = '/ai-visibility/prompts'

const activeOf = (projectId: number) =>
  rowsIn<{ prompt: string; source: string }>(
    stack,
    sql`select prompt, source from visibility_prompts where project_id = ${projectId}::int and removed_at is null order by id`,
  )

it('a prompt is added once, whatever its case and spacing', async () => {
  const api = await newAccount(stack)
  const id = await newProject(api)
  const added = await api.post(PATH, { project_id: id, prompt: '  Best  garden sheds? ' })
  expect(added.status).toBe(200)
  expect(added.body).toMatchObject({ status: 'added', prompt: 'Best garden sheds?', project_id: id })
  const again = await api.post(PATH, { project_id: id, prompt: 'BEST gardensheds?' })
  expect(again.status).toBe(200)
  expect(again.body).toMatchObject({ status: 'duplicate', prompt: 'Best garden sheds?' })
  expect(await activeOf(id)).toEqual([{ prompt: 'Best garden sheds?', source: 'own' }])
  expect(
    await rowsIn(
      stack,
      sql`select 1 from audit_log where account_id = ${api.accountId}::int and action = 'visibility.prompt_add'`,
    ),
  ).toHaveLength(1)
})

it('calls at once with one Idempotency-Key have one answer', { tags: ['services'] }, async () => {
  const api = await newAccount(stack)
  const id = await newProject(api)
  const options = { headers: { 'idempotency-key': 'at-once' } }
  const answers = await Promise.all(
    Array.from({ length: 4 }, () => api.post(PATH, { project_id: id, prompt: 'Which shed?' }, options)),
  )
  expect(answers.map(({ body }) => body.status)).toEqual(Array(4).fill('added'))
  expect(answers.filter(({ headers }) => headers.get('idempotency-replayed') === 'true')).toHaveLength(3)
})

it('a removed prompt is not listed, is removed once, and returns as the same row', async () => {
  const api = await newAccount(stack)
  const id = await newProject(api)
  const rows = () =>
    rowsIn<{ id: number; removed: boolean }>(
      stack,
      sql`select id, removed_at is not null as removed from visibility_prompts where project_id = ${id}::int`,
    )
  await api.post(PATH, { project_id: id, prompt: 'Which shed lasts longest?' })
  const [before] = await rows()
  const removed = await api.call('DELETE', PATH, { body: { project_id: id, prompt: 'which SHED lasts longest?' } })
  expect(removed.status).toBe(200)
  expect(removed.body).toMatchObject({ status: 'removed', prompt: 'Which shed lasts longest?' })
  expect(await rows()).toEqual([{ id: before?.id, removed: true }])
  const query = `?project_id=${id}&prompt=${encodeURIComponent('Which shed lasts longest?')}`
  expectError(await api.del(`${PATH}${query}`), 'not_found')
  expect((await api.post(PATH, { project_id: id, prompt: 'Which shed lasts longest?' })).body.status).toBe('added')
  expect(await rows()).toEqual([{ id: before?.id, removed: false }])
  expect((await api.del(`${PATH}${query}`)).body.status).toBe('removed')
})

it('bad input changes nothing and names the field', async () => {
  const api = await newAccount(stack)
  const id = await newProject(api)
  for (const prompt of ['', 'ab', '  a  ', 'x'.repeat(301), 7, null, 'a\u0000b']) {
    const answer = await api.post(PATH, { project_id: id, prompt })
    expectError(answer, 'invalid_input')
    expect(answer.body.details).toMatchObject([{ field: 'prompt' }])
  }
  expectError(await api.post(PATH, { prompt: 'Best sheds?' }), 'invalid_input')
  const bare = await api.del(PATH)
  expectError(bare, 'invalid_input')
  expect(bare.body.details).toMatchObject([{ field: 'project_id' }, { field: 'prompt' }])
  expect(await activeOf(id)).toEqual([])
  expect((await api.post(PATH, { project_id: id, prompt: '最佳的' })).body.status).toBe('added')
  expect((await api.post(PATH, { project_id: id, prompt: 'ﷺ'.repeat(300) })).body.status).toBe('added')
})

it('another account’s project is refused', async () => {
  const [api, other] = await Promise.all([newAccount(stack), newAccount(stack)])
  const id = await newProject(api)
  await api.post(PATH, { project_id: id, prompt: 'Best garden sheds?' })
  expectError(await other.post(PATH, { project_id: id, prompt: 'Anything at all' }), 'forbidden')
  const body = { project_id: id, prompt: 'Best garden sheds?' }
  expectError(await other.call('DELETE', PATH, { body }), 'forbidden')
  expectError(await api.post(PATH, { project_id: ABSENT, prompt: 'Anything at all' }), 'not_found')
  expect(await activeOf(id)).toHaveLength(1)
})

it('25 prompts are the most, also when many are added at the same moment', { tags: ['services'] }, async () => {
  const api = await tirelessAccount(stack)
  const id = await newProject(api)
  const add = async (n: number) => {
    const key = await anotherKey(stack, api)
    return await Promise.all([0, 1, 2, 3].map((m) => key.post(PATH, { project_id: id, prompt: `Question ${n} ${m}` })))
  }
  const answers = (await Promise.all(Array.from({ length: 10 }, (_, n) => add(n)))).flat()
  const added = answers.filter(({ status }) => status === 200)
  const refused = answers.filter(({ status }) => status === 409)
  expect([added.length, refused.length]).toEqual([25, 15])
  for (const answer of refused) {
    expectError(answer, 'prompt_limit')
    expect(answer.body).toMatchObject({ status: 'limit', error: 'prompt_limit', prompts_limit: 25 })
  }
  expect(await activeOf(id)).toHaveLength(25)
  const known = (await activeOf(id))[0]?.prompt ?? ''
  expect((await api.post(PATH, { project_id: id, prompt: known.toUpperCase() })).body.status).toBe('duplicate')
  await api.call('DELETE', PATH, { body: { project_id: id, prompt: known } })
  expect((await api.post(PATH, { project_id: id, prompt: 'There is room again' })).body.status).toBe('added')
  expect((await api.post(PATH, { project_id: id, prompt: known })).body.status).toBe('limit')
})

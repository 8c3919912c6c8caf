import { describe, expect, inject, it } from 'vitest'
import type { Plan } from '../../../schema/values/accounts.ts'
import { newAccount, newProject } from '../../support/client.ts'

const stack = inject('stack')

describe('POST /projects/:id/article-plan', () => {
  it.each([
    ['pro', 8, 1],
    ['agentic', 5, 1],
    ['pro', 30, 1],
    ['accelerator', 60, 2],
    ['accelerator', 90, 3],
  ] as [Plan, number, number][])(
    'on %s accepts %i articles a month, at most %i a day',
    async (plan, articlePlan, perDay) => {
      const api = await newAccount(stack, { plan })
      const id = await newProject(api)
      const { status, body } = await api.post(`/projects/${id}/article-plan`, { plan: articlePlan })
      expect(status).toBe(200)
      expect(body).toEqual({
        project_id: id,
        plan: articlePlan,
        articles_per_month: articlePlan,
        articles_per_day: perDay,
        message: expect.any(String),
      })
      const { body: shown } = await api.get(`/projects/${id}`)
      expect(shown).toMatchObject({
        project: { ArticlePlan: articlePlan, ArticlesPerDay: perDay },
        settings: { articles_per_day: perDay },
        article_plan: { current: articlePlan, articles_per_month: articlePlan },
      })
    },
  )

  it.each([
    ['agentic_free', 8, []],
    ['agentic', 60, [8, 30, 5]],
    ['pro', 90, [8, 30, 5]],
  ] as [Plan, number, number[]][])(
    'on %s refuses %i with 402 and changes nothing',
    async (plan, articlePlan, included) => {
      const api = await newAccount(stack, { plan })
      const id = await newProject(api)
      const { status, body } = await api.post(`/projects/${id}/article-plan`, { plan: articlePlan })
      expect(status).toBe(402)
      expect(body).toMatchObject({ error: 'plan_not_included', code: 'plan_not_included', included_plans: included })
      expect(body.upgrade_url).toMatch(/^http/)
      expect((await api.get(`/projects/${id}`)).body).toMatchObject({ project: { ArticlePlan: null } })
    },
  )

  it.each([7, 0, '30', null, 30.5])('refuses %j as no plan of the list', async (plan) => {
    const api = await newAccount(stack)
    const id = await newProject(api)
    const { status, body } = await api.post(`/projects/${id}/article-plan`, { plan })
    expect(status).toBe(400)
    expect(body.details).toMatchObject([{ field: 'plan' }])
  })

  it('keeps to the account', async () => {
    const [api, other] = [await newAccount(stack), await newAccount(stack)]
    const id = await newProject(api)
    expect((await other.post(`/projects/${id}/article-plan`, { plan: 8 })).status).toBe(403)
    expect((await other.post('/projects/2147483647/article-plan', { plan: 8 })).status).toBe(404)
  })
})

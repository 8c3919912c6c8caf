import { sql } from 'drizzle-orm'
import { describe, expect, inject, it } from 'vitest'
import { newAccount, newArticle, newProject, rowsIn } from '../../support/client.ts'

const stack = inject('stack')
const hours = (count: number) => new Date(Date.now() + count * 3_600_000)

type Claim = { claimable: boolean; claim_by: string | null; claimed: boolean; note: string }
type Brief = { claim: Claim; [field: string]: unknown }

const scene = async (plan: 'pro' | 'agentic' = 'pro', settings: Record<string, unknown> = {}) => {
  const api = await newAccount(stack, { plan })
  const project = await newProject(api, settings)
  const briefOf = async (id: number) => (await api.get(`/articles/${id}/brief`)).body as Brief
  return { api, project, briefOf }
}

describe('GET /articles/:id/brief', () => {
  it('has all requirements of the project and the article', async () => {
    const { api, project } = await scene('pro', {
      business_name: 'Oak & Sons',
      business_description: 'Garden sheds made to measure.',
      target_audience: ['gardeners', 'landlords'],
      ai_instructions: 'Write in short sentences.',
      tone: 'Persuasive',
      language: 'German',
      writing_profile: 'Simple educational',
      product_positioning: 'Promotional',
      cta_intensity: 'Direct',
      banned_phrases: ['game changer'],
      competitors: ['rival.example'],
      internal_links_per_article: 4,
      first_person_writing: true,
      table_of_contents: true,
      image_style: 'line drawings',
      image_prompt_instructions: 'No people.',
      title_based_featured_image: true,
      brand_color: '#123456',
      // Projects of other tests would be partners.
      backlinks_network: false,
    })
    const id = await newArticle(api, project, {
      keyword: 'garden sheds',
      title: 'Ten garden sheds',
      article_style: 'Listicle',
      instructions: 'Mention oak.',
      status: 'Planned',
      scheduled_date: '2031-06-01T09:00:00+02:00',
      content: '',
    })
    const { status, body } = await api.get(`/articles/${id}/brief`)
    expect(status).toBe(200)
    const site = (await api.get(`/projects/${project}`)).body.project as { WebsiteUrl: string }
    expect(body).toMatchObject({
      article_id: id,
      project_id: project,
      status: 'Planned',
      keyword: 'garden sheds',
      title: 'Ten garden sheds',
      article_style: 'Listicle',
      claim: { claimable: true, claim_by: '2031-05-29T07:00:00.000Z', claimed: false },
      targets: { word_count: 1_500, internal_links: 4 },
      required_links: { exchange_partners: [], internal: [], call_to_action_url: site.WebsiteUrl },
      call_to_action_intensity: 'Direct',
      images: { feature_image: expect.stringContaining('#123456'), style: 'line drawings\nNo people.' },
      instructions: { project: 'Write in short sentences.', article: 'Mention oak.' },
      language: 'German',
      tone: 'Persuasive',
      writing_profile: 'Simple educational',
      product_positioning: 'Promotional',
      first_person: true,
      table_of_contents: true,
      business: {
        name: 'Oak & Sons',
        aliases: [],
        website_url: site.WebsiteUrl,
        description: 'Garden sheds made to measure.',
        target_audience: ['gardeners', 'landlords'],
        primary_location: '',
        topics: [],
      },
      meta_description: { max_length: 160 },
      banned_phrases: ['game changer'],
      competitors: ['rival.example'],
    })
    expect(body.html_rules).toEqual(expect.arrayContaining([expect.stringContaining('No h1')]))
  })

  it('has the word count of the style, 1,200 without a special one, and no call to action unless the project wants one', async () => {
    const { api, project, briefOf } = await scene('pro', { cta_intensity: 'None' })
    for (const [article_style, words] of [
      ['Informative', 1_200],
      ['News', 800],
      ['Resources', 2_500],
    ] as const) {
      const brief = await briefOf(await newArticle(api, project, { article_style, status: 'Planned' }))
      expect(brief).toMatchObject({ targets: { word_count: words }, required_links: { call_to_action_url: null } })
    }
  })
})

describe('the claim in the brief', () => {
  it('can be claimed until the writer starts, and has the time until which that is certain', async () => {
    const { api, project, briefOf } = await scene()
    // Without a credit, no cron of another test lets the article be written.
    await rowsIn(stack, sql`update accounts set article_credits = 0 where id = ${api.accountId}::int`)
    const plan = (scheduled_date?: Date) =>
      newArticle(api, project, {
        status: 'Planned',
        content: '',
        ...(scheduled_date ? { scheduled_date: scheduled_date.toISOString() } : {}),
      })
    const far = hours(100)
    const id = await plan(far)
    expect((await briefOf(id)).claim).toMatchObject({
      claimable: true,
      claim_by: new Date(far.getTime() - 72 * 3_600_000).toISOString(),
      note: expect.stringContaining('before claim_by'),
    })
    expect((await briefOf(await plan(hours(20)))).claim).toMatchObject({
      claimable: true,
      note: expect.stringContaining('at any moment'),
    })
    expect((await briefOf(await plan())).claim).toMatchObject({
      claimable: true,
      claim_by: null,
      note: expect.stringContaining('no date'),
    })
    await rowsIn(
      stack,
      sql`update articles set status = 'Generating', writing_started_at = now() where id = ${id}::int`,
    )
    expect(await briefOf(id)).toMatchObject({
      status: 'Generating',
      claim: { claimable: false, note: expect.stringContaining('is writing') },
    })
  })

  it('is always open if the plan has no writer', async () => {
    const { api, project, briefOf } = await scene('agentic')
    const id = await newArticle(api, project, {
      status: 'Planned',
      content: '',
      scheduled_date: hours(1).toISOString(),
    })
    expect((await briefOf(id)).claim).toMatchObject({ claimable: true, note: expect.stringContaining('no writer') })
  })

  it('shows that it was claimed; drafts and published articles need no claim', async () => {
    const { api, project, briefOf } = await scene()
    const id = await newArticle(api, project, {
      status: 'Planned',
      scheduled_date: hours(100).toISOString(),
      content: `<p>${'word '.repeat(500)}</p>`,
    })
    expect((await briefOf(id)).claim).toMatchObject({ claimable: true, claimed: true })
    const draft = await newArticle(api, project)
    expect((await briefOf(draft)).claim).toMatchObject({ claimable: false, claim_by: null, claimed: false })
    await rowsIn(stack, sql`update articles set status = 'Published', published_at = now() where id = ${draft}::int`)
    expect((await briefOf(draft)).claim).toMatchObject({ claimable: false, note: expect.stringContaining('sync') })
  })
})

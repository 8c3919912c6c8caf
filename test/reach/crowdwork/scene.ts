import { type Answer, type Api, newAccount, newProject, tell } from '../../support/client.ts'
import type { SharedStack } from '../../support/global.ts'
import { manyKeys } from '../../support/keys.ts'

/** An account with a project, under as many keys as its calls need. */
export type Scene = { api: Api; project: number; make: (more?: Record<string, unknown>) => Promise<Answer> }

let count = 0

/** Returns a body of a campaign that no other test sends. */
export const order = (project: number, more: Record<string, unknown> = {}) => {
  count += 1
  return {
    project_id: project,
    title: `Sheds ${count} ${Math.random().toString(36).slice(2)}`,
    description: 'Look at the picture and say what you see.',
    template_html: '<p>What is it?</p><input name="seen">',
    ...more,
  }
}

export const openScene = async (stack: SharedStack, settings: Record<string, unknown> = {}): Promise<Scene> => {
  const api = manyKeys(stack, await newAccount(stack))
  const project = await newProject(api, settings)
  return { api, project, make: (more) => api.post('/crowdwork/campaigns', order(project, more)) }
}

export type Held = {
  campaigns: {
    id: string
    title: string
    description: string
    templateId: string
    paymentPerTask: number
    availablePositions: number
  }[]
  templates: { id: string; title: string }[]
  slots: { id: string; campaignId: string; status: string; employerComment: string | null }[]
}

/** Returns the data of the provider's stand-in. */
export const held = async (stack: SharedStack): Promise<Held> =>
  (await (await fetch(`${stack.crowdworkUrl}/_posts`)).json()) as Held

/** Returns the campaigns at the provider with a title. */
export const named = async (stack: SharedStack, title: unknown) =>
  (await held(stack)).campaigns.filter((campaign) => campaign.title === title)

/** Has workers finish slots; their ids. */
export const work = async (stack: SharedStack, campaign: unknown, slots = 1, answer = 'A shed.'): Promise<string[]> => {
  const made = (await tell(stack.crowdworkUrl, '/_work', { campaign, slots, answer })) as unknown as { id: string }[]
  return made.map(({ id }) => id)
}

/** Returns a campaign at the provider that this service did not make; its id. */
export const madeElsewhere = async (stack: SharedStack, description = 'Made by hand.'): Promise<string> => {
  const call = async (path: string, body: unknown) => {
    const response = await fetch(`${stack.crowdworkUrl}/api/v2${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', MicroworkersApiKey: 'local-crowdwork-key' },
      body: JSON.stringify(body),
    })
    return (await response.json()) as { id: string }
  }
  const template = await call('/templates', { title: 'By hand', htmlCode: '<input name="a">' })
  const body = {
    title: 'By hand',
    description,
    categoryId: '1001',
    availablePositions: 40,
    paymentPerTask: 0.25,
    internalTemplate: { id: template.id },
  }
  return (await call('/basic-campaigns', body)).id
}

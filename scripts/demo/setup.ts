import {
  Anything,
  BusinessContext,
  Connected,
  ProjectCreated,
  ProjectExisted,
  Projects,
  ReceiverTests,
} from './shapes.ts'
import { type Stage, same } from './stage.ts'

/** Finds or makes the project and returns its id. */
export const makeProject = async ({ tour, api, site }: Stage): Promise<{ projectId: number; existed: boolean }> => {
  tour.step('Which projects are there?', 'A project is one website. An agent looks before it makes one.')
  const list = await api('GET', '/projects', { 200: Projects })
  tour.fields({
    projects: list.body.projects.map((project) => `${project.ID} ${project.BusinessName}`).join(', ') || 'none',
  })

  tour.step(
    'Make a project',
    'The same website again is answered with the project that exists, so this can be repeated.',
  )
  const body = {
    website_url: site,
    business_name: 'Spaak Fietsen',
    business_description: 'A bicycle workshop in Utrecht: service, repairs and wheels for people who ride to work.',
    target_audience: ['people who ride to work', 'parents with cargo bikes'],
    tone: 'Informative',
    timezone: 'Europe/Amsterdam',
    publishing_status: 'Publish Immediately',
    internal_links_per_article: 4,
  }
  const made = await api('POST', '/projects', { 201: ProjectCreated, 200: ProjectExisted }, { body })
  tour.fields({ project_id: made.body.project_id, message: made.body.message })
  return { projectId: made.body.project_id, existed: made.status === 200 }
}

/** Reads the business context that a writer needs. */
export const readContext = async ({ tour, api }: Stage, projectId: number): Promise<void> => {
  tour.step('Read the business context', 'The writer should know for whom, in which language and with how many links.')
  const { body } = await api('GET', `/business-context?project_id=${projectId}`, { 200: BusinessContext })
  const { business_name, website_url, language, target_audience, internal_links_per_article } = body
  tour.fields({ business_name, website_url, language, target_audience, internal_links_per_article })
}

/** Connects the receiver, gives it the signing secret, and sends a test. */
export const connectReceiver = async (stage: Stage, projectId: number): Promise<void> => {
  const { tour, api, receiver, service } = stage
  tour.step('Connect the blog', 'The receiver checks an access token and, once it knows the secret, a signature.')
  // A path of its own, so that the receiver does not confuse this integration and its secret with others.
  const url = `${service.receiver_webhook_url}/project-${projectId}`
  const { pathname: webhook } = new URL(url)
  const forget = { mode: 'ok', webhook, signing_secret: null }
  await receiver('POST', '/_control', { 200: Anything }, { body: forget, quiet: true })
  const body = { platform: 'webhook', url, access_token: service.receiver_token }
  const connected = await api('POST', `/projects/${projectId}/integrations`, { 201: Connected }, { body })
  const { integration_id: integrationId, signing_secret: secret, status, warning } = connected.body
  tour.fields({
    integration_id: integrationId,
    status,
    signing_secret: `${secret.slice(0, 10)}… (shown once)`,
    warning,
  })
  await receiver('POST', '/_control', { 200: Anything }, { body: { webhook, signing_secret: secret } })

  tour.step(
    'Send a test',
    'A signed test without an article goes to the blog, so a wrong token shows now and not on publication day.',
  )
  const before = (await receiver('GET', '/api/tests', { 200: ReceiverTests }, { quiet: true })).body.count
  const tested = await api('POST', `/integrations/${integrationId}/test`, { 200: Anything })
  tour.fields({ status: tested.body.status, message: tested.body.message })
  const { body: log } = await receiver('GET', '/api/tests', { 200: ReceiverTests }, { quiet: true })
  same(tour, 'the receiver got one request', log.count - before, 1)
  same(tour, 'its signature is valid', log.tests.at(-1)?.signature, 'valid')
}

import { type Answer, json } from '../receiver/answers.ts'
import { type Automation, type Data, newId } from './zernio-data.ts'

const bad = (error: string): Answer => json(400, { error, type: 'invalid_request_error' })

/** `/v1/comment-automations`: rules for Instagram and Facebook, one active rule a post. */
export const automations = (
  data: Data,
  { method, id, body, query }: { method: string; id: string | undefined; body: unknown; query: URLSearchParams },
): Answer => {
  const given = (body ?? {}) as Partial<Automation>
  if (id === undefined) {
    if (method === 'GET')
      return json(200, {
        automations: data.automations.filter(({ profileId }) => profileId === query.get('profileId')),
      })
    const account = data.accounts.find(({ _id }) => _id === given.accountId)
    if (!account || account.profileId !== given.profileId) return bad('account not found')
    if (account.platform !== 'instagram' && account.platform !== 'facebook')
      return bad('comment automations are for Instagram and Facebook accounts')
    if (!given.name || !given.dmMessage || !given.platformPostId)
      return bad('name, dmMessage and platformPostId are required')
    if (data.automations.some((one) => one.isActive && one.platformPostId === given.platformPostId))
      return json(409, { error: 'The post has an active automation already', type: 'invalid_request_error' })
    const automation: Automation = {
      id: newId(),
      name: given.name,
      profileId: account.profileId,
      accountId: account._id,
      platformPostId: given.platformPostId,
      keywords: given.keywords ?? [],
      matchMode: given.matchMode ?? 'contains',
      dmMessage: given.dmMessage,
      ...(given.commentReply ? { commentReply: given.commentReply } : {}),
      isActive: true,
    }
    data.automations.push(automation)
    return json(200, { success: true, automation })
  }
  const automation = data.automations.find((one) => one.id === id)
  if (!automation) return json(404, { error: 'Automation not found', type: 'not_found' })
  if (method === 'PATCH') Object.assign(automation, given)
  return json(200, { success: true, automation })
}

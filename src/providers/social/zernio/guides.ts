import type { GuideRules, GuideTarget } from '../../../reach/social/port.ts'
import { type Api, readAs } from './api.ts'
import { ruleBody, ruleOf } from './transform.ts'
import { Automations, MadeAutomation } from './types.ts'

const idIn = (made: { automation: { id?: string | undefined; _id?: string | undefined } }): string =>
  made.automation.id ?? made.automation._id ?? ''

const createBody = ({ name, profileId, accountId, networkId }: GuideTarget) => ({
  name,
  profileId,
  accountId,
  platformPostId: networkId,
  trigger: 'comment',
})

/** Returns the rules that answer commenters (comment automations). */
export const guideRules = (api: Api): GuideRules => {
  const path = '/v1/comment-automations'
  const change = async (id: string, body: object) => {
    const read = await readAs(api({ method: 'PATCH', path: `${path}/${encodeURIComponent(id)}`, body }), MadeAutomation)
    return read.kind === 'got' ? { ...read, value: idIn(read.value) || id } : read
  }
  return {
    find: async ({ name, profileId }, config) => {
      const read = await readAs(api({ method: 'GET', path, query: { profileId } }), Automations)
      if (read.kind === 'refused') return read
      const found = read.value.automations.find((automation) => automation.name === name)
      return { kind: 'got', value: found && ruleOf(found, config) }
    },
    make: async (target, config) => {
      const body = { ...createBody(target), ...ruleBody(config) }
      const read = await readAs(api({ method: 'POST', path, body }), MadeAutomation)
      return read.kind === 'got' ? { ...read, value: idIn(read.value) } : read
    },
    change: (id, config) => change(id, { ...ruleBody(config), isActive: true }),
    stop: (id) => change(id, { isActive: false }),
  }
}

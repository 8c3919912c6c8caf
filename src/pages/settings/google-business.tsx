import type { Hono } from 'hono'
import { deleteCookie, getCookie } from 'hono/cookie'
import { PATHS } from '../../accounts/people/paths.ts'
import { getProject } from '../../accounts/projects/read.ts'
import {
  beginGranting,
  CALLBACK_PATH,
  chooseLocation,
  finishGranting,
  type Step,
} from '../../reach/profile/connect-google.ts'
import { ctxOf, idIn } from '../ctx.ts'
import { formOf, type PagesContext, type PagesEnv, show, signedIn } from '../front.tsx'
import { backTo } from '../notice.ts'
import { Select } from '../parts.tsx'
import { setOwnCookie } from '../session.ts'
import { refusalOf } from './integrations.tsx'
import { type SocialFront, socialPage } from './social.tsx'

const GOOGLE = `${PATHS.social}/google`
const COOKIE = 'galley_business'

const choice = (c: PagesContext, front: SocialFront, { grant, locations }: Extract<Step, { kind: 'choose' }>) =>
  show(c, front, {
    title: 'Choose the business profile',
    menu: true,
    body: (
      <form class="stack narrow" method="post" action={`${GOOGLE}/location`}>
        <input type="hidden" name="grant" value={grant} />
        <Select
          name="location"
          label="The profile of the business"
          options={locations.map(
            ({ name, title, address }) => [name, [title, address].filter(Boolean).join(', ')] as const,
          )}
        />
        <button type="submit">Connect this profile</button>
      </form>
    ),
  })

const shown = async (c: PagesContext, front: SocialFront, step: Step) => {
  if (step.kind === 'choose') return await choice(c, front, step)
  if (step.kind === 'connected')
    return await backTo(c, front, `${PATHS.social}?project_id=${step.project}`, { tone: 'good', text: step.message })
  const notice = { tone: 'bad' as const, text: `Nothing was connected. ${step.reason}` }
  if (step.project !== undefined) return await socialPage(c, front, step.project, { notice, status: step.status })
  return await show(c, front, {
    title: 'Not connected',
    menu: true,
    status: step.status,
    notice,
    body: (
      <p>
        <a href={PATHS.social}>Social accounts</a>
      </p>
    ),
  })
}

/** Adds the redirects to Google and back, which connect a business profile to a project. */
export const googleBusinessPages = (app: Hono<PagesEnv>, front: SocialFront): void => {
  const { consent } = front
  if (!consent.isConfigured) return
  app.post(GOOGLE, signedIn(front), async (c) => {
    const { project_id: given } = await formOf(c)
    return await refusalOf(c, front, async () => {
      const { id } = await getProject(ctxOf(c, front), idIn(given))
      const { to, cookie } = await beginGranting(ctxOf(c, front), consent, id)
      setOwnCookie(c, front.deps.settings, { name: COOKIE, path: GOOGLE, ...cookie })
      return c.redirect(to, 303)
    })
  })
  app.get(CALLBACK_PATH, signedIn(front), async (c) => {
    const { code = '', state = '', error = '' } = c.req.query()
    const returned = { code, state, error, cookie: getCookie(c, COOKIE) ?? '' }
    deleteCookie(c, COOKIE, { path: GOOGLE })
    return await refusalOf(c, front, async () =>
      shown(c, front, await finishGranting(ctxOf(c, front), consent, returned)),
    )
  })
  app.post(`${GOOGLE}/location`, signedIn(front), async (c) => {
    const { grant = '', location = '' } = await formOf(c)
    return await refusalOf(c, front, async () =>
      shown(c, front, await chooseLocation(ctxOf(c, front), consent, { grant, location })),
    )
  })
}

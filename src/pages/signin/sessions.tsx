import type { Hono } from 'hono'
import { PATHS } from '../../accounts/people/paths.ts'
import { askToConfirm } from '../confirm.tsx'
import { formOf, type PagesContext, type PagesEnv, show, signedIn } from '../front.tsx'
import { backTo, type Notice } from '../notice.ts'
import { ActionButton, Moment, Table } from '../parts.tsx'
import type { SignInFront } from './sign-in.tsx'

/** Known browsers with their version patterns. A browser whose user agent also names another browser comes first. */
const BROWSERS: [name: string, version: RegExp][] = [
  ['Edge', /\bEdg(?:A|iOS)?\/(\d+)/],
  ['Opera', /\bOPR\/(\d+)/],
  ['Firefox', /\b(?:Firefox|FxiOS)\/(\d+)/],
  ['Chrome', /\b(?:Chrome|CriOS)\/(\d+)/],
  ['Safari', /\bVersion\/(\d+)\S* .*\bSafari\//],
]

/** Known systems. Android is before Linux, because its user agent also names Linux. */
const SYSTEMS: [name: string, sign: RegExp][] = [
  ['Android', /\bAndroid\b/],
  ['iOS', /\b(?:iPhone|iPad|iPod)\b/],
  ['Windows', /\bWindows NT\b/],
  ['macOS', /\bMacintosh\b/],
  ['Linux', /\bLinux\b/],
]

const MAX_OTHER = 80

/**
 * Returns the usual name of a browser: "Chrome 140 on Windows". For an unknown browser, returns the start of its user
 * agent.
 */
export const browserName = (userAgent: string | null | undefined): string => {
  if (!userAgent) return 'unknown'
  for (const [name, version] of BROWSERS) {
    const [, major] = version.exec(userAgent) ?? []
    if (major === undefined) continue
    const [system] = SYSTEMS.find(([, sign]) => sign.test(userAgent)) ?? []
    return system === undefined ? `${name} ${major}` : `${name} ${major} on ${system}`
  }
  return userAgent.slice(0, MAX_OTHER)
}

const page = async (c: PagesContext, front: SignInFront, notice?: Notice, status: 200 | 404 = 200) => {
  const { headers } = c.req.raw
  const { api } = await front.auth()
  const [sessions, current] = await Promise.all([api.listSessions({ headers }), api.getSession({ headers })])
  return await show(c, front, {
    title: 'Sessions',
    menu: true,
    status,
    notice,
    body: (
      <>
        <p>Where you are signed in.</p>
        <Table
          caption="Sessions"
          heads={['Browser', 'Since', 'Last seen', '']}
          rows={sessions.map((session) => [
            `${browserName(session.userAgent)}${session.token === current?.session.token ? ' (this one)' : ''}`,
            <Moment at={new Date(session.createdAt)} />,
            <Moment at={new Date(session.updatedAt)} />,
            session.token !== current?.session.token && (
              <ActionButton
                action={`${PATHS.sessions}/end`}
                label="End"
                name={`the session since ${new Date(session.createdAt).toISOString()}`}
                fields={{ session: session.id }}
                danger
              />
            ),
          ])}
        />
        <ActionButton
          action={`${PATHS.sessions}/end-others`}
          label="End all other sessions"
          name=""
          fields={{}}
          danger
        />
      </>
    ),
  })
}

/** Adds the page of a person's sessions. */
export const sessionPages = (app: Hono<PagesEnv>, front: SignInFront): void => {
  app.get(PATHS.sessions, signedIn(front), (c) => page(c, front))
  app.post(`${PATHS.sessions}/end`, signedIn(front), async (c) => {
    const { headers } = c.req.raw
    const { api } = await front.auth()
    const fields = await formOf(c)
    const { session: id } = fields
    // The form identifies a session by its id, because no page contains session tokens.
    const one = (await api.listSessions({ headers })).find((session) => session.id === id)
    if (!one) return await page(c, front, { tone: 'bad', text: 'There is no such session.' }, 404)
    const asking = await askToConfirm(c, front, fields, () => ({
      title: 'End this session?',
      body: <p>{browserName(one.userAgent)} is signed out at once.</p>,
      label: 'End the session',
      back: PATHS.sessions,
    }))
    if (asking) return asking
    await api.revokeSession({ headers, body: { token: one.token } })
    return await backTo(c, front, PATHS.sessions, { tone: 'good', text: 'The session is ended.' })
  })
  app.post(`${PATHS.sessions}/end-others`, signedIn(front), async (c) => {
    const { headers } = c.req.raw
    const { api } = await front.auth()
    const asking = await askToConfirm(c, front, await formOf(c), async () => {
      const others = (await api.listSessions({ headers })).length - 1
      return {
        title: 'End all other sessions?',
        body: (
          <p>{others === 1 ? '1 browser is' : `${others} browsers are`} signed out at once. You stay signed in here.</p>
        ),
        label: 'End all others',
        back: PATHS.sessions,
      }
    })
    if (asking) return asking
    await api.revokeOtherSessions({ headers })
    return await backTo(c, front, PATHS.sessions, { tone: 'good', text: 'All other sessions are ended.' })
  })
}

import type { Hono } from 'hono'
import { PROJECT_ROLES, ROLES, type Role } from '../../../schema/values/people.ts'
import { MAIL_FAULT_WORDS } from '../../accounts/people/mail-events.ts'
import type { RoleIn } from '../../accounts/people/member-statements.ts'
import { checkOwner, invite, listPeople, removePerson, setRole, withdraw } from '../../accounts/people/members.ts'
import { PATHS } from '../../accounts/people/paths.ts'
import { calledPerson } from '../../accounts/people/person.ts'
import { has, ROLE_WORDS } from '../../accounts/people/roles.ts'
import { ApiError } from '../../platform/lib/errors.ts'
import { askToConfirm } from '../confirm.tsx'
import { ctxOf, idIn } from '../ctx.ts'
import { formOf, type MailingFront, type PagesContext, type PagesEnv, show, signedIn, tooOften } from '../front.tsx'
import { emailIn, MailStateLink, rememberMail } from '../mailed.tsx'
import { siteName } from '../menu.ts'
import { backTo, type Notice } from '../notice.ts'
import { ActionButton, Field, Moment, NoMail, Select, Table } from '../parts.tsx'
import type { Site } from '../queries.ts'
import { askProof } from './proof.tsx'

/** Limits of invitation mails by account, and by recipient. */
const BY_ACCOUNT = { name: 'people.invitations', perMinute: 10 }
const TO_ADDRESS = { name: 'people.mails', perMinute: 3 }

type Wrong = { email?: string; role?: string; project?: string }

type Shown = {
  notice?: Notice
  status?: 200 | 400 | 403 | 404 | 409
  /** Submitted values of an invitation. */
  sent?: Record<string, string>
  wrong?: Wrong
}

const roleIn = (text: string | undefined): Role | undefined => ROLES.find((role) => role === text)

type Sites = readonly Site[]

/** Returns words for a role, its site and its rights. */
const mayText = (sites: Sites, { role, projectId }: { role: Role; projectId: number | null }): string => {
  const site = sites.find(({ id }) => id === projectId)
  const where = site ? ` of ${siteName(site)}` : projectId === null ? '' : ' of a site that is archived'
  return `${role}${where}: ${ROLE_WORDS[role]}`
}

const RoleFields = ({ sites, chosen, wrong = {} }: { sites: Sites; chosen: Record<string, string>; wrong?: Wrong }) => (
  <>
    <Select
      name="role"
      label="May do"
      options={ROLES.map((role) => [role, `${role}: ${ROLE_WORDS[role]}`] as const)}
      chosen={roleIn(chosen.role) ?? 'member'}
      error={wrong.role}
    />
    <Select
      name="project"
      label="Site, for an editor or a client"
      options={[['', 'none'], ...sites.map((site) => [String(site.id), siteName(site)] as const)]}
      chosen={chosen.project || (sites.length === 1 ? String(sites[0]?.id) : '')}
      error={wrong.project}
    />
  </>
)

/** Returns the role in a form and its site, or the errors. Owners and members work in all sites. */
const roleAsked = async (c: PagesContext, fields: Record<string, string>): Promise<RoleIn | Wrong> => {
  const role = roleIn(fields.role)
  if (role === undefined) return { role: 'Choose what the person may do.' }
  if (!PROJECT_ROLES.some((one) => one === role)) return { role, projectId: null }
  const site = (await c.get('sites')).find(({ id }) => id === idIn(fields.project))
  return site ? { role, projectId: site.id } : { project: 'Choose the site of an editor or a client.' }
}

const InviteForm = ({ sites, sent = {}, wrong = {} }: Pick<Shown, 'sent' | 'wrong'> & { sites: Sites }) => (
  <form class="stack narrow" method="post" action={PATHS.people}>
    <Field
      name="email"
      type="email"
      label="E-mail address"
      value={sent.email}
      error={wrong.email}
      required
      maxlength={254}
    />
    <RoleFields sites={sites} chosen={sent} wrong={wrong} />
    <button type="submit">Invite</button>
  </form>
)

type Member = Awaited<ReturnType<typeof listPeople>>['members'][number]

type Actions = { member: Member; sites: Sites; mayAct: boolean; isMe: boolean }

const MemberActions = ({ member, sites, mayAct, isMe }: Actions) => (
  <div class="row">
    {mayAct && (
      <details>
        <summary aria-label={`Change what ${member.email} may do`}>Change</summary>
        <form class="stack" method="post" action={`${PATHS.people}/role`}>
          <input type="hidden" name="person" value={member.id} />
          <RoleFields sites={sites} chosen={{ role: member.role, project: String(member.projectId ?? '') }} />
          <button class="plain" type="submit">
            Save the role
          </button>
        </form>
      </details>
    )}
    {(mayAct || isMe) && (
      <ActionButton
        action={`${PATHS.people}/remove`}
        label={isMe ? 'Leave' : 'Remove'}
        name={isMe ? 'this account' : member.email}
        fields={{ person: member.id }}
        danger
      />
    )}
  </div>
)

const page = async (c: PagesContext, front: MailingFront, { notice, status = 200, ...form }: Shown = {}) => {
  const me = c.get('person')
  const isOwner = me.role === 'owner'
  const [{ members, invited }, sites] = await Promise.all([listPeople(ctxOf(c, front)), c.get('sites')])
  return await show(c, front, {
    title: 'People',
    menu: true,
    status,
    notice,
    body: (
      <>
        {c.req.query('mailed') !== undefined && (
          <p>
            <MailStateLink />
          </p>
        )}
        <p>
          Who works in this account. Only owners and members make keys and let applications in. What somebody made ends
          when they leave, or become an editor or a client.
        </p>
        <Table
          caption="In the order they came"
          heads={['Person', 'May do', 'Since', '']}
          rows={members.map((member) => [
            <>
              {calledPerson(member)}
              {member.id === me.id && ' (you)'}
              {member.name !== '' && <span class="hint"> {member.email}</span>}
              {member.mailFault && <span class="hint"> ({MAIL_FAULT_WORDS[member.mailFault]})</span>}
            </>,
            mayText(sites, member),
            <Moment at={member.since} />,
            <MemberActions member={member} sites={sites} mayAct={isOwner} isMe={member.id === me.id} />,
          ])}
        />
        {invited.length > 0 && <h2>Invited</h2>}
        {invited.length > 0 && (
          <Table
            caption="Not yet accepted, newest first"
            heads={['Address', 'As', 'Valid until', '']}
            rows={invited.map((one) => [
              one.email,
              mayText(sites, one),
              <Moment at={one.expiresAt} />,
              isOwner && (
                <ActionButton
                  action={`${PATHS.people}/withdraw`}
                  label="Withdraw"
                  name={`the invitation of ${one.email}`}
                  fields={{ id: String(one.id) }}
                  danger
                />
              ),
            ])}
          />
        )}
        <h2>Invite somebody</h2>
        {!isOwner && <p class="notice">Only owners invite people and change what they may do.</p>}
        {isOwner && (front.sendsMail ? <InviteForm sites={sites} {...form} /> : <NoMail />)}
      </>
    ),
  })
}

const statusOf = (error: ApiError): 400 | 403 | 404 | 409 => {
  if (error.code === 'forbidden') return 403
  if (error.code === 'not_found') return 404
  return error.code === 'edit_conflict' ? 409 : 400
}

/** Adds the page of an account's people: invitations, roles, removing and leaving. */
export const peoplePages = (app: Hono<PagesEnv>, front: MailingFront): void => {
  /** Runs a change. Returns to the page with the result, or shows why it was refused. */
  const showOutcome = async (c: PagesContext, run: () => Promise<string>) => {
    try {
      return await backTo(c, front, PATHS.people, { tone: 'good', text: await run() })
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      return await page(c, front, { notice: { tone: 'bad', text: error.message }, status: statusOf(error) })
    }
  }
  app.get(PATHS.people, signedIn(front), (c) => page(c, front))
  app.post(PATHS.people, signedIn(front), async (c) => {
    if (!front.sendsMail) return await page(c, front)
    const fields = await formOf(c)
    const email = emailIn(fields)
    const asked = await roleAsked(c, fields)
    const isRole = 'projectId' in asked
    if (email === undefined || !isRole) {
      const wrong = {
        ...(email === undefined ? { email: 'That is not an e-mail address.' } : {}),
        ...(isRole ? {} : asked),
      }
      return await page(c, front, { status: 400, sent: fields, wrong })
    }
    const refused = await tooOften(c, front, [
      [BY_ACCOUNT, String(c.get('person').accountId)],
      [TO_ADDRESS, email],
    ])
    if (refused) return refused
    const asking = asked.role === 'owner' ? await askProof(c, front, fields) : undefined
    if (asking) return asking
    try {
      const { mailId, link } = await invite(ctxOf(c, front), c.get('person'), { email, ...asked })
      rememberMail(c, front, mailId)
      const text = `An invitation is on its way to ${email}. It is valid for seven days. The same link, if the mail does not arrive: ${link}`
      return await backTo(c, front, `${PATHS.people}?mailed`, { tone: 'good', text })
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      const wrong = error.code === 'invalid_input' ? { wrong: { email: error.message } } : {}
      const notice = error.code === 'invalid_input' ? {} : { notice: { tone: 'bad' as const, text: error.message } }
      return await page(c, front, { status: statusOf(error), sent: fields, ...wrong, ...notice })
    }
  })
  app.post(`${PATHS.people}/withdraw`, signedIn(front), async (c) => {
    const fields = await formOf(c)
    const { id } = fields
    const asking = await askToConfirm(c, front, fields, () => ({
      title: 'Withdraw the invitation?',
      body: <p>The link in the mail stops working. You can invite the person again.</p>,
      label: 'Withdraw it',
      back: PATHS.people,
    }))
    if (asking) return asking
    return await showOutcome(c, async () => {
      await withdraw(ctxOf(c, front), c.get('person'), idIn(id))
      return 'The invitation is withdrawn. Its link no longer works.'
    })
  })
  app.post(`${PATHS.people}/role`, signedIn(front), async (c) => {
    const fields = await formOf(c)
    const { person = '' } = fields
    const asked = await roleAsked(c, fields)
    const asking = await askProof(c, front, fields)
    if (asking) return asking
    return await showOutcome(c, async () => {
      if (!('projectId' in asked)) throw new ApiError('invalid_input', asked.project ?? 'There is no such role.')
      await setRole(ctxOf(c, front), c.get('person'), person, asked)
      return 'Saved.'
    })
  })
  app.post(`${PATHS.people}/remove`, signedIn(front), async (c) => {
    const fields = await formOf(c)
    const { person = '' } = fields
    const me = c.get('person')
    const back = has(me.role, 'manage') ? PATHS.people : PATHS.settings
    if (person !== me.id) checkOwner(me)
    const asking = await askProof(c, front, fields)
    if (asking) return asking
    // A person who typed the password for this has confirmed it. A recent mailed link proves the person, but confirms
    // nothing.
    const confirming =
      fields.password === undefined &&
      (await askToConfirm(c, front, fields, () => ({
        title: person === me.id ? 'Leave this account?' : 'Remove this person?',
        body: <p>Applications that they let in, and the keys they made in this account, end at once.</p>,
        label: person === me.id ? 'Leave the account' : 'Remove the person',
        back,
      })))
    if (confirming) return confirming
    if (person !== me.id)
      return await showOutcome(c, async () => {
        await removePerson(ctxOf(c, front), me, person)
        return 'Removed. Their applications and keys in this account are ended.'
      })
    try {
      await removePerson(ctxOf(c, front), me, person)
      return c.redirect(PATHS.settings, 303)
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      if (back === PATHS.settings) return await backTo(c, front, back, { tone: 'bad', text: error.message })
      return await page(c, front, { notice: { tone: 'bad', text: error.message }, status: statusOf(error) })
    }
  })
}

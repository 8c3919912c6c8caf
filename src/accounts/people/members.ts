import type { ErrorCode } from '../../../schema/values/errors.ts'
import { base64Url, sha256 } from '../../platform/lib/crypto.ts'
import { ApiError, type ErrorExtras } from '../../platform/lib/errors.ts'
import type { Ctx, Deps } from '../../platform/runtime/ctx.ts'
import { MAILS } from './mail.ts'
import {
  acceptInvitation,
  changeRole,
  dropInvitation,
  dropMember,
  nameAccount,
  type RoleIn,
  saveInvitation,
} from './member-statements.ts'
import { PATHS } from './paths.ts'
import type { Person } from './person.ts'
import { invitationQuery, invitationsQuery, membersQuery } from './queries.ts'
import { type Administrator, withArticle } from './roles.ts'
import { sealMail } from './send-mail.ts'

/** Largest number of people in an account, including those invited. */
const MOST = 50
const HOLDS_MS = 7 * 86_400_000

/** Returns the people and the open invitations of an account. */
export const listPeople = async (ctx: Ctx) => {
  const { id } = await ctx.account()
  const { members, invited } = await ctx.read(() => ({
    members: membersQuery(ctx.db, id),
    invited: invitationsQuery(ctx.db, id, ctx.now()),
  }))
  return { members, invited }
}

const notOwner = () => new ApiError('forbidden', 'Only an owner of the account may do this.')

/** Throws if the person is not an owner. Only owners change people and plan, export or delete the account. */
export const checkOwner = ({ role }: Pick<Person, 'role'>): void => {
  if (role !== 'owner') throw notOwner()
}

/** Returns the error for an owner's change that had no effect: `forbidden` if the person is no longer an owner, else `why`. */
export const ownerRefusal = async (
  ctx: Ctx,
  by: Pick<Administrator, 'id'>,
  why: string,
  code: ErrorCode = 'edit_conflict',
  extras: ErrorExtras = {},
): Promise<ApiError> => {
  if (by.id === null) return new ApiError(code, why, extras)
  const { members } = await listPeople(ctx)
  return members.some(({ id, role }) => id === by.id && role === 'owner') ? new ApiError(code, why, extras) : notOwner()
}

/**
 * Invites an address into the account and queues the mail. Returns the invitation, with the id and the link of its mail. Replaces
 * an earlier invitation of the address. Throws 400 and 403.
 */
export const invite = async (
  ctx: Ctx,
  by: Administrator,
  { email, role, projectId }: RoleIn & { email: string },
): Promise<{ id: number; email: string; expiresAt: Date; mailId: string; link: string }> => {
  checkOwner(by)
  const token = base64Url(crypto.getRandomValues(new Uint8Array(32)))
  const { serviceName, publicUrl } = ctx.settings
  const invitation = {
    accountId: by.accountId,
    email: email.toLowerCase(),
    role,
    projectId,
    tokenHash: await sha256(token),
    invitedBy: by.email,
    expiresAt: new Date(ctx.now().getTime() + HOLDS_MS),
  }
  const link = `${publicUrl}${PATHS.invitation}?token=${token}`
  const about = { link, by: by.email, as: withArticle(role) }
  const mail = await sealMail(ctx, MAILS.invitation(serviceName, email, about), invitation.expiresAt)
  const id = await saveInvitation(ctx, by.id, invitation, { mail, most: MOST })
  if (id === undefined) {
    const why = `is already in the account, or the account has ${MOST} people, the maximum`
    const details = [{ field: 'email', message: why }]
    throw await ownerRefusal(ctx, by, `The address ${email} ${why}.`, 'invalid_input', { details })
  }
  ctx.defer(ctx.wakeQueue())
  return { id, email: invitation.email, expiresAt: invitation.expiresAt, mailId: mail.id, link }
}

/** Withdraws an invitation. Throws if there is none. */
export const withdraw = async (ctx: Ctx, by: Person, id: number): Promise<void> => {
  checkOwner(by)
  if (!(await dropInvitation(ctx, by.accountId, by.id, id)))
    throw await ownerRefusal(ctx, by, 'There is no such invitation: it was accepted or withdrawn.', 'not_found')
}

/** Sets the account's name; an empty name removes it. Throws if the person is not an owner. */
export const rename = async (ctx: Ctx, by: Person, name: string): Promise<void> => {
  checkOwner(by)
  if (!(await nameAccount(ctx, by, name))) throw notOwner()
}

/** Returns the contents of a mailed invitation; undefined if it was used or is no longer valid. */
export const readInvitation = async ({ db, now }: Pick<Deps, 'db' | 'now'>, token: string) =>
  (await invitationQuery(db, await sha256(token), now()))[0]

/** Accepts an invitation. Returns false if it is not valid for this person. */
export const accept = async (
  { db, now }: Pick<Deps, 'db' | 'now'>,
  personId: string,
  token: string,
): Promise<boolean> => await acceptInvitation(db, personId, await sha256(token), now())

const LAST_OWNER =
  'Nothing was changed: the person is not in the account, or is its last owner. Make somebody else an owner first.'

/** Changes a person's role in the account. Throws if they are its last owner. */
export const setRole = async (ctx: Ctx, by: Person, personId: string, to: RoleIn): Promise<void> => {
  checkOwner(by)
  if (!(await changeRole(ctx, by.accountId, by.id, personId, to))) throw new ApiError('edit_conflict', LAST_OWNER)
}

/** Removes a person from the account. Owners may remove anybody, others only themselves. Throws for the last owner. */
export const removePerson = async (ctx: Ctx, by: Person, personId: string): Promise<void> => {
  if (personId !== by.id) checkOwner(by)
  if (!(await dropMember(ctx, by.accountId, personId)))
    throw new ApiError(
      'edit_conflict',
      `${LAST_OWNER} If the account uses the person’s address, choose somebody without an account of their own.`,
    )
}

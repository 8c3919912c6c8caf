import { owned } from '../../platform/accounts/check-owner.ts'
import { scopesOf } from '../../platform/accounts/scopes.ts'
import { sealedAnswer } from '../../platform/lib/crypto.ts'
import { invalidInput } from '../../platform/lib/errors.ts'
import { instantOf } from '../../platform/lib/time.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import { createKey, keyById, type MadeKey, nextKeyId, revokeKey } from './keys.ts'
import { askExport } from './leaving/export.ts'
import { invite } from './members.ts'
import type { InviteInput, MakeKeyInput } from './operations.ts'
import { PATHS } from './paths.ts'
import { projectById } from './queries.ts'
import { administratorOf } from './roles.ts'

const endOf = (ctx: Ctx, given: string | null | undefined): Date | null => {
  if (!given) return null
  const end = instantOf(given, 'UTC')
  if (end > ctx.now()) return end
  throw invalidInput([{ field: 'expires_at', message: 'must be in the future' }])
}

/** Makes a key for the person who made the calling one, so that it ends when they leave. Throws 400 and 403. */
export const makeKey = async (ctx: Ctx, { name, scope, expires_at }: MakeKeyInput) => {
  const { by, results: drawn } = await administratorOf(ctx, () => nextKeyId(ctx.db))
  const expiresAt = endOf(ctx, expires_at)
  const scopes = scopesOf(scope)
  const answerOf = ({ id, key, lastFour }: MadeKey) => ({
    key_id: id,
    key,
    name,
    scope,
    scopes,
    last_four: lastFour,
    expires_at: expiresAt?.toISOString() ?? null,
    message: 'Keep the key now: it is shown only in this answer.',
  })
  const sealed = (made: MadeKey) => sealedAnswer(ctx.settings.secretsKeys, by.accountId, answerOf(made))
  const kept = { id: Number(drawn.rows[0]?.id), sealed }
  return answerOf(await createKey(ctx, by.id, { name, scopes, expiresAt }, kept))
}

/** Revokes a key of the account. Throws 404 and 403. */
export const revokeKeyByKey = async (ctx: Ctx, id: number) => {
  const {
    results: [found],
  } = await administratorOf(ctx, (owner) => keyById(ctx.db, owner, id))
  owned(found && { row: found, mine: found.mine }, 'API key')
  // False means that another call has revoked the key since, which is the same result.
  await revokeKey(ctx, id)
  return { key_id: id, revoked: true as const, message: 'The key is revoked and no longer works.' }
}

/**
 * Invites a person as an editor or a client of one project, and mails the invitation. Throws 400 if the person is in the account
 * already or it is full, 404 for the project, and 403.
 */
export const inviteByKey = async (ctx: Ctx, { email, role, project_id: projectId }: InviteInput) => {
  const {
    by,
    results: [found],
  } = await administratorOf(ctx, (owner) => projectById(ctx.db, owner, projectId))
  if (!owned(found && { row: found, mine: found.mine }, 'project').isActive)
    throw invalidInput([{ field: 'project_id', message: 'is archived: unarchive the project first' }])
  const invitation = await invite(ctx, by, { email, role, projectId })
  return {
    invitation_id: invitation.id,
    email: invitation.email,
    role,
    project_id: projectId,
    expires_at: invitation.expiresAt.toISOString(),
    message: `The invitation is mailed to ${invitation.email} and is valid for seven days. The person accepts it with the link in the mail.`,
  }
}

/** Starts a copy of the account. Throws 403, and 409 within an hour of another copy. */
export const makeExport = async (ctx: Ctx) => {
  const { by } = await administratorOf(ctx)
  const made = await askExport(ctx, by)
  const page = `${ctx.settings.publicUrl}${PATHS.leaving}`
  return {
    export_id: made.id,
    status: 'making' as const,
    kept_until: made.expiresAt.toISOString(),
    download_at: page,
    message: `The copy is being made. A mail is sent when it is ready. An owner of the account downloads it at ${page}.`,
  }
}

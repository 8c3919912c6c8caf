import * as z from 'zod/mini'
import { SCOPES } from '../../../schema/values/accounts.ts'
import { PROJECT_ROLES } from '../../../schema/values/people.ts'
import { type AnswersOf, body, id, instant } from '../../platform/http/answers.ts'
import type { peopleOperations } from './operations.ts'

/** Answers of the operations on keys, invitations and copies. */
export const peopleAnswers = {
  makeKey: {
    201: body({
      key_id: id(),
      key: z.string(),
      name: z.string(),
      scope: z.enum(SCOPES),
      scopes: z.array(z.enum(SCOPES)),
      last_four: z.string(),
      expires_at: z.nullable(instant()),
      message: z.string(),
    }),
  },
  revokeKey: { 200: body({ key_id: id(), revoked: z.literal(true), message: z.string() }) },
  invite: {
    201: body({
      invitation_id: id(),
      email: z.string(),
      role: z.enum(PROJECT_ROLES),
      project_id: id(),
      expires_at: instant(),
      message: z.string(),
    }),
  },
  makeExport: {
    202: body({
      export_id: id(),
      status: z.literal('making'),
      kept_until: instant(),
      download_at: z.string(),
      message: z.string(),
    }),
  },
} satisfies AnswersOf<typeof peopleOperations>

import * as z from 'zod/mini'
import { SCOPES } from '../../../schema/values/accounts.ts'
import { PROJECT_ROLES } from '../../../schema/values/people.ts'
import { type AnswersOf, body, id, instant, means, message, selfExplanatory } from '../../platform/http/answers.ts'
import type { peopleOperations } from './operations.ts'

/** Answers of the operations on keys, invitations and copies. */
export const peopleAnswers = {
  makeKey: {
    201: body({
      key_id: means('ID of the key, the `:id` in `DELETE /keys/:id`.', id()),
      key: means('The key itself, returned only once.', z.string()),
      name: selfExplanatory(z.string()),
      scope: means('Permissions of the key.', z.enum(SCOPES)),
      scopes: means('The same as in `GET /account` for this key.', z.array(z.enum(SCOPES))),
      last_four: means('Last four characters, by which people recognize the key in the settings.', z.string()),
      expires_at: means('Time when the key expires. Null: valid until it is revoked.', z.nullable(instant())),
      message: message(),
    }),
  },
  revokeKey: {
    200: body({
      key_id: means('ID of the key, the `:id` in `DELETE /keys/:id`.', id()),
      revoked: selfExplanatory(z.literal(true)),
      message: message(),
    }),
  },
  invite: {
    201: body({
      invitation_id: selfExplanatory(id()),
      email: means('Email address in lower case.', z.string()),
      role: selfExplanatory(z.enum(PROJECT_ROLES)),
      project_id: means(
        'The only project of an editor or a client. Null for a member, who works in all projects.',
        id(),
      ),
      expires_at: means('Time until which the person can accept the invitation.', instant()),
      message: message(),
    }),
  },
  makeExport: {
    202: body({
      export_id: selfExplanatory(id()),
      status: means('`ready`: it can be downloaded. `failed`: request another one.', z.literal('making')),
      kept_until: means('Time when the archive is deleted.', instant()),
      download_at: means('Page on which an owner downloads it.', z.string()),
      message: message(),
    }),
  },
} satisfies AnswersOf<typeof peopleOperations>

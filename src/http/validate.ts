import { zValidator } from '@hono/zod-validator'
import type { Context } from 'hono'
import * as z from 'zod/mini'
import { ApiError, invalidInput } from '../lib/errors.ts'
import { fieldErrors } from '../lib/issues.ts'
import type { AppEnv } from './app.ts'

type Failure = { success: boolean; error?: { issues: readonly z.core.$ZodIssue[] }; data: unknown }

/** Admits the caller first, so that 401 and 429 come before 400; then throws what the validator found. */
const refuse = async (c: Context, result: Failure, code?: 'invalid_id'): Promise<void> => {
  if (result.success || !result.error) return
  await (c as Context<AppEnv>).get('gate')?.admit()
  const details = fieldErrors(result.error.issues, result.data)
  if (code)
    throw new ApiError(code, `${details[0]?.field ?? 'id'}: ${details[0]?.message ?? 'is not valid'}`, { details })
  throw invalidInput(details)
}

/** Validates a JSON body by @hono/zod-validator; failures become our 400 with the fields. */
export const jsonBody = <S extends z.ZodMiniType>(schema: S) =>
  zValidator('json', schema, (result, c) => refuse(c, result))

/** Validates the query string, likewise. */
export const queryOf = <S extends z.ZodMiniType>(schema: S) =>
  zValidator('query', schema, (result, c) => refuse(c, result))

const MAX_ID = 2_147_483_647

/** A positive 32-bit integer in text. */
const Id = z.pipe(
  z.string().check(
    z.refine((text) => /^[1-9]\d{0,9}$/.test(text) && Number(text) <= MAX_ID, {
      error: 'must be a positive 32-bit integer',
    }),
  ),
  z.transform((text) => Number(text)),
)

const IdParams = z.object({ id: Id })
const RevisionParams = z.object({ id: Id, revision: Id })

/** Validates `:id` of the path. */
export const idParam = () => zValidator('param', IdParams, (result, c) => refuse(c, result, 'invalid_id'))

/** Validates `:id` and `:revision` of the path. */
export const revisionParams = () => zValidator('param', RevisionParams, (result, c) => refuse(c, result, 'invalid_id'))

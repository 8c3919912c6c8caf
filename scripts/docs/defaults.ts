import type { JsonSchema } from '../../src/platform/http/json-schemas.ts'
import type { Operation } from '../../src/platform/http/operation.ts'

/**
 * Fields of a change that control the call itself. All other fields of a change stay as they are if they are left out.
 */
const OF_THE_CALL: ReadonlySet<string> = new Set(['sync', 'content_format', 'login', 'password', 'api_key'])

/** Returns the value that an optional field has when it is left out, as a phrase. */
export const defaultOf = (op: Operation, path: string, { otherwise }: JsonSchema): string => {
  const changes = op.method === 'PUT' || op.ifMatch === true
  if (changes && !OF_THE_CALL.has(path)) return 'unchanged'
  return typeof otherwise === 'string' ? otherwise : ''
}

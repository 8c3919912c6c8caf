import { DRY_RUN } from '../../src/platform/http/operation.ts'

type Json = Record<string, unknown>

/** The answer of a dry run, as src/platform/http/dry-run.ts makes it. */
const ANSWER: Json = {
  type: 'object',
  required: ['dry_run', 'would'],
  additionalProperties: false,
  properties: {
    dry_run: { type: 'boolean', const: true, description: 'Nothing was changed.' },
    would: {
      type: 'object',
      description: 'The answer that the call would have.',
      required: ['status', 'body'],
      additionalProperties: false,
      properties: {
        status: { type: 'integer', description: 'Its status, also that of a refusal.' },
        body: {
          type: 'object',
          additionalProperties: true,
          description: 'Its body. Where another system would decide: `would_call`, with what it would be asked first.',
        },
      },
    },
  },
}

/**
 * Returns the parameter and the response of a dry run, which all operations with `x-dry-run` have in common. They stand beside the
 * operations: among their answers each success would be one of two things to generated clients.
 */
export const dryRun = (headers: Json): Json => ({
  parameter: {
    name: DRY_RUN,
    in: 'query',
    required: false,
    description: 'With `true` the call is answered what it would be answered, and nothing changes.',
    schema: { type: 'boolean' },
  },
  status: 200,
  response: {
    description: 'What the call would be answered.',
    headers,
    content: {
      'application/json': {
        schema: ANSWER,
        example: {
          dry_run: true,
          would: { status: 404, body: { error: 'The article does not exist.', code: 'not_found' } },
        },
      },
    },
  },
})

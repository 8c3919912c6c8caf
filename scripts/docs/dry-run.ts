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
      description: 'Response that the call would return.',
      required: ['status', 'body'],
      additionalProperties: false,
      properties: {
        status: { type: 'integer', description: 'HTTP status, including that of an error.' },
        body: {
          type: 'object',
          additionalProperties: true,
          description:
            'Response body. If the result depends on another system: `would_call`, with the first request to it.',
        },
      },
    },
  },
}

/**
 * Returns the parameter and the response of a dry run, which all operations with `x-dry-run` have in common.
 *
 * They are not part of each operation: a generated client would then see two types for each success.
 */
export const dryRun = (headers: Json): Json => ({
  parameter: {
    name: DRY_RUN,
    in: 'query',
    required: false,
    description: 'True: returns the response that the call would return, and changes nothing.',
    schema: { type: 'boolean' },
  },
  status: 200,
  response: {
    description: 'Response that the call would return.',
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

import { readFileSync } from 'node:fs'
import { isDeepStrictEqual } from 'node:util'
import type { Operation } from '../../../src/platform/http/operation.ts'
import { noteMissing } from '../missing.ts'
import { fillIn, SHOWN } from './names.ts'
import { EXAMPLES, type Example } from './requests.ts'

/** Answers to the examples, made equal from run to run. `test/docs` writes and checks them. */
const ANSWERS = new URL('answers.json', import.meta.url)

type Recorded = Readonly<Record<string, { request: Example; status: number; body: unknown }>>

const recorded = JSON.parse(readFileSync(ANSWERS, 'utf8')) as Recorded

/** Returns operations whose example has no answer, or changed after it was answered. */
export const unanswered = (operations: readonly Operation[]): string[] =>
  operations.map(({ id }) => id).filter((id) => !isDeepStrictEqual(recorded[id]?.request, EXAMPLES[id]))

const WIDTH = 110
/** Most rows and words of a list that the reference shows. An ellipsis replaces the others. */
const MOST_ROWS = 2
const MOST_WORDS = 6

/** Returns an answer with shortened lists. The description of the API has the complete ones. */
const shortened = (value: unknown): unknown => {
  if (Array.isArray(value)) {
    const most = value.every((one) => typeof one === 'object') ? MOST_ROWS : MOST_WORDS
    const shown = value.slice(0, most).map(shortened)
    return value.length > most ? [...shown, '…'] : shown
  }
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, shortened(one)]))
}

/** Returns JSON in as few lines as fit the width. */
const jsonText = (value: unknown, indent = '', taken = 0): string => {
  const flat = JSON.stringify(value, null, 1)?.replace(/\n\s*/g, ' ') ?? 'null'
  if (flat.length + indent.length + taken <= WIDTH || typeof value !== 'object' || value === null) return flat
  const inner = `${indent}  `
  const lines = Array.isArray(value)
    ? value.map((one) => `${inner}${jsonText(one, inner)}`)
    : Object.entries(value).map(([key, one]) => {
        const name = `${JSON.stringify(key)}: `
        return `${inner}${name}${jsonText(one, inner, name.length)}`
      })
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}']
  return `${open}\n${lines.join(',\n')}\n${indent}${close}`
}

/** Returns the example of an operation as lines of its section. Notes a missing example. */
export const exampleLines = (operation: Operation): string[] => {
  const example = EXAMPLES[operation.id]
  const answer = recorded[operation.id]
  if (!example) return [noteMissing(`scripts/docs/examples/requests.ts: an example of ${operation.id}`)]
  if (!answer) return [noteMissing(`the answer to the example of ${operation.id}: run npm run generate`)]
  const { path, body } = fillIn(example, SHOWN) as Example
  const [, type = 'json'] = /^\w+\/(?:x-)?(\w+)/.exec(operation.produces ?? '') ?? []
  return [
    'Example:',
    '',
    '```http',
    `${operation.method} ${path}`,
    ...(body === undefined ? [] : ['', jsonText(body)]),
    '```',
    '',
    `answers ${answer.status}`,
    '',
    `\`\`\`${type}`,
    typeof answer.body === 'string' ? answer.body.trimEnd().replaceAll('\r', '') : jsonText(shortened(answer.body)),
    '```',
    '',
  ]
}

/**
 * Returns the example of an operation as it ran: the body that was sent and the complete answer; undefined if there is
 * none.
 */
export const exampleOf = ({ id }: Operation): { request: unknown; status: number; body: unknown } | undefined => {
  const answer = recorded[id]
  const example = EXAMPLES[id]
  if (!answer || !example) return undefined
  return { request: (fillIn(example, SHOWN) as Example).body, status: answer.status, body: fillIn(answer.body, SHOWN) }
}

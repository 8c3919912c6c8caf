import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ROOT } from '../../local/root.ts'
import { ERROR_CASES } from '../../scripts/docs/error-cases.ts'

const THROWN = /new ApiError\(\s*'(\w+)',\s*('(?:[^'\\]|\\.)*'|`(?:[^`\\]|\\.)*`)/g

/** Returns the messages that the source gives to each code, with `…` for what differs. */
const thrownMessages = (): Map<string, Set<string>> => {
  const found = new Map<string, Set<string>>()
  for (const file of readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })) {
    if (!file.endsWith('.ts') || file.startsWith('pages/')) continue
    for (const [, code = '', literal = ''] of readFileSync(join(ROOT, 'src', file), 'utf8').matchAll(THROWN)) {
      const message = literal.slice(1, -1).replaceAll(/\$\{(?:[^{}]|\{[^{}]*\})*\}/g, '…')
      found.set(code, (found.get(code) ?? new Set()).add(message))
    }
  }
  return found
}

/** True if a message is one of a case. `…` of the case is any text, and the rest of the sentence is left out. */
const isOf = (says: string, message: string): boolean =>
  new RegExp(
    `^${says
      .split('…')
      .map((part) => part.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'))
      .join('.*')}$`,
    's',
  ).test(message)

/**
 * Codes whose messages name the field, the thing or the other system, so that the page explains all of them in one sentence.
 */
const ONE_CAUSE = [
  'account_inactive',
  'forbidden_url',
  'internal',
  'invalid_input',
  'not_found',
  'provider_unavailable',
  'unavailable',
  'unsupported_image',
]

const messages = thrownMessages()

describe('the page of an error', () => {
  it.each(Object.entries(ERROR_CASES))('%s explains each of its messages, and no others', (code, cases = []) => {
    const own = [...(messages.get(code) ?? [])]
    expect(own.filter((message) => !cases.some(({ says }) => isOf(says, message)))).toEqual([])
    expect(cases.filter(({ says }) => !own.some((message) => isOf(says, message))).map(({ says }) => says)).toEqual([])
  })

  it('explains the cases of a code that has several messages', () => {
    const several = [...messages]
      .filter(([code, own]) => own.size > 1 && !ONE_CAUSE.includes(code))
      .map(([code]) => code)
    expect(several.filter((code) => !Object.hasOwn(ERROR_CASES, code))).toEqual([])
  })
})

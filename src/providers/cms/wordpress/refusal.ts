import type { CmsFailure, CmsFailureCode } from '../../../publishing/target/cms-adapter.ts'
import { type CmsAnswer, quotable, refused } from '../http.ts'
import { WordpressError, type WordpressErrorJson } from './types.ts'

/** Returns the error an answer carries; undefined when it is none of WordPress's. */
export const errorIn = (answer: CmsAnswer): WordpressErrorJson | undefined => {
  const parsed = WordpressError.safeParse(answer.json)
  return parsed.success ? parsed.data : undefined
}

const PASSWORD_CAUSES =
  'Either the user name or the application password is wrong or was revoked, or the web server does not hand the Authorization header to PHP (Apache with CGI or FPM needs a rewrite rule for it).'

const RIGHTS_LACK = 'Give the connected user the role of an editor, or connect another user.'

/** A wrong password makes the caller anonymous; asking for drafts is then a bad parameter, whose detail says 401. */
const isHidden401 = (error: WordpressErrorJson): boolean =>
  error.code === 'rest_invalid_param' && /"status":401/.test(JSON.stringify(error.data?.details ?? null))

const CODES: Record<number, CmsFailureCode> = {
  400: 'validation',
  401: 'auth_invalid',
  403: 'auth_forbidden',
  404: 'site_not_found',
  413: 'validation',
  422: 'validation',
}

const sentenceOf = (answer: CmsAnswer, error: WordpressErrorJson | undefined): string => {
  if (!error) return `WordPress answered HTTP ${answer.status}.`
  const params = error.data?.params ? ` ${quotable(error.data.params)}` : ''
  return `WordPress says: ${quotable(error.message || error.code)}${params} (${quotable(error.code)}).`
}

/** An answer that is no success, made typed. The hints say what to do after a 401, and after a 403 of WordPress itself. */
export const failureOf = (answer: CmsAnswer, hint = PASSWORD_CAUSES, rightsHint = RIGHTS_LACK): CmsFailure => {
  const error = errorIn(answer)
  const sentence = sentenceOf(answer, error)
  if (answer.status === 401 || (error && isHidden401(error)))
    return refused('auth_invalid', `${sentence} ${hint}`, answer.status)
  if (answer.status === 403 && error?.code.startsWith('rest_'))
    return refused('auth_forbidden', `${sentence} ${rightsHint}`, answer.status)
  if (error?.code === 'slug_taken') return refused('slug_taken', sentence, answer.status)
  if (answer.status === 409) return refused('conflict', sentence, answer.status, error?.code.endsWith('_busy') === true)
  const code = answer.status < 300 ? 'unexpected_answer' : (CODES[answer.status] ?? 'unexpected_answer')
  return refused(code, sentence, answer.status, answer.status === 408 || answer.status === 425)
}

import type { ApiError } from '../platform/lib/errors.ts'

/** Sentences for people, instead of messages that name parts of the API. */
const SENTENCES: Partial<Record<ApiError['code'], string>> = {
  no_cms_integration: 'Nothing is connected to publish to. Connect a site first.',
  changed_meanwhile: 'It was changed since you opened the page, so nothing was done. Look at it again.',
  edit_conflict: 'It was changed at the same moment, so nothing was done. Look at it again, then repeat.',
  publish_in_progress: 'It is being published at this moment. Wait until that has ended.',
  sync_in_progress: 'A change is being sent to the site at this moment. Wait until that has ended.',
  delivery_in_progress: 'It is still under way. Send it again when it has ended.',
  already_being_written: 'The service is writing it at this moment, so nothing was changed.',
  empty_content: 'It has no text, and an empty article is not published.',
  no_prompts: 'There is nothing to ask yet. Add a question, or say in the settings of the site what the business does.',
  rate_limited: 'Too many tries. Wait a minute.',
}

/** Matches a sentence for programs: it names a call, a path, a field or a code. */
const FOR_PROGRAMS = /\b(POST|PUT|GET|DELETE|PATCH) \/|\bIf-Match\b|\bETag\b|\{"|\b[a-z]+_[a-z_]+\b|\b[A-Z]+_[A-Z_]+\b/

/** Matches a refusal from an adapter: who responded, the status or missing success, and the platform's own words. */
const REFUSAL = /^(.+?) answered (?:HTTP (\d{3})|success: \w+)(?: \((.*)\))?\.$/s

/** Returns the sentence for people on a refusal; undefined for other texts. The platform's own words stay unchanged. */
const refusalIn = (text: string): string | undefined => {
  const found = REFUSAL.exec(text)
  if (!found) return undefined
  const [, who = '', code, said] = found
  const [name, status] = [who === 'The receiver' ? 'The site' : who, Number(code ?? 0)]
  const what =
    status === 401 || status === 403
      ? `${name} refused the saved password or token. Connect it again.`
      : status === 404 || status === 410
        ? `${name} has nothing at the address that is connected. Look at the address.`
        : status === 429 || status >= 500
          ? `${name} could not accept it at that moment.`
          : `${name} did not accept it.`
  return said === undefined ? what : `${what} It said: “${said}”`
}

/** Returns a refusal of a network or provider without its status and error name: "Bluesky said: …". */
const withoutStatus = (text: string): string =>
  text
    .replace(/^(.{1,40}?) answered \d{3}: (?:[A-Z][a-z]+[A-Z]\w*: )?/, '$1 said: ')
    .replace(/^(.{1,40}?) answered \d{3}\./, '$1 did not accept it.')

/** Returns a text for people: without sentences for programs, and with plain words for refusals. */
export const forPeople = (text: string): string =>
  refusalIn(text) ??
  withoutStatus(text)
    .split(/(?<=[.!?])\s+/)
    .filter((sentence) => !FOR_PROGRAMS.test(sentence))
    .join(' ')

/** Replaces API words in a text: people try again instead of repeating a call, and have sites instead of projects. */
const inPeoplesWords = (text: string): string =>
  text
    .replace(/; repeat the call\b/, '. Try again')
    .replace(/Repeat the (?:same )?call\b/, 'Try again')
    .replace(/\bproject(?=s?\b)/g, 'site')
    .replace(/\bProject(?=s?\b)/g, 'Site')

/** Returns the message for people on a refusal: what happened, and what to do now. */
export const wordsOf = (error: ApiError): string => {
  const known = SENTENCES[error.code]
  if (known !== undefined) return known
  const said = inPeoplesWords(forPeople(error.message))
  return said === '' ? 'That cannot be done now. Nothing was changed.' : said
}

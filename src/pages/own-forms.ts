import { OAUTH } from '../accounts/oauth/paths.ts'
import { PATHS } from '../accounts/people/paths.ts'

const MAX_FORM_BYTES = 16_384
/** Largest form with an article's text. Form encoding makes non-ASCII characters longer. */
const MAX_ARTICLE_BYTES = 4_500_000
/** Largest archive of a site, which is sent as a file. */
const MAX_ARCHIVE_BYTES = 91 * 1024 * 1024
/** Largest file of new articles, and of a report of Bing. */
const MAX_CSV_BYTES = 2_000_000
/** Largest form with the text of a post on a network. */
const MAX_POST_BYTES = 700_000
/** Largest picture that a page sends, and a little more, so that a picture that is too large gets a clear answer. */
const MAX_PICTURE_BYTES = 16 * 1024 * 1024

/** Content type of the forms that browsers send. */
const FORM = /^application\/x-www-form-urlencoded *(;|$)/i

/** Content type and size that a path accepts, if they are more than a short form's. */
type Accepted = { path: RegExp; type: RegExp; most: number }

const ACCEPTED: readonly Accepted[] = [
  { path: new RegExp(`^${PATHS.archives}/import$`), type: /^multipart\/form-data *;/i, most: MAX_ARCHIVE_BYTES },
  {
    path: /^\/p\/\d+\/articles\/\d+\/pictures$/,
    type: /^(image\/|application\/x-www-form-urlencoded)/i,
    most: MAX_PICTURE_BYTES,
  },
  {
    path: /^\/p\/\d+\/social\/new\/pictures$/,
    type: /^(image\/|multipart\/form-data *;|application\/x-www-form-urlencoded)/i,
    most: MAX_PICTURE_BYTES,
  },
  {
    path: /^\/p\/\d+\/(import|visibility\/bing)$/,
    type: /^(multipart\/form-data *;|application\/x-www-form-urlencoded)/i,
    most: MAX_CSV_BYTES,
  },
  { path: /^\/p\/\d+\/social\/(new|\d+)$/, type: FORM, most: MAX_POST_BYTES },
  { path: /^\/p\/\d+\/articles\/\d+(\/(preview|markdown|draft)?)?$/, type: FORM, most: MAX_ARTICLE_BYTES },
  { path: /(?:)/, type: FORM, most: MAX_FORM_BYTES },
]

/** True if programs, not browsers, send requests to the path. */
const isForPrograms = (path: string): boolean =>
  path === OAUTH.token ||
  path === OAUTH.register ||
  path.startsWith(`${OAUTH.register}/`) ||
  path === PATHS.stripeEvents ||
  path === PATHS.mailEvents ||
  path === PATHS.unsubscribe

type Refusal = { status: number; why: string }

const refusalOf = ({ headers, url }: Request, origin: string): Refusal | undefined => {
  if (headers.get('origin') !== origin)
    return {
      status: 403,
      why: 'The form was not sent from a page of this service, so nothing was changed. Open the page again and repeat.',
    }
  const { pathname } = new URL(url)
  const accepted = ACCEPTED.find(({ path }) => path.test(pathname))
  if (!accepted?.type.test(headers.get('content-type') ?? ''))
    return {
      status: 415,
      why: 'This is not a form of this service, so nothing was changed. Open the page again and repeat.',
    }
  return Number(headers.get('content-length') ?? Number.NaN) <= accepted.most
    ? undefined
    : { status: 413, why: 'The form is too large, so nothing was changed. Send a shorter text or a smaller file.' }
}

/**
 * Returns the refusal of a form from another site, or of a wrong type or size; undefined for other requests.
 *
 * Runs for every request to a page's path. Browsers name the sending site in `Origin` (RFC 6454), so a request without
 * it is refused.
 */
export const refusedForm = (request: Request, publicUrl: string): Response | undefined => {
  if (request.method === 'GET' || request.method === 'HEAD' || isForPrograms(new URL(request.url).pathname))
    return undefined
  const refusal = refusalOf(request, new URL(publicUrl).origin)
  if (!refusal) return undefined
  return new Response(
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Not accepted</title></head><body><main><h1>Not accepted</h1><p>${refusal.why}</p></main></body></html>`,
    {
      status: refusal.status,
      headers: {
        'Content-Type': 'text/html; charset=utf-8',
        'Content-Security-Policy': "default-src 'none'; base-uri 'none'; frame-ancestors 'none'",
        'Cache-Control': 'no-store',
        'Referrer-Policy': 'same-origin',
        'X-Content-Type-Options': 'nosniff',
      },
    },
  )
}

import { PATHS } from './paths.ts'

/** Returns the address of a page that a mail leads to, with its token and where the person goes on to. */
export const mailedLink = (
  publicUrl: string,
  path: string,
  { token, next = PATHS.home }: { token: string; next?: string | undefined },
): string => {
  const query = new URLSearchParams(next === PATHS.home ? { token } : { token, next })
  return `${publicUrl}${path}?${query}`
}

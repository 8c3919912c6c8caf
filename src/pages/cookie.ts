import type { Context } from 'hono'
import { setCookie } from 'hono/cookie'

type OwnCookie = { name: string; value: string; path: string; seconds: number }

/**
 * Sets a cookie that scripts cannot read.
 *
 * SameSite is Lax: the browser also sends it when it follows a link from another site, such as Google.
 */
export const setOwnCookie = (
  c: Context,
  { publicUrl }: { publicUrl: string },
  { name, value, path, seconds }: OwnCookie,
): void =>
  setCookie(c, name, value, {
    path,
    httpOnly: true,
    secure: publicUrl.startsWith('https:'),
    sameSite: 'Lax',
    maxAge: seconds,
  })

import * as z from 'zod/mini'

/** Request to the cards Worker. */
export const CardRequest = z.object({
  title: z.string().check(z.maxLength(2_000)),
  brandColor: z.string().check(z.regex(/^#[0-9a-f]{6}$/i)),
  siteName: z.string().check(z.maxLength(2_000)),
})

/** Answer of the cards Worker if it draws no card (status 422). */
export const CardRefusal = z.object({ reason: z.string() })

import * as z from 'zod/mini'

/** What the cards Worker is asked. */
export const CardRequest = z.object({
  title: z.string().check(z.maxLength(2_000)),
  brandColor: z.string().check(z.regex(/^#[0-9a-f]{6}$/i)),
  siteName: z.string().check(z.maxLength(2_000)),
})

/** What it answers when it draws no card (status 422). */
export const CardRefusal = z.object({ reason: z.string() })

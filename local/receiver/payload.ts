import { z } from 'zod'

const text = z
  .string()
  .nullish()
  .transform((value) => value ?? '')

const DeliveredArticle = z.object({
  id: z.string().min(1),
  title: z.string().min(1),
  slug: z.string().min(1),
  content_html: z.string(),
  status: z.enum(['Published', 'Draft']),
  meta_description: text,
  image_url: text,
  alt_text: text,
  author: text,
  published_at: text,
  created_at: text,
  updated_at: text,
  tags: z
    .array(z.string())
    .nullish()
    .transform((value) => value ?? []),
  is_update: z.boolean(),
  update_only: z.boolean().optional(),
})

const DeliveryBody = z
  .object({
    event_type: z.enum(['publish_articles', 'update_articles']),
    timestamp: z.string().min(1),
    /** A connection test: answered, never stored. */
    test: z.boolean().optional(),
    data: z.object({ articles: z.array(DeliveredArticle), test: z.boolean().optional() }),
  })
  .refine((body) => body.data.articles.length > 0 || body.test === true, {
    path: ['data', 'articles'],
    message: 'must hold an article',
  })

export type DeliveredArticle = z.infer<typeof DeliveredArticle>
export type DeliveryBody = z.infer<typeof DeliveryBody>

/** Returns the delivery in a request body, or a sentence that names its first fault. Never throws. */
export const parseDelivery = (raw: string): { body: DeliveryBody } | { problem: string } => {
  let json: unknown
  try {
    json = JSON.parse(raw)
  } catch {
    return { problem: 'The body is not JSON.' }
  }
  const parsed = DeliveryBody.safeParse(json)
  if (parsed.success) return { body: parsed.data }
  const issue = parsed.error.issues[0]
  return { problem: `${issue?.path.join('.') || 'body'}: ${issue?.message ?? 'not valid'}` }
}

/** True if the event may only change an existing post (`update_only`, or an update event). */
export const updatesOnly = (body: DeliveryBody, article: DeliveredArticle): boolean =>
  body.event_type === 'update_articles' || article.update_only === true

import * as z from 'zod/mini'

const text = z.nullish(z.string())
const count = z.nullish(z.coerce.number())
/** Ids come as text or as numbers. */
const id = z.pipe(
  z.union([z.string(), z.number()]),
  z.transform((value: string | number) => String(value)),
)

export const Made = z.object({ id })

export const Campaign = z.object({
  id,
  title: z._default(z.string(), ''),
  description: z._default(z.nullable(z.string()), ''),
  status: z._default(z.string(), ''),
  availablePositions: count,
  paymentPerTask: count,
  created: z.nullish(z.union([z.string(), z.number()])),
  finished: z.nullish(z.union([z.string(), z.number()])),
  blockedReason: text,
  slotsCount: z.nullish(
    z.object({
      locked: count,
      unTaken: count,
      ok: count,
      nok: count,
      notRated: count,
      notReviewed: count,
      revise: count,
    }),
  ),
})
export type Campaign = z.infer<typeof Campaign>

const Answer = z.object({ question: text, answer: z.nullish(z.unknown()) })

export const Slot = z.object({
  id,
  status: z._default(z.string(), ''),
  workerId: z.nullish(id),
  finishedTime: z.nullish(z.union([z.string(), z.number()])),
  fileProofs: z.nullish(z.array(z.string())),
  tasksAnswers: z.nullish(z.array(z.object({ questionsAnswers: z.nullish(z.array(Answer)) }))),
})
export type Slot = z.infer<typeof Slot>

export const Campaigns = z.object({ items: z.array(Campaign), nextPageToken: text })
export const Slots = z.object({ items: z.array(Slot), nextPageToken: text })

export const Categories = z.object({
  items: z.array(z.object({ id, subCategories: z.nullish(z.array(z.object({ id }))) })),
})

/** Its errors look like problem details (RFC 9457); their exact fields are not documented. */
export const Problem = z.object({
  title: text,
  detail: text,
  message: text,
  violations: z.nullish(z.array(z.object({ propertyPath: text, message: text }))),
})

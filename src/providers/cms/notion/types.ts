import * as z from 'zod/mini'

const text = z.nullish(z.string())
const options = z.object({ options: z.array(z.object({ name: z.string() })) })

export const NotionDatabase = z.object({
  title: z.optional(z.array(z.object({ plain_text: z.string() }))),
  url: text,
  data_sources: z.array(z.object({ id: z.string(), name: text })),
})

export const NotionProperty = z.object({
  name: z.string(),
  type: z.string(),
  status: z.optional(options),
  select: z.optional(options),
})
export type NotionProperty = z.infer<typeof NotionProperty>

export const NotionDataSource = z.object({ id: z.string(), properties: z.record(z.string(), NotionProperty) })
export type NotionDataSource = z.infer<typeof NotionDataSource>

const RichText = z.object({
  plain_text: z.string(),
  href: text,
  annotations: z.optional(z.record(z.string(), z.unknown())),
})
export type RichText = z.infer<typeof RichText>

const Option = z.nullish(z.object({ name: z.string() }))

export const NotionValue = z.object({
  type: z.string(),
  title: z.optional(z.array(RichText)),
  rich_text: z.optional(z.array(RichText)),
  status: z.optional(Option),
  select: z.optional(Option),
  multi_select: z.optional(z.array(z.object({ name: z.string() }))),
  checkbox: z.optional(z.boolean()),
  url: text,
  date: z.nullish(z.object({ start: z.string() })),
  files: z.optional(z.array(z.object({ name: z.string(), external: z.optional(z.object({ url: z.string() })) }))),
})
export type NotionValue = z.infer<typeof NotionValue>

export const NotionPage = z.object({
  id: z.string(),
  url: text,
  public_url: text,
  created_time: text,
  in_trash: z.optional(z.boolean()),
  archived: z.optional(z.boolean()),
  cover: z.nullish(
    z.object({
      type: z.string(),
      external: z.optional(z.object({ url: z.string() })),
      file: z.optional(z.object({ url: z.string() })),
    }),
  ),
  properties: z.record(z.string(), NotionValue),
})
export type NotionPage = z.infer<typeof NotionPage>

type Listed = { object?: string | undefined }

/** A wiki lists its data sources among its pages: they are left out. */
const pagesOnly = (results: unknown[]) =>
  results.filter((one) => (one as Listed | null)?.object !== 'data_source') as z.input<typeof NotionPage>[]

export const NotionPages = z.object({
  results: z.pipe(z.pipe(z.array(z.unknown()), z.transform(pagesOnly)), z.array(NotionPage)),
})

export const NotionMarkdown = z.object({
  markdown: z.string(),
  truncated: z.optional(z.boolean()),
  unknown_block_ids: z.optional(z.array(z.string())),
})
export type NotionMarkdown = z.infer<typeof NotionMarkdown>

export const NotionUpload = z.object({ id: z.string(), status: z.string() })

export const NotionUser = z.object({ id: z.string(), name: text })

export const NotionError = z.object({ code: text, message: text })

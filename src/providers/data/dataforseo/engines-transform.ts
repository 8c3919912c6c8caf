import * as z from 'zod/mini'
import type { OfferedModel } from '../../../../schema/values/visibility.ts'

/** Answer of an engine: its words and the pages that it cites. The text is empty if the engine showed no answer. */
export type EngineReply = { model: string | null; text: string; citations: { url: string; title: string }[] }

const words = () => z.catch(z.nullish(z.string()), null)

const Annotation = z.looseObject({ title: words(), url: words(), direct_url: words() })
const Section = z.looseObject({ text: words(), annotations: z.catch(z.nullish(z.array(z.unknown())), null) })
const Item = z.looseObject({ type: z.string(), sections: z.catch(z.nullish(z.array(z.unknown())), null) })
const Response = z.looseObject({ model_name: words(), items: z.array(z.unknown()) })

const readAll = <S extends z.ZodMiniType>(schema: S, values: readonly unknown[] | null | undefined): z.infer<S>[] =>
  (values ?? []).flatMap((value) => {
    const read = schema.safeParse(value)
    return read.success ? [read.data] : []
  })

/**
 * Returns the answer in the result of an `llm_responses` call; undefined if the result has another form.
 *
 * The `direct_url` of a citation is preferred to its `url`.
 */
export const modelAnswerOf = (result: readonly unknown[]): EngineReply | undefined => {
  const read = Response.safeParse(result[0])
  if (!read.success) return undefined
  const messages = readAll(Item, read.data.items).filter(({ type }) => type === 'message')
  const sections = messages.flatMap((item) => readAll(Section, item.sections))
  const annotations = sections.flatMap((section) => readAll(Annotation, section.annotations))
  return {
    model: read.data.model_name ?? null,
    text: sections
      .map(({ text }) => text ?? '')
      .join('\n')
      .trim(),
    citations: annotations.flatMap(({ url, direct_url: direct, title }) => {
      const address = direct || url
      return address ? [{ url: address, title: title ?? '' }] : []
    }),
  }
}

const Spent = z.looseObject({ money_spent: z.number() })

/** Returns what a model's vendor charged for an answer, US dollars; 0 if the result does not say. */
export const spentOn = (result: readonly unknown[]): number => {
  const read = Spent.safeParse(result[0])
  return read.success ? read.data.money_spent : 0
}

const Ready = z.looseObject({ id: z.string(), tag: z.string() })

/** Returns the tasks with a tag in the result of a `tasks_ready` call. */
export const readyIn = (result: readonly unknown[]): { id: string; tag: string }[] =>
  readAll(Ready, result).map(({ id, tag }) => ({ id, tag }))

const Reference = z.looseObject({ url: words(), title: words() })
const References = z.catch(z.nullish(z.array(z.unknown())), null)
const Element = z.looseObject({ title: words(), text: words(), markdown: words(), references: References })
const Overview = z.looseObject({
  type: z.literal('ai_overview'),
  markdown: words(),
  items: z.catch(z.nullish(z.array(z.unknown())), null),
  references: References,
})
const Serp = z.looseObject({ items: z.nullish(z.array(z.unknown())) })

/** Returns the AI overview of a page of search results, or the answer of AI mode; undefined if the result has another form. */
export const overviewAnswerOf = (result: readonly unknown[]): EngineReply | undefined => {
  // A search without results has an empty result.
  if (result.length === 0) return { model: null, text: '', citations: [] }
  const read = Serp.safeParse(result[0])
  if (!read.success) return undefined
  const overviews = readAll(Overview, read.data.items)
  const elements = overviews.flatMap(({ items }) => readAll(Element, items))
  const inElements = elements.map(({ title, text, markdown }) => markdown || [title, text].filter(Boolean).join('\n'))
  const whole = overviews.map(({ markdown }) => markdown ?? '').join('\n')
  const references = [...overviews, ...elements].flatMap((one) => readAll(Reference, one.references))
  return {
    model: null,
    text: (whole.trim() || inElements.join('\n')).trim(),
    citations: references.flatMap(({ url, title }) => (url ? [{ url, title: title ?? '' }] : [])),
  }
}

const flag = () => z.catch(z.nullish(z.boolean()), null)
const Listed = z.looseObject({
  model_name: z.string().check(z.minLength(1), z.maxLength(100)),
  reasoning: flag(),
  web_search_supported: flag(),
  task_post_supported: flag(),
})

/** Returns the models in the result of an engine's `models` call. Invalid rows are left out. */
export const modelsIn = (result: readonly unknown[]): OfferedModel[] =>
  readAll(Listed, result).map((row) => ({
    name: row.model_name,
    reasons: row.reasoning ?? false,
    searches: row.web_search_supported ?? false,
    queued: row.task_post_supported ?? false,
  }))

import * as z from 'zod/mini'
import type { Headline, Outline } from '../../../content/writing/port.ts'
import { HeadlineShape, OutlineShape } from '../../../content/writing/wire.ts'
import { foreignJson } from '../../../platform/lib/foreign-json.ts'

const Plan = z.object({
  title: z.string(),
  meta_description: z.string(),
  introduction: z.array(z.string()),
  sections: z
    .array(z.object({ heading: z.string().check(z.minLength(1)), points: z.array(z.string()) }))
    .check(z.minLength(1)),
})

/** Returns the JSON object in a model's answer, without what it says around it; undefined when there is none. */
export const jsonIn = (text: string): unknown => {
  const from = text.indexOf('{')
  const to = text.lastIndexOf('}')
  if (from < 0 || to < from) return undefined
  return foreignJson(text.slice(from, to + 1))
}

const plain = (text: string): string =>
  text
    .replace(/<[^<>]*>/g, ' ')
    .replace(/[#*_`]+/g, '')
    .replace(/\s+/g, ' ')
    .trim()

/** Returns the plan in a model's answer; undefined when it is no JSON or not of the form that was asked for. */
export const outlineIn = (text: string): Outline | undefined => {
  const plan = Plan.safeParse(jsonIn(text))
  if (!plan.success) return undefined
  const { title, meta_description, introduction, sections } = plan.data
  const outline = {
    title: plain(title),
    metaDescription: plain(meta_description),
    sections: [{ heading: '', points: introduction }, ...sections.map((s) => ({ ...s, heading: plain(s.heading) }))],
  }
  const shaped = OutlineShape.safeParse(outline)
  return shaped.success ? shaped.data : undefined
}

const Worded = z.object({ title: z.string(), meta_description: z.string() })

/** Returns title and description in a model's answer; undefined when it is no JSON or not of the form that was asked for. */
export const headlineIn = (text: string): Headline | undefined => {
  const worded = Worded.safeParse(jsonIn(text))
  if (!worded.success) return undefined
  const { title, meta_description } = worded.data
  const shaped = HeadlineShape.safeParse({ title: plain(title), metaDescription: plain(meta_description) })
  return shaped.success ? shaped.data : undefined
}

/** Returns the HTML in a model's answer: from the first tag to the last, out of a code fence or chatter; undefined without any. */
export const htmlIn = (text: string): string | undefined => {
  const from = text.search(/<[a-z]/i)
  const to = text.lastIndexOf('>')
  return from < 0 || to < from ? undefined : text.slice(from, to + 1)
}

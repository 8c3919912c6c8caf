import { readFileSync } from 'node:fs'
import { z } from 'zod'

const FOLDER = new URL('../../examples/', import.meta.url)

const Fields = z.object({
  keyword: z.string(),
  title: z.string(),
  meta_description: z.string(),
  article_style: z.string(),
  feature_image: z.string().optional(),
  alt_text: z.string(),
  tags: z.array(z.string()),
  category: z.string(),
})

export type Example = z.infer<typeof Fields> & { content: string }

/** Returns the example article of `examples/`. */
export const readExample = (): Example => ({
  ...Fields.parse(JSON.parse(readFileSync(new URL('article.json', FOLDER), 'utf8'))),
  content: readFileSync(new URL('article.html', FOLDER), 'utf8'),
})

/** Returns the article with its pictures at the blog's own media address. */
export const withPictures = (example: Example, blog: string): Example => {
  const place = (text: string): string =>
    text.replace(/https:\/\/[^"\s]+\/images\/([\w.-]+)/g, (_, name: string) => `${blog}/images/${name}`)
  const { feature_image: feature } = example
  return {
    ...example,
    content: place(example.content),
    ...(feature !== undefined && { feature_image: place(feature) }),
  }
}

/** Returns the sections with these ids, each from its h2 to the next, as a shorter article. */
export const sectionsOf = ({ content }: Example, ids: readonly string[]): string =>
  content
    .split(/(?=<h2 )/)
    .filter((part) => ids.some((id) => part.startsWith(`<h2 id="${id}"`)))
    .join('')

import type { CmsArticle } from '../../../publishing/target/cms-adapter.ts'
import { type Got, got } from '../got.ts'
import { isSameName } from '../names.ts'
import type { WixApi } from './api.ts'
import { MAX } from './transform.ts'

type Label = { id: string; label: string }

/** Ids by label: known ones are asked for once, what is missing is made, what cannot be had is a note. */
const idsOf = async (
  labels: readonly string[],
  find: (labels: readonly string[]) => Promise<Got<Label[]>>,
  make: (label: string) => Promise<Got<string>>,
): Promise<{ ids: string[]; notes: string[] }> => {
  const ids: string[] = []
  const notes: string[] = []
  if (labels.length === 0) return { ids, notes }
  const known = await find(labels)
  if (known.kind !== 'got')
    return { ids, notes: [`${labels.map((l) => `"${l}"`).join(', ')} left out: ${known.reason}`] }
  for (const label of labels) {
    const there = known.value.find((one) => isSameName(one.label, label))
    let id: Got<string | undefined> = there ? got(there.id) : await make(label)
    if (id.kind === 'refused' && id.code === 'conflict') {
      // Somebody else made it in between.
      const again = await find([label])
      id = again.kind === 'got' ? got(again.value.find((one) => isSameName(one.label, label))?.id) : again
    }
    if (id.kind === 'got' && id.value) ids.push(id.value)
    else notes.push(`"${label}" was left out${id.kind === 'got' ? '' : `: ${id.reason}`}.`)
  }
  return { ids: [...new Set(ids)], notes }
}

/** Returns the ids of an article's tags. */
export const tagIds = (api: WixApi, { tags }: CmsArticle) =>
  idsOf(
    tags.slice(0, MAX.tags),
    async (labels) => {
      const found = await api.tags(labels)
      return found.kind === 'got' ? got(found.value.tags ?? []) : found
    },
    async (label) => {
      const made = await api.newTag(label)
      return made.kind === 'got' ? got(made.value.tag.id) : made
    },
  )

/** Returns the id of an article's category. */
export const categoryIds = (api: WixApi, { category }: CmsArticle) =>
  idsOf(
    category === '' ? [] : [category],
    async ([label = '']) => {
      const found = await api.categories(label)
      return found.kind === 'got' ? got(found.value.categories ?? []) : found
    },
    async (label) => {
      const made = await api.newCategory(label)
      return made.kind === 'got' ? got(made.value.category.id) : made
    },
  )

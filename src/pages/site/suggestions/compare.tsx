import { raw } from 'hono/html'
import { escapeText } from '../../../content/html/references.ts'
import { differenceOf } from '../../../insights/suggestions/difference.ts'
import type { Wording } from './parts.tsx'

const without = (html: string, mark: 'ins' | 'del'): string =>
  html.replace(new RegExp(`<${mark}>[\\s\\S]*?</${mark}>`, 'g'), '')

/** Returns both versions with their differences: removed text marked on the left, added text on the right. */
const sides = (before: string, after: string): [left: string, right: string] => [
  without(differenceOf(after, before).html, 'del').replaceAll('<ins>', '<del>').replaceAll('</ins>', '</del>'),
  without(differenceOf(before, after).html, 'del'),
]

export const Sides = ({ label, before, after }: { label: string; before: string; after: string }) => {
  const [left, right] = sides(escapeText(before), escapeText(after))
  return (
    <div class="compare">
      <div dir="auto">
        <span class="meta">{label}, now</span>
        <p>{raw(left)}</p>
      </div>
      <div dir="auto">
        <span class="meta">{label}, proposed</span>
        <p>{before === after ? 'stays as it is' : raw(right)}</p>
      </div>
    </div>
  )
}

export const Compare = ({
  before,
  after,
  asOne,
  here,
}: {
  before: Wording
  after: Wording
  asOne: boolean
  here: string
}) => {
  const [left, right] = sides(before.content, after.content)
  const { html, stats } = differenceOf(before.content, after.content)
  return (
    <section class="card">
      <header>
        <h2>What changes</h2>
        <span class="meta">
          {stats.added} words come, {stats.removed} go
        </span>
        <nav class="tabs" aria-label="How to compare">
          <a href={here} aria-current={asOne ? undefined : 'page'}>
            Side by side
          </a>
          <a href={`${here}?compare=one`} aria-current={asOne ? 'page' : undefined}>
            In one
          </a>
        </nav>
      </header>
      <Sides label="Title" before={before.title} after={after.title} />
      <Sides label="Description" before={before.meta_description} after={after.meta_description} />
      {asOne ? (
        <div class="in prose" dir="auto">
          {raw(html)}
        </div>
      ) : (
        <div class="compare">
          <div class="prose" dir="auto">
            <span class="meta">Text, now</span>
            {raw(left)}
          </div>
          <div class="prose" dir="auto">
            <span class="meta">Text, proposed</span>
            {raw(right)}
          </div>
        </div>
      )}
    </section>
  )
}

import { sitePath } from '../../menu.ts'
import { For } from '../../parts.tsx'
import { dayAfter, dayIn } from '../../zone.ts'
import { BY_PLAN, boxOf, versionOf } from './rules.ts'

/** Renders the box that chooses an article. */
export const Tick = (props: { id: number; updatedAt: Date; name: string; isTicked: boolean }) => (
  <label>
    <input type="checkbox" name={boxOf(props.id)} value={versionOf(props.updatedAt)} checked={props.isTicked} />
    <span class="unseen">Choose {props.name}</span>
  </label>
)

type BarProps = {
  site: number
  zone: string
  now: Date
  isTicked: boolean
  toggle: string
  kept: Record<string, string | undefined>
}

/** Renders what can be done with the articles that are ticked: the first part of their form. */
export const Bar = ({ site, zone, now, isTicked, toggle, kept }: BarProps) => {
  const tomorrow = dayAfter(dayIn(now, zone), 1)
  return (
    <div class="find in bulk">
      {Object.entries(kept).map(([name, value]) => value && <input type="hidden" name={name} value={value} />)}
      <a class="button plain" href={toggle}>
        {isTicked ? 'Tick none' : 'Tick all'}
      </a>
      <label>
        First date
        <input type="date" name="start" value={tomorrow} min={dayIn(now, zone)} />
      </label>
      <label>
        Days between
        <input type="number" name="every" value="7" min="1" max="90" />
      </label>
      <button class="plain" type="submit" formaction={sitePath(site, 'bulk/dates')}>
        Set dates
      </button>
      <button class="plain" type="submit" formaction={sitePath(site, 'bulk/dates')} {...BY_PLAN}>
        Plan on the site’s publishing days
      </button>
      <button class="plain" type="submit" formaction={sitePath(site, 'bulk/publish')}>
        Publish now
      </button>
      <For right="manage">
        <button class="danger" type="submit" formaction={sitePath(site, 'bulk/delete')}>
          Delete
        </button>
      </For>
    </div>
  )
}

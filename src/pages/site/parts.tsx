import type { Child } from 'hono/jsx'
import { PATHS } from '../../accounts/people/paths.ts'
import { For, Pill, type Tone } from '../parts.tsx'

/** Returns a number with its sign: `+1,200`, `−87`. */
export const signed = (n: number): string => `${n > 0 ? '+' : n < 0 ? '−' : ''}${Math.abs(n).toLocaleString('en-US')}`

/** Returns a position in Google's results: `4.2`. */
export const positionText = (position: number | null): string => (position === null ? '–' : position.toFixed(1))

/** Renders a link to connect Search Console, for people with the right to do so. */
export const ConnectSearch = ({ site }: { site: number }) => (
  <For right="manage">
    <a class="button" href={`${PATHS.integrations}?project_id=${site}`}>
      Connect Search Console
    </a>
  </For>
)

/** Renders a box with a heading. */
export const Card = (props: { title: string; note?: Child; span?: string; children: Child }) => (
  <section class={`card ${props.span ?? ''}`.trim()}>
    <header>
      <h2>{props.title}</h2>
      {props.note && <span class="meta">{props.note}</span>}
    </header>
    {props.children}
  </section>
)

/** Colour, shape and word of a state. */
export type Mark = readonly [tone: Tone, shape: string, word: string]

/** Renders the mark of a state. */
export const MarkPill = ({ mark: [tone, shape, word] }: { mark: Mark }) => (
  <Pill tone={tone} shape={shape}>
    {word}
  </Pill>
)

type MarkedRowProps = {
  mark: Child
  href: string
  name: string
  /** Thing of the row, for screen readers, if its name does not say it. */
  about?: string
  action: string
  children: Child
}

/** Renders a row of a list: a mark, a name that links to its page, a line about it, and a button that opens it. */
export const MarkedRow = ({ mark, href, name, about, action, children }: MarkedRowProps) => (
  <li>
    {mark}
    <div>
      <a class="name" href={href} dir="auto">
        {name}
      </a>
      <p>{children}</p>
    </div>
    <a class="button plain" href={href} aria-label={[`${action}: ${name}`, about].filter(Boolean).join(', ')}>
      {action}
    </a>
  </li>
)

type Figure = { name: string; value: Child; note: Child; change?: Child }

/** Renders figures side by side, each with a note. */
export const Figures = ({ figures }: { figures: readonly Figure[] }) => (
  <dl class="figures">
    {figures.map(({ name, value, note, change }) => (
      <div>
        <dt>{name}</dt>
        <dd>
          <b>{value}</b>
          <span class="of">{note}</span> {change}
        </dd>
      </div>
    ))}
  </dl>
)

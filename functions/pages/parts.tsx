import type { Child } from 'hono/jsx'

/** A box with a heading. */
export const Card = (props: { title: string; note?: Child; span?: string; children: Child }) => (
  <section class={`card ${props.span ?? ''}`.trim()}>
    <header>
      <h2>{props.title}</h2>
      {props.note && <span class="meta">{props.note}</span>}
    </header>
    {props.children}
  </section>
)

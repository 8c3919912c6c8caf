import type { Child } from 'hono/jsx'
import { sha256 } from '../platform/lib/crypto.ts'
import { type Front, type PagesContext, show } from './front.tsx'

type Fields = Record<string, string>

/** Question to a person before something is destroyed or many things are changed. */
type Question = {
  title: string
  /** Counts of all that stops or is lost. */
  body: Child
  /** Label of the button that confirms; undefined if nothing can be done. */
  label: string | undefined
  /** Address of the page that Cancel leads to. */
  back: string
  /** True if nothing is destroyed. */
  isHarmless?: boolean
  /** True if the question shows pictures, which may be on any host. */
  hasPictures?: boolean
}

const HOUR_MS = 3_600_000

/** Returns the token that confirms one form of one person. It is valid for one to two hours. */
const tokenOf = async (c: PagesContext, { confirm: _, ...fields }: Fields, hour: number): Promise<string> => {
  const sent = Object.entries(fields).sort(([one], [other]) => (one < other ? -1 : 1))
  return await sha256(JSON.stringify(['confirm', c.get('person').id, c.req.path, sent, hour]))
}

/**
 * Asks a person to confirm a form. Returns the page with the question; undefined if the person has confirmed.
 *
 * The form of that page has the same fields and a token.
 */
export const askToConfirm = async (
  c: PagesContext,
  front: Pick<Front, 'deps'>,
  fields: Fields,
  question: () => Promise<Question> | Question,
): Promise<Response | undefined> => {
  const hour = Math.floor(front.deps.now().getTime() / HOUR_MS)
  const valid = await Promise.all([hour, hour - 1].map((one) => tokenOf(c, fields, one)))
  if (valid.includes(fields.confirm ?? '')) return undefined
  const { title, body, label, back, isHarmless, hasPictures = false } = await question()
  return await show(c, front, {
    title,
    menu: true,
    hasPictures,
    body: (
      <>
        {body}
        <form class="row" method="post" action={c.req.path}>
          {Object.entries({ ...fields, confirm: valid[0] ?? '' }).map(([name, value]) => (
            <input type="hidden" name={name} value={value} />
          ))}
          {label !== undefined && (
            <button class={isHarmless ? undefined : 'danger sure'} type="submit">
              {label}
            </button>
          )}
          <a class="button plain" href={back}>
            {label === undefined ? 'Back' : 'Cancel'}
          </a>
        </form>
      </>
    ),
  })
}

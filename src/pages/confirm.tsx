import type { Child } from 'hono/jsx'
import { sha256 } from '../platform/lib/crypto.ts'
import { type Front, type PagesContext, show } from './front.tsx'

type Fields = Record<string, string>

/** Question to a person before something is destroyed, or done to many things at once. */
type Question = {
  title: string
  /** Counts of all that stops or is lost. */
  body: Child
  /** The word of the button that does it. */
  label: string
  /** Address of the page that a person goes back to if they would rather not. */
  back: string
  /** True if nothing is destroyed. */
  isHarmless?: boolean
}

const HOUR_MS = 3_600_000

/** Returns the token of one deed of one person, which holds for an hour or two. */
const tokenOf = async (c: PagesContext, { confirm: _, ...fields }: Fields, hour: number): Promise<string> => {
  const sent = Object.entries(fields).sort(([one], [other]) => (one < other ? -1 : 1))
  return await sha256(JSON.stringify(['confirm', c.get('person').id, c.req.path, sent, hour]))
}

/**
 * Asks before a form destroys something. Returns the page that asks, whose form is the same with a token; undefined if the
 * person has said yes.
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
  const { title, body, label, back, isHarmless } = await question()
  return await show(c, front, {
    title,
    menu: true,
    body: (
      <>
        {body}
        <form class="row" method="post" action={c.req.path}>
          {Object.entries({ ...fields, confirm: valid[0] ?? '' }).map(([name, value]) => (
            <input type="hidden" name={name} value={value} />
          ))}
          <button class={isHarmless ? undefined : 'danger sure'} type="submit">
            {label}
          </button>
          <a class="button plain" href={back}>
            Cancel
          </a>
        </form>
      </>
    ),
  })
}

import type { Child } from 'hono/jsx'

type Point = { day: string; value: number }
/** Event of the site on a day. */
export type Note = { day: string; text: string }

const HEIGHT = 180
const EDGE = { left: 34, right: 8, top: 14, bottom: 22 }
const DAY_MS = 86_400_000

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

const shortDay = (day: string): string => `${Number(day.slice(8, 10))} ${MONTHS[Number(day.slice(5, 7)) - 1]}`

/** Returns a round number that is at least the given one, for the top of a scale. */
const topOf = (most: number): number => {
  const size = 10 ** Math.floor(Math.log10(Math.max(1, most)))
  return [1, 2, 2.5, 5, 10].map((step) => step * size).find((top) => top >= most) ?? most
}

/** Numbers that are drawn as a second line. Days without a point were not measured. */
type Beside = { name: string; points: Point[] }

type DrawingProps = { points: Point[]; beside: Point[]; notes: Note[]; width: number; title: string }

/** Renders a chart for one width. Text keeps its size, so each width needs its own drawing. */
const Drawing = ({ points, beside, notes, width, title }: DrawingProps) => {
  const known = [...new Set([...points, ...beside].map(({ day }) => day))].sort()
  const first = Date.parse(known[0] ?? '')
  const span = Math.max(1, (Date.parse(known.at(-1) ?? '') - first) / DAY_MS)
  const top = topOf(Math.max(...[...points, ...beside].map(({ value }) => value)))
  const x = (day: string): number =>
    EDGE.left + ((Date.parse(day) - first) / DAY_MS / span) * (width - EDGE.left - EDGE.right)
  const y = (value: number): number => HEIGHT - EDGE.bottom - (value / top) * (HEIGHT - EDGE.top - EDGE.bottom)
  const line = points.map(({ day, value }) => `${x(day).toFixed(1)},${y(value).toFixed(1)}`).join('L')
  const isAfterGap = (n: number): boolean =>
    n === 0 || Date.parse(beside[n]?.day ?? '') - Date.parse(beside[n - 1]?.day ?? '') > DAY_MS
  const second = beside.map(
    ({ day, value }, n) => `${isAfterGap(n) ? 'M' : 'L'}${x(day).toFixed(1)},${y(value).toFixed(1)}`,
  )
  const base = y(0).toFixed(1)
  const steps = width < 500 ? 2 : 4
  const days = Array.from({ length: steps + 1 }, (_, n) => known[Math.round((n * (known.length - 1)) / steps)] ?? '')
  return (
    <svg
      class={`chart ${width < 500 ? 'phone' : 'desk'}`}
      viewBox={`0 0 ${width} ${HEIGHT}`}
      role="img"
      aria-label={title}
    >
      {[0, top / 2, top].map((value) => (
        <>
          <path class="grid" d={`M${EDGE.left},${y(value).toFixed(1)}H${width - EDGE.right}`} />
          <text x={EDGE.left - 6} y={(y(value) + 4).toFixed(1)} text-anchor="end">
            {value}
          </text>
        </>
      ))}
      <path class="area" d={`M${line}V${base}H${x(points[0]?.day ?? '').toFixed(1)}Z`} />
      <path class="line" d={`M${line}`} />
      {second.length > 0 && <path class="line second" d={second.join('')} />}
      {notes.map(({ day, text }) => (
        <>
          <path class="note" d={`M${x(day).toFixed(1)},${EDGE.top - 4}V${base}`} />
          <circle class="dot" cx={x(day).toFixed(1)} cy={EDGE.top - 4} r="3">
            <title>{text}</title>
          </circle>
        </>
      ))}
      {days.map((day, n) => (
        <text x={x(day).toFixed(1)} y={HEIGHT - 6} text-anchor={n === 0 ? 'start' : n === steps ? 'end' : 'middle'}>
          {shortDay(day)}
        </text>
      ))}
    </svg>
  )
}

/** Renders a line over days, for a phone and for a wide screen, with the same numbers in a table. */
export const LineChart = ({
  title,
  name = 'Number',
  points,
  beside,
  notes = [],
  wide = false,
}: {
  title: string
  name?: string
  points: Point[]
  beside?: Beside
  notes?: Note[]
  /** True for a chart as wide as the page. Its own width keeps the text from growing. */
  wide?: boolean
}) => {
  const other = new Map(beside?.points.map(({ day, value }) => [day, value]))
  const own = new Map(points.map(({ day, value }) => [day, value]))
  const days = new Set([...own.keys(), ...other.keys()])
  const marks = notes.filter(({ day }) => days.has(day))
  return (
    <>
      <Drawing points={points} beside={beside?.points ?? []} notes={marks} width={wide ? 960 : 540} title={title} />
      <Drawing points={points} beside={beside?.points ?? []} notes={marks} width={310} title={title} />
      <details>
        <summary>The numbers as a table</summary>
        <Numbers
          caption={title}
          heads={['Day', name, ...(beside ? [beside.name] : [])]}
          rows={[...days].sort().map((day) => [day, own.get(day) ?? '–', ...(beside ? [other.get(day) ?? '–'] : [])])}
        />
      </details>
    </>
  )
}

/** Renders a table of numbers: the first column has text, the others have figures. */
export const Numbers = ({ caption, heads, rows }: { caption: string; heads: string[]; rows: Child[][] }) => (
  <table class="numbers">
    <caption class="unseen">{caption}</caption>
    <thead>
      <tr>
        {heads.map((head, n) => (
          <th scope="col" class={n === 0 ? undefined : 'num'}>
            {head}
          </th>
        ))}
      </tr>
    </thead>
    <tbody>
      {rows.map((row) => (
        <tr>
          {row.map((cell, n) => (
            <td data-label={heads[n]} class={n === 0 ? undefined : 'num'}>
              {typeof cell === 'number' ? cell.toLocaleString('en-US') : cell}
            </td>
          ))}
        </tr>
      ))}
    </tbody>
  </table>
)

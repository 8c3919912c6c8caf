import type { Child } from 'hono/jsx'
import type { searchPerformance } from '../../../insights/search/performance.ts'
import { sitePath } from '../../menu.ts'
import { Empty, Pill } from '../../parts.tsx'
import { Numbers } from '../chart.tsx'
import { withQuery } from '../front.ts'
import { Card, positionText, signed } from '../parts.tsx'
import { type Chosen, csvOf, rowsFor } from './rows.ts'

/** Answer of Google about a site, or the reason why there is none. */
export type Performance = Awaited<ReturnType<typeof searchPerformance>>

/** Answer of Google with its numbers. */
export type Found = Extract<Performance, { top_queries: unknown }>

/** Site, days and choices that an address of the page has. */
export type At = { site: number; days: string; chosen: Chosen }

type Row = Found['top_queries' | 'top_pages'][number]

/** Returns the address of the page with other choices. */
export const pathWith = ({ site, days, chosen }: At, other: Partial<Chosen>, page = 'search'): string => {
  const { sort, only, q } = { ...chosen, ...other }
  return withQuery(sitePath(site, page), { days, sort: sort === 'clicks' ? '' : sort, only, q })
}

const FIGURES = ['Clicks', 'Change', 'Impressions', 'Position']

/** Returns the cells of a query or page under `FIGURES`. */
const figuresOf = (row: Row): string[] => [
  row.clicks.toLocaleString('en-US'),
  row.delta_clicks === undefined ? '–' : signed(row.delta_clicks),
  row.impressions.toLocaleString('en-US'),
  positionText(row.position),
]

/** Renders the marks of a row. Each shows only the rows that have it. */
const Marks = ({ row, at }: { row: Row; at: At }) => (
  <>
    {row.striking_distance && (
      <a href={pathWith(at, { only: 'reach' })}>
        <Pill tone="warn" shape="◇">
          within reach
        </Pill>
      </a>
    )}{' '}
    {row.is_new && (
      <a href={pathWith(at, { only: 'new' })}>
        <Pill>new</Pill>
      </a>
    )}
  </>
)

type TableProps = {
  at: At
  title: string
  /** Share of the clicks that the rows cover, 0 to 1. */
  share: number | null
  /** Number of rows without the filter. */
  all: number
  /** Chosen rows, each with its first cell. */
  rows: readonly { row: Row; cell: Child }[]
  head: string
  /** Name of the rows, in the caption and the file. */
  of: 'queries' | 'pages'
  /** Sentence for a site without any row. */
  none: string
  hint?: string
}

/** Renders a table of rows in Google Search, with its file. */
const Table = ({ at, title, share, all, rows, head, of, none, hint }: TableProps) => (
  <Card
    title={title}
    note={share === null ? undefined : `these cover ${Math.round(share * 100)} % of the clicks; Google hides rare ones`}
  >
    {rows.length === 0 ? (
      <Empty>
        {all === 0 ? none : <a href={pathWith(at, { only: '', q: '' })}>None of them matches. Show all {all}</a>}
      </Empty>
    ) : (
      <div class="in">
        {hint && <p class="hint">{hint}</p>}
        <Numbers
          caption={of === 'queries' ? 'Queries' : 'Pages'}
          heads={[head, ...FIGURES]}
          rows={rows.map(({ row, cell }) => [
            <span dir="auto">
              {cell} <Marks row={row} at={at} />
            </span>,
            ...figuresOf(row),
          ])}
        />
        <p>
          <a href={pathWith(at, {}, `search/${of}.csv`)}>Download the {of} (CSV)</a>
        </p>
      </div>
    )}
  </Card>
)

const queryOf = ({ query }: Found['top_queries'][number]): string => query

const pageOf = ({ page }: Found['top_pages'][number]): string => {
  const url = URL.parse(page)
  return url ? `${url.pathname}${url.search}` : page
}

/** Renders what people search for. */
export const Queries = ({ found, at }: { found: Found; at: At }) => (
  <Table
    at={at}
    title="What people search for"
    share={found.coverage.query_clicks_share}
    all={found.top_queries.length}
    rows={rowsFor(found.top_queries, at.chosen, queryOf).map((row) => ({ row, cell: row.query }))}
    head="Query"
    of="queries"
    none="Nobody found the site in these days."
    hint="Within reach: shown ten times or more, at positions 4 to 20. A better page about it brings clicks."
  />
)

/** Renders the pages that people find. */
export const Pages = ({ found, at }: { found: Found; at: At }) => (
  <Table
    at={at}
    title="Pages"
    share={found.coverage.page_clicks_share}
    all={found.top_pages.length}
    rows={rowsFor(found.top_pages, at.chosen, pageOf).map((row) => ({
      row,
      cell:
        row.article_id === undefined ? (
          pageOf(row)
        ) : (
          <a href={sitePath(at.site, `articles/${row.article_id}`)}>{pageOf(row)}</a>
        ),
    }))}
    head="Page"
    of="pages"
    none="No page was shown in these days."
  />
)

/** Returns the chosen rows of a table as CSV. */
export const fileOf = (found: Found, of: 'queries' | 'pages', chosen: Chosen): string =>
  of === 'queries'
    ? csvOf('query', rowsFor(found.top_queries, chosen, queryOf), queryOf)
    : csvOf('page', rowsFor(found.top_pages, chosen, pageOf), ({ page }) => page)

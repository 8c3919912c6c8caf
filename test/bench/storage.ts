import { LOG_DAYS, PICTURE_DAYS, SENT_DAYS } from '../../schema/values/retention.ts'
import { NEWEST_REVISIONS } from '../../src/content/articles/forget.ts'

/** Bytes of one row of an article of 1,200 words, as the database stores it, and how many an article has. */
export const STORED = {
  article: { name: 'The article, with its SEO report', bytes: 5_000, count: 1, kept: 'as long as the article' },
  revision: {
    name: 'Its revisions',
    bytes: 3_000,
    count: 6,
    kept: `the first, the newest ${NEWEST_REVISIONS} and those that were sent; others ${LOG_DAYS} days`,
  },
  delivery: {
    name: 'Its deliveries, with the text in them',
    bytes: 5_000,
    count: 3,
    kept: `the text ${SENT_DAYS} days; key, hash and answer as long as the site`,
  },
  attempt: {
    name: 'Attempts of deliveries',
    bytes: 200,
    count: 4,
    kept: `${SENT_DAYS} days; the last one as long as the delivery`,
  },
  entry: { name: 'Entries of the log', bytes: 160, count: 20, kept: `${LOG_DAYS} days` },
} as const

/** Space of indexes, page headers and rows that are not vacuumed yet, for each byte of a row. */
const OVERHEAD = 1.6
/** Bytes of a picture in R2. */
const PICTURE = 200_000

const kb = (bytes: number): string => `${Math.round(bytes / 1_000).toLocaleString('en')} KB`

const articleBytes = (): number =>
  OVERHEAD * Object.values(STORED).reduce((total, { bytes, count }) => total + bytes * count, 0)

/** Returns what a thousand articles with their history take, in GB, and cost in a month at Neon. */
export const thousandArticles = (): { gb: string; dollars: string } => {
  const gb = articleBytes() / 1e6
  return { gb: gb.toFixed(2), dollars: (gb * 0.35).toFixed(2) }
}

/** Returns the table of `docs/operations/costs.md` on storage. */
export const storageTable = (): string =>
  [
    '| What | Each | An article has | Kept |',
    '|---|---|---|---|',
    ...Object.values(STORED).map(
      ({ name, bytes, count, kept }) =>
        `| ${name} | ${bytes < 1_000 ? `${bytes} B` : kb(bytes)} | ${count} | ${kept} |`,
    ),
    `| **In the database**, with indexes (× ${OVERHEAD}) | | **${kb(articleBytes())}** | |`,
    `| A picture in R2 | ${kb(PICTURE)} | 1 | until the account is deleted; unused and unsent ${PICTURE_DAYS} days |`,
    '| An archive or export in R2 | up to the size of the site’s texts and pictures | | 7 days |',
  ].join('\n')

import type { Hono } from 'hono'
import { FAVICON } from '../../src/pages/assets.ts'
import { EDITOR_JS } from '../../src/pages/editor.generated.ts'
import type { PagesEnv } from '../../src/pages/front.tsx'
import { KEYS_JS } from '../../src/pages/keys.generated.ts'
import { PASSKEY_JS, PASSKEY_SCRIPT } from '../../src/pages/passkeys/script.ts'
import { PICTURES_JS } from '../../src/pages/pictures.generated.ts'
import { SUM_JS, SUM_SCRIPT } from '../../src/pages/settings/billing.tsx'
import { articlePages } from '../../src/pages/site/article/pages.tsx'
import { articlesPages } from '../../src/pages/site/articles.tsx'
import { backlinksPages } from '../../src/pages/site/backlinks.tsx'
import { binPages } from '../../src/pages/site/bin.tsx'
import { CALENDAR_SCRIPT } from '../../src/pages/site/calendar/month.tsx'
import { CALENDAR_JS, calendarPages } from '../../src/pages/site/calendar/pages.tsx'
import { crawlersPages } from '../../src/pages/site/crawlers.tsx'
import { deliveriesPages } from '../../src/pages/site/deliveries.tsx'
import { findPages } from '../../src/pages/site/find.ts'
import type { SiteFront } from '../../src/pages/site/front.ts'
import { overviewPages } from '../../src/pages/site/overview/pages.tsx'
import { planPages } from '../../src/pages/site/plan.tsx'
import { searchPages } from '../../src/pages/site/search/pages.tsx'
import { sitesPages } from '../../src/pages/site/sites.tsx'
import { suggestionsPages } from '../../src/pages/site/suggestions/pages.tsx'
import { visibilityPages } from '../../src/pages/site/visibility/pages.tsx'
import { STYLES } from '../../src/pages/style.generated.ts'

const YEAR = 'public, max-age=31536000, immutable'
const DAY = 'public, max-age=86400'

/** Dependencies of the pages of sites. */
export type SitesFront = SiteFront & { readAsset: (name: string) => Promise<Response> }

/** Registers the pages on which people see their sites, and the files that pages load. */
export const sitesOf = (app: Hono<PagesEnv>, front: SitesFront): void => {
  const asset = (path: string, text: string, type: string, keep: string) =>
    app.get(path, (c) => {
      c.header('Cache-Control', keep)
      return c.body(text, 200, { 'Content-Type': type })
    })
  const stored = (path: string, file: string, type: string) =>
    app.get(path, async (c) => {
      c.header('Cache-Control', YEAR)
      return c.body(await (await front.readAsset(file)).text(), 200, { 'Content-Type': type })
    })
  stored(STYLES, 'style.css', 'text/css; charset=utf-8')
  asset('/favicon.svg', FAVICON, 'image/svg+xml', DAY)
  stored(EDITOR_JS, 'editor.js', 'text/javascript; charset=utf-8')
  stored(PICTURES_JS, 'pictures.js', 'text/javascript; charset=utf-8')
  stored(KEYS_JS, 'keys.js', 'text/javascript; charset=utf-8')
  findPages(app, front)
  sitesPages(app, front)
  overviewPages(app, front)
  asset(PASSKEY_JS, PASSKEY_SCRIPT, 'text/javascript; charset=utf-8', YEAR)
  asset(CALENDAR_JS, CALENDAR_SCRIPT, 'text/javascript; charset=utf-8', YEAR)
  asset(SUM_JS, SUM_SCRIPT, 'text/javascript; charset=utf-8', YEAR)
  calendarPages(app, front)
  planPages(app, front)
  articlesPages(app, front)
  articlePages(app, front)
  binPages(app, front)
  suggestionsPages(app, front)
  searchPages(app, front)
  crawlersPages(app, front)
  visibilityPages(app, front)
  backlinksPages(app, front)
  deliveriesPages(app, front)
}

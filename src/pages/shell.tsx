import type { Child } from 'hono/jsx'
import type { Role } from '../../schema/values/people.ts'
import { PATHS } from '../accounts/people/paths.ts'
import { mayOpen } from '../accounts/people/roles.ts'
import { Icon, type IconName } from './icons.tsx'
import { helpFor, SETTINGS_MENU, SITE_MENU, siteName, sitePath } from './menu.ts'
import type { Site } from './queries.ts'

/** Content of the menu of a signed-in person. */
export type Menu = {
  sites: readonly Site[]
  /** Site of the page, else the site that was opened last. */
  site: Site | undefined
  /** Number of unread notices. */
  unread: number
  /** Current page: the key of a site's page, or the path of a settings page. */
  current: string
  /** Name or address of the person. */
  who: string
  role: Role
  theme: Theme
  /** True unless the person switched keys off in this browser. */
  hasKeys: boolean
}

/** Colour themes that a person can choose. `system` follows the device. */
export const THEMES = ['system', 'light', 'dark'] as const
export type Theme = (typeof THEMES)[number]

const Count = ({ n, what, bad = false }: { n: number; what: string; bad?: boolean }) =>
  n === 0 ? null : (
    <span class={bad ? 'count bad' : 'count'}>
      {n}
      <span class="unseen"> {what}</span>
    </span>
  )

const countOf = (key: IconName, { failed, ready, asked }: Site) => {
  if (key === 'approvals') return <Count n={asked} what="waiting for approval" />
  if (key === 'deliveries') return <Count n={failed} what="failed or unknown" bad />
  return key === 'suggestions' ? <Count n={ready} what="ready" /> : null
}

const ThemeForm = ({ theme }: { theme: Theme }) => {
  const next = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length] ?? 'system'
  return (
    <form method="post" action={PATHS.theme}>
      <input type="hidden" name="theme" value={next} />
      <button type="submit">Colours: {theme}</button>
    </form>
  )
}

/** Renders the button to sign out. Its script first sends texts of the person that only this browser has. */
const SignOut = () => (
  <form method="post" action={PATHS.signOut}>
    <button class="plain" type="submit">
      Sign out
    </button>
  </form>
)

const isSettings = (current: string): boolean => current.startsWith(PATHS.settings)

/** Returns the pages of the site that the person may open, in groups. */
const groupsFor = ({ site, role }: Pick<Menu, 'site' | 'role'>) =>
  site
    ? SITE_MENU.map(({ title, pages }) => ({
        title,
        pages: pages.filter(({ path }) => mayOpen(role, path(site.id))),
      })).filter(({ pages }) => pages.length > 0)
    : []

/** Returns the path of the page that adds a first site; undefined if the person has a site or may not add one. */
const firstSite = ({ site, role }: Menu): string | undefined =>
  site || !mayOpen(role, '/setup') ? undefined : '/setup'

const AddSite = ({ menu }: { menu: Menu }) => {
  const href = firstSite(menu)
  return href === undefined ? null : (
    <a href={href} aria-current={menu.current === href ? 'page' : undefined}>
      <Icon name="sites" />
      Add a site
    </a>
  )
}

/** Renders the name of a group of links, which screen readers get from the list itself. */
const GroupName = ({ title }: { title: string }) => (
  <span class="group" aria-hidden="true">
    {title}
  </span>
)

type GroupsProps = { menu: Menu; groups: ReturnType<typeof groupsFor>; hasKeys: boolean }

/** Renders the pages of a site in groups. Only the first menu of a page has keys, so that each opens one link. */
const Groups = ({ menu: { site, current }, groups, hasKeys }: GroupsProps) => (
  <>
    {site &&
      groups.map(({ title, pages }) => (
        <>
          <GroupName title={title} />
          <ul aria-label={title}>
            {pages.map(({ key, label, go, path }) => (
              <li>
                <a
                  href={path(site.id)}
                  aria-current={key === current ? 'page' : undefined}
                  data-go={hasKeys ? go : undefined}
                >
                  <Icon name={key} />
                  {label}
                  {countOf(key, site)}
                </a>
              </li>
            ))}
          </ul>
        </>
      ))}
  </>
)

const Notices = ({ current, unread }: Menu) => (
  <a href={PATHS.noticeList} aria-current={current === PATHS.noticeList ? 'page' : undefined}>
    <Icon name="notices" />
    Notices
    <Count n={unread} what="unread" />
  </a>
)

const Links = (menu: Menu) => (
  <>
    {firstSite(menu) !== undefined && (
      <ul>
        <li>
          <AddSite menu={menu} />
        </li>
      </ul>
    )}
    <Groups menu={menu} groups={groupsFor(menu)} hasKeys />
    <GroupName title="Account" />
    <ul aria-label="Account">
      <li>
        <Notices {...menu} />
      </li>
      <li>
        <a
          href={PATHS.settings}
          aria-current={isSettings(menu.current) && menu.current !== PATHS.settings ? 'true' : undefined}
        >
          <Icon name="settings" />
          Settings
        </a>
      </li>
    </ul>
  </>
)

const Switcher = ({ sites, site }: Menu) => (
  <details class="switch">
    <summary>
      <span class="mark" aria-hidden="true">
        {(site ? siteName(site) : 'G').slice(0, 1).toUpperCase()}
      </span>
      <span>
        {site ? siteName(site) : 'No site yet'}
        <small>{sites.length === 1 ? '1 site' : `${sites.length} sites`}</small>
      </span>
    </summary>
    <ul>
      {sites.map((one) => (
        <li>
          <a href={sitePath(one.id)} aria-current={one.id === site?.id ? 'true' : undefined}>
            {siteName(one)}
            {one.failed > 0 && <Count n={one.failed} what="failed or unknown" bad />}
          </a>
        </li>
      ))}
      <li>
        <a href={PATHS.sites}>All sites</a>
      </li>
    </ul>
  </details>
)

/** Number of pages on the bar of a phone. The others are behind “More”. */
const ON_BAR = 4

/** Renders the menu beside every page of a signed-in person. On a phone it is a bar of five links at the bottom. */
export const Shell = ({ menu, children }: { menu: Menu; children: Child }) => {
  const { site, current, who, theme } = menu
  const groups = groupsFor(menu)
  const first = groups.flatMap(({ pages }) => pages).slice(0, ON_BAR)
  const others = groups
    .map(({ title, pages }) => ({ title, pages: pages.filter((one) => !first.includes(one)) }))
    .filter(({ pages }) => pages.length > 0)
  return (
    <div class="shell">
      <aside class="side" aria-label="Menu">
        <Switcher {...menu} />
        <nav aria-label="Main">
          <Links {...menu} />
        </nav>
        <div class="end">
          <a class="who" href={helpFor(current)}>
            Help
          </a>
          <span class="who">{who}</span>
          <ThemeForm theme={theme} />
          <SignOut />
        </div>
      </aside>
      <main id="content" tabindex={-1}>
        {isSettings(current) ? (
          <div class="sub">
            <SettingsMenu {...menu} />
            <div>{children}</div>
          </div>
        ) : (
          children
        )}
      </main>
      <nav class="bar" aria-label="Pages">
        <AddSite menu={menu} />
        {first.map(({ key, label, path }) => (
          <a href={path(site?.id ?? 0)} aria-current={key === current ? 'page' : undefined}>
            <Icon name={key} />
            {label}
          </a>
        ))}
        <details>
          <summary>
            <Icon name="more" />
            More
          </summary>
          <div class="sheet">
            <Groups menu={menu} groups={others} hasKeys={false} />
            <GroupName title="Account" />
            <Notices {...menu} />
            <a href={PATHS.sites}>
              <Icon name="sites" />
              All sites
            </a>
            <a href={PATHS.settings}>
              <Icon name="settings" />
              Settings
            </a>
            <a href={helpFor(current)}>Help</a>
            <ThemeForm theme={theme} />
            <SignOut />
          </div>
        </details>
      </nav>
    </div>
  )
}

const SettingsMenu = ({ current, role }: Menu) => (
  <nav aria-label="Settings">
    {SETTINGS_MENU.map(({ title, pages }) => ({ title, pages: pages.filter(({ path }) => mayOpen(role, path)) }))
      .filter(({ pages }) => pages.length > 0)
      .map(({ title, pages }) => (
        <>
          <h2>{title}</h2>
          <ul>
            {pages.map(({ path, label }) => (
              <li>
                <a href={path} aria-current={path === current ? 'page' : undefined}>
                  {label}
                </a>
              </li>
            ))}
          </ul>
        </>
      ))}
  </nav>
)

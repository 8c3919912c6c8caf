import type { Child } from 'hono/jsx'

/** Where the styles of all pages are. */
export const STYLES = '/settings/style.css'

/** What a page says at its top after something was tried. */
export type Notice = { tone: 'good' | 'bad' | 'plain'; text: string }

type PageProps = {
  service: string
  title: string
  /** Where the styles stand. */
  styles: string
  /** The pages a person who is signed in can go to; none for others. */
  menu?: readonly { path: string; label: string }[]
  current?: string
  narrow?: boolean
  notice?: Notice | undefined
  children: Child
}

const NoticeBox = ({ notice }: { notice: Notice }) => (
  <div class={`notice ${notice.tone === 'plain' ? '' : notice.tone}`} role={notice.tone === 'bad' ? 'alert' : 'status'}>
    <p>{notice.text}</p>
  </div>
)

/** The frame of every page. */
export const Page = ({ service, title, styles, menu, current, narrow, notice, children }: PageProps) => (
  <html lang="en">
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <title>{`${title} – ${service}`}</title>
      <meta name="description" content={`${title}: ${service}, publishing and SEO for agents.`} />
      <link rel="stylesheet" href={styles} />
    </head>
    <body>
      <header>
        <strong>{service}</strong>
        {menu && (
          <form method="post" action="/sign-out">
            <button class="plain" type="submit">
              Sign out
            </button>
          </form>
        )}
        {menu && (
          <nav aria-label="Settings">
            {menu.map(({ path, label }) => (
              <a href={path} aria-current={path === current ? 'page' : undefined}>
                {label}
              </a>
            ))}
          </nav>
        )}
      </header>
      <main class={narrow ? 'narrow' : undefined}>
        <h1>{title}</h1>
        {notice && <NoticeBox notice={notice} />}
        {children}
      </main>
    </body>
  </html>
)

import type { Child } from 'hono/jsx'
import type { Legal } from '../platform/runtime/legal.ts'
import { KEYS_JS } from './keys.generated.ts'
import { LegalLinks } from './legal.tsx'
import type { Notice } from './notice.ts'
import { type Menu, Shell } from './shell.tsx'
import { STYLES } from './style.generated.ts'

type PageProps = {
  service: string
  legal: Legal
  title: string
  /** Menu of the signed-in person. Other people get a narrow page without a menu. */
  menu?: Menu | undefined
  notice?: Notice | undefined
  /** Buttons and marks beside the heading. */
  actions?: Child
  /** Address of the page's script. */
  script?: string | undefined
  children: Child
}

const NoticeBox = ({ notice: { tone, text, secret, about } }: { notice: Notice }) => (
  <div class={`notice ${tone === 'plain' ? '' : tone}`} role={tone === 'bad' ? 'alert' : 'status'}>
    <p>{text}</p>
    {secret !== undefined && <code class="secret">{secret}</code>}
    {about && (
      <ul>
        {about.map(({ href, name, text: said }) => (
          <li>
            <a href={href} dir="auto">
              {name}
            </a>
            : {said}
          </li>
        ))}
      </ul>
    )}
  </div>
)

/** Renders the frame of every page. */
export const Page = ({ service, legal, title, menu, notice, actions, script, children }: PageProps) => {
  const content = (
    <>
      {actions ? (
        <div class="top">
          <h1>{title}</h1>
          {actions}
        </div>
      ) : (
        <h1>{title}</h1>
      )}
      {notice && <NoticeBox notice={notice} />}
      {children}
      <p class="row hint">
        <LegalLinks legal={legal} />
      </p>
    </>
  )
  return (
    <html
      lang="en"
      data-theme={menu && menu.theme !== 'system' ? menu.theme : undefined}
      data-keys={menu && !menu.hasKeys ? 'off' : undefined}
    >
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>{`${title} – ${service}`}</title>
        <meta name="description" content={`${title}: ${service}, publishing and SEO for agents.`} />
        <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
        <link rel="stylesheet" href={STYLES} />
        {script !== undefined && <script type="module" src={script} />}
        {menu && <script type="module" src={KEYS_JS} />}
      </head>
      <body>
        <a class="skip" href="#content">
          Skip to the content
        </a>
        {menu ? (
          <Shell menu={menu}>{content}</Shell>
        ) : (
          <>
            <header>
              <strong>
                <a href="/">{service}</a>
              </strong>
            </header>
            <main class="narrow" id="content" tabindex={-1}>
              {content}
            </main>
          </>
        )}
      </body>
    </html>
  )
}

import type { Hono } from 'hono'
import type { EngineHostState } from '../../../schema/values/engines.ts'
import { has } from '../../accounts/people/roles.ts'
import { updateProject } from '../../accounts/projects/update.ts'
import { showEngines } from '../../publishing/engines/show.ts'
import { verifyKey } from '../../publishing/engines/verify.ts'
import { ctxOf } from '../ctx.ts'
import { formOf, type PagesContext, type PagesEnv, show, signedIn } from '../front.tsx'
import { sitePath } from '../menu.ts'
import { ActionButton, Empty, For, Moment } from '../parts.tsx'
import { act, type SiteFront, siteIdIn, withSite } from './front.ts'
import { Card, type Mark, MarkPill } from './parts.tsx'

type Engines = Awaited<ReturnType<typeof showEngines>>
type Host = Engines['hosts'][number]

const PATH = 'search-engines'

const MARKS: Record<EngineHostState, Mark> = {
  verified: ['good', '●', 'Found'],
  not_placed: ['warn', '○', 'Not there'],
  refused: ['bad', '▲', 'Refused'],
}

const HostRow = ({ host }: { host: Host }) => (
  <li>
    <MarkPill mark={MARKS[host.state]} />
    <div>
      <span class="name">{host.key_url}</span>
      <p>
        {host.looked_at ? (
          <>
            Last look <Moment at={new Date(host.looked_at)} />.
          </>
        ) : (
          'It was not looked for yet.'
        )}{' '}
        {host.problem}
      </p>
    </div>
  </li>
)

const KeyFile = ({ site, engines }: { site: number; engines: Engines }) => {
  const { hosts, key_file: file } = engines
  const isThere = hosts.every(({ state }) => state === 'verified')
  return (
    <Card title="Key file" note="it shows that the site is yours">
      <ul class="rows">
        {hosts.map((host) => (
          <HostRow host={host} />
        ))}
      </ul>
      {!isThere && (
        <div class="in">
          <p>
            With the WordPress plugin (1.4.0 or later) the site serves the file by itself. Elsewhere, put a text file at
            the address above.
          </p>
          <dl>
            <div>
              <dt>Name of the file</dt>
              <dd>
                <code>{file.name}</code>
              </dd>
            </div>
            <div>
              <dt>Its content, and nothing else</dt>
              <dd>
                <code>{file.content}</code>
              </dd>
            </div>
          </dl>
        </div>
      )}
      <For right="manage">
        <div class="in row">
          <ActionButton action={sitePath(site, `${PATH}/verify`)} label="Look for the file now" name="" fields={{}} />
          {hosts.some(({ state }) => state === 'refused') && (
            <ActionButton
              action={sitePath(site, `${PATH}/verify`)}
              label="Make a new key"
              name=""
              fields={{ new_key: 'yes' }}
            />
          )}
        </div>
      </For>
    </Card>
  )
}

const answerText = (answer: number): string => {
  if (answer === 200) return 'taken'
  return answer === 202 ? 'taken, key not checked yet' : `refused (${answer})`
}

const Reports = ({ site, engines: { reports, waiting } }: { site: number; engines: Engines }) => (
  <Card title="Last reports" note={waiting > 0 ? `${waiting} wait` : undefined}>
    {reports.length === 0 ? (
      <Empty>Nothing was reported yet.</Empty>
    ) : (
      <ul class="rows">
        {reports.map(({ url, article_id: article, removed, at, answer }) => (
          <li>
            <div>
              {article === null ? (
                <span class="name">{url}</span>
              ) : (
                <a class="name" href={sitePath(site, `articles/${article}`)}>
                  {url}
                </a>
              )}
              <p>
                {removed ? 'Removed' : 'Changed'}, {answerText(answer)}: <Moment at={new Date(at)} />
              </p>
            </div>
          </li>
        ))}
      </ul>
    )}
  </Card>
)

const page = async (c: PagesContext, front: SiteFront) => {
  const [site, engines] = await withSite(c, showEngines(ctxOf(c, front), siteIdIn(c)))
  const isOn = engines.tell_search_engines
  return await show(c, front, {
    title: 'Reports to search engines',
    menu: true,
    page: 'search',
    site: site.id,
    body: (
      <div class="cards">
        <Card title={isOn ? 'Changes are reported' : 'Changes are not reported'}>
          <div class="in">
            <p>
              Bing, Yandex, Naver, Seznam and others can be told at once which pages were published, changed or taken
              down (IndexNow). A page is reported after the live page was seen. That they were told does not mean that
              they list it. Google does not take part: it finds changes by the sitemap.
            </p>
            {has(c.get('person').role, 'manage') && (
              <form method="post" action={sitePath(site.id, PATH)}>
                <input type="hidden" name="on" value={isOn ? 'no' : 'yes'} />
                <button class={isOn ? 'plain' : undefined} type="submit">
                  {isOn ? 'Stop reporting' : 'Report changes'}
                </button>
              </form>
            )}
          </div>
        </Card>
        <KeyFile site={site.id} engines={engines} />
        <Reports site={site.id} engines={engines} />
      </div>
    ),
  })
}

/** Adds the page of what search engines are told about a site. */
export const searchEnginesPages = (app: Hono<PagesEnv>, front: SiteFront): void => {
  app.get(`/p/:site/${PATH}`, signedIn(front), (c) => page(c, front))
  app.post(`/p/:site/${PATH}`, signedIn(front), async (c) => {
    const [{ id }, { on }] = await withSite(c, formOf(c))
    return await act(c, front, sitePath(id, PATH), async () => {
      await updateProject(ctxOf(c, front), id, { tell_search_engines: on === 'yes' })
      if (on !== 'yes') return 'Saved. Nothing is reported any more.'
      return (await verifyKey(ctxOf(c, front), front.targets, id, {})).message
    })
  })
  app.post(`/p/:site/${PATH}/verify`, signedIn(front), async (c) => {
    const [{ id }, { new_key: isNew }] = await withSite(c, formOf(c))
    return await act(c, front, sitePath(id, PATH), async () => {
      const { message } = await verifyKey(ctxOf(c, front), front.targets, id, { new_key: isNew === 'yes' })
      return message
    })
  })
}

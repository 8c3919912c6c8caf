import { BadName, camel, checkFree, type Files, importing, pascal, textOf, within } from './edit.ts'

/** Returns the files of a new page of a site, such as `notes` for `/p/:site/notes`. */
export const newPage = (name: string): Files => {
  if (!/^[a-z][a-z-]*$/.test(name)) throw new BadName(`${name} is not a name: one word in lower case, such as notes.`)
  const file = checkFree(`src/pages/site/${name}.tsx`)
  const test = checkFree(`test/accounts/people/${name}.test.ts`)
  const pages = `${camel(name)}Pages`
  const title = pascal(name)
  const list = 'functions/pages/sites.tsx'
  const menu = 'src/pages/menu.ts'
  const icons = 'src/pages/icons.tsx'
  const roles = 'test/accounts/people/role-table.ts'
  const gallery = 'test/pages/gallery.ts'
  const help = checkFree(`docs/owners/${name}.md`)
  const documents = 'src/pages/docs/menu.ts'
  const contents = 'docs/README.md'
  const key = /^\w+$/.test(name) ? name : `'${name}'`
  return {
    [file]: `import type { Hono } from 'hono'
import { type PagesContext, type PagesEnv, show, signedIn } from '../front.tsx'
import { Empty } from '../parts.tsx'
import { type SiteFront, siteIn } from './front.ts'
import { Card } from './parts.tsx'

const page = async (c: PagesContext, front: SiteFront) => {
  const site = await siteIn(c)
  return await show(c, front, {
    title: '${title}',
    menu: true,
    page: '${name}',
    site: site.id,
    body: (
      <Card title="${title}">
        <Empty>Nothing to show yet.</Empty>
      </Card>
    ),
  })
}

/** Registers the page. */
export const ${pages} = (app: Hono<PagesEnv>, front: SiteFront): void => {
  app.get('/p/:site/${name}', signedIn(front), (c) => page(c, front))
}
`,
    [list]: importing(
      within(textOf(list), '  backlinksPages(app, front)', '\n', `\n  ${pages}(app, front)`),
      list,
      file,
      [pages],
    ),
    [menu]: within(
      within(textOf(menu), "page('deliveries'", '\n', `\n      page('${name}', '${title}'),`),
      '  backlinks: ',
      '\n',
      `\n  ${key}: '${name}',`,
    ),
    [help]: `# ${title}\n\nWhat you see here, and what to do.\n`,
    [documents]: within(
      textOf(documents),
      "entry('owners/backlinks'",
      '\n',
      `\n          entry('owners/${name}', '${title}'),`,
    ),
    [contents]: within(textOf(contents), '(owners/backlinks.md)', ',', `, [${name}](owners/${name}.md)`),
    [icons]: within(textOf(icons), 'const PATHS_OF = {', '\n', `\n  ${key}: 'M3 3h10v10H3zM6 6h4M6 9h4',`),
    [roles]: within(textOf(roles), "'GET /p/:site/backlinks'", '\n', `\n  'GET /p/:site/${name}': 'omec',`),
    [gallery]: within(textOf(gallery), "['backlinks', '/backlinks']", '\n', `\n      ['${name}', '/${name}'],`),
    [test]: `import { expect, inject, it } from 'vitest'
import { newOwner } from './browser.ts'
import { newProject } from '../../support/client.ts'

const stack = inject('stack')

it('the page ${name} is shown to its owner, and to nobody else', async () => {
  const { api, person } = await newOwner(stack)
  const site = await newProject(api)
  const page = await person.get(\`/p/\${site}/${name}\`)
  expect(page.status, page.text).toBe(200)
  expect(page.text).toContain('<h1>${title}</h1>')
  const other = await newOwner(stack)
  expect([403, 404]).toContain((await other.person.get(\`/p/\${site}/${name}\`)).status)
})
`,
  }
}

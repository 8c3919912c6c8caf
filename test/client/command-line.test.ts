import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ROOT } from '../../local/root.ts'
import { COMMON, commandOf, parseCommand } from '../../packages/cli/src/arguments.ts'
import { COMMANDS } from '../../packages/cli/src/commands.ts'
import { OWN_COMMANDS } from '../../packages/cli/src/help.ts'
import { isUnlike, ownTitle, withId } from '../../packages/cli/src/identity.ts'
import { pathNames } from '../../packages/cli/src/operation.ts'
import { localImages, readFrontMatter, withAddresses } from '../../packages/cli/src/publish.ts'
import { commandFor, exitCodeOf, refusalText } from '../../packages/cli/src/refusal.ts'
import { GalleyError, type NextCall } from '../../packages/client/src/error.ts'
import { OPERATIONS } from '../../src/operations.ts'

const parse = (line: string[]) => {
  const found = commandOf(COMMANDS, line)
  const command = COMMANDS[found?.id ?? '']
  if (!found || !command) throw new Error(`no command ${line.join(' ')}`)
  return { id: found.id, ...parseCommand(found.id, command, found.rest) }
}

const SAMPLE = { s: 'a text', n: '7', b: 'true', l: 'a,b', j: '{"a":1}' } as const
const READ = { s: 'a text', n: 7, b: true, l: ['a', 'b'], j: { a: 1 } } as const

describe('the command line', () => {
  it.each(OPERATIONS.map(({ id }) => id))('reads every field of %s, by dots or spaces', (id) => {
    const { path, query = {}, body = {} } = COMMANDS[id] ?? { path: '' }
    const names = pathNames(path)
    expect(Object.keys({ ...query, ...body }).filter((name) => name in COMMON)).toEqual([])
    const given = Object.entries({ ...body, ...query }).flatMap(([name, kind]) => [
      `--${name.replaceAll('_', '-')}`,
      SAMPLE[kind],
    ])
    const read = (fields: typeof query) =>
      Object.fromEntries(Object.entries(fields).map(([name, kind]) => [name, READ[kind]]))
    for (const words of [[id], id.split('.')]) {
      const { id: found, call } = parse([...words, ...names.map(() => '3'), ...given])
      expect(found).toBe(id)
      expect(call.path).toEqual(Object.fromEntries(names.map((name) => [name, '3'])))
      expect([call.query, call.body ?? {}]).toEqual([read(query), read(body)])
    }
  })

  it.each([
    [['--no-sync'], { sync: false }],
    [['--sync'], { sync: true }],
    [['--sync', 'false'], { sync: false }],
    [['--data', '{"sync": true}'], { sync: true }],
  ])('takes %j', (options, body) => {
    expect(parse(['articles', 'restore', '43', '1', ...options]).call).toMatchObject({
      path: { id: '43', revision: '1' },
      body,
    })
  })

  it.each([
    [['articles.list', '--limit', 'ten'], '--limit must be a number'],
    [['articles.list', '--nope', '1'], "Unknown option '--nope'. This command takes --limit"],
    [['account.get', '--nope', '1'], "Unknown option '--nope'. This command takes --include"],
    [['articles.publish'], 'galley articles.publish <id> takes id'],
    [['articles.list', '7'], 'takes options alone (--name value). Given before them: 7.'],
    [['articles.create', '--content', '@/no/such/file'], '/no/such/file cannot be read'],
    [['articles.create', '--data', '{'], '--data is not JSON'],
  ])('refuses %j', (line, message) => expect(() => parse(line)).toThrow(message))

  it.each([
    ['POST', '/articles/43/revisions/1/restore', { sync: true }, 'galley articles.restore 43 1 --sync true'],
    ['GET', '/articles?project_id=7&status=Draft', undefined, 'galley articles.list --project_id 7 --status Draft'],
    ['PUT', '/projects/7', { business_name: "Jo's" }, "galley projects.update 7 --business_name 'Jo'\\''s'"],
    ['GET', '/elsewhere', undefined, undefined],
  ])('writes %s %s as a command', (method, path, body, command) => {
    expect(commandFor(COMMANDS, { method, path, why: '', ...(body ? { body } : {}) } as NextCall)).toBe(command)
  })

  const refused = (status: number, fields: Record<string, unknown> = {}) =>
    new GalleyError(status, { error: 'No.', code: 'invalid_input', retryable: false, request_id: 'r-1', ...fields })

  it('shows a refusal whole', () => {
    const details = [{ field: 'tone', message: 'is not one of them', allowed: ['Informative', 'Bold'] }]
    const next_calls = [{ method: 'GET', path: '/projects', why: 'lists your projects' }]
    const text = refusalText(COMMANDS, refused(400, { details, next_calls, docs_url: 'https://docs' }))
    expect(text).toBe(
      'Refused: No. (invalid_input, 400)\n  tone: is not one of them (allowed: ["Informative","Bold"])\nNext:\n' +
        '  galley projects.list  # lists your projects\nhttps://docs\nRequest r-1\n',
    )
  })

  it.each([
    [400, 2],
    [401, 3],
    [404, 4],
    [409, 5],
    [402, 6],
    [429, 7],
    [502, 8],
    [500, 1],
  ])('ends a %i with %i', (status, code) => {
    expect(exitCodeOf(refused(status))).toBe(code)
  })

  it.each([
    ['A shed of oak needs a dry floor.', 'A shed of oak needs a dry floor and a roof.', false],
    ['<p>A shed of <em>oak</em> needs&nbsp;a dry floor.</p>', 'A shed of *oak* needs a dry floor.', false],
    ['A shed of oak needs a dry floor.', 'Bees sleep in winter, close to the honey.', true],
    ['', 'Bees sleep in winter.', false],
    ['木造の小屋は床が乾いていること。', '木造の小屋は床が乾いていること。屋根も。', false],
  ])('takes %j and %j for unlike texts: %s', (stored, sent, is) => expect(isUnlike(stored, sent)).toBe(is))

  it.each([
    ['# A Shed\n\nText', 'A Shed', 'A Shed', '\nText'],
    ['# A *Shed* #\nText', 'a shed', 'a shed', 'Text'],
    ['A Shed\n======\nText', 'A Shed', 'A Shed', 'Text'],
    ['# A Shed\nText', undefined, 'A Shed', 'Text'],
    ['# Another\nText', 'A Shed', 'A Shed', '# Another\nText'],
    ['Text\n\n# A Shed', 'A Shed', 'A Shed', 'Text\n\n# A Shed'],
    ['## A Shed\nText', undefined, undefined, '## A Shed\nText'],
  ])('of %j with the title %j shows the title %j, then %j', (text, title, shown, rest) =>
    expect(ownTitle(text, title)).toEqual({ title: shown, text: rest }),
  )

  it('writes the id of a file into its front matter', () => {
    expect(withId('---\ntitle: A\n---\nText\n', '---\ntitle: A\n---\n', 'posts/a.md')).toBe(
      '---\ntitle: A\ngalley_id: posts/a.md\n---\nText\n',
    )
    expect(withId('Text\r\n', '', 'a b')).toBe('---\r\ngalley_id: "a b"\r\n---\r\nText\r\n')
  })

  it('reads front matter', () => {
    const text =
      '---\ntitle: "A: \\"B\\""\nmeta-description: It\'s dry # a note\ntags:\n  - one\n  - \'two, too\'\nlist: [a, "b, c"]\n---\n# Text\n---\n'
    expect(readFrontMatter(text)).toMatchObject({
      fields: { title: 'A: "B"', meta_description: "It's dry", tags: ['one', 'two, too'], list: ['a', 'b, c'] },
      content: '# Text\n---\n',
    })
    expect(readFrontMatter('no front matter')).toEqual({ fields: {}, content: 'no front matter', head: '' })
    expect(() => readFrontMatter('---\ntitle: A\n  deep: {a: 1}\n---\n')).toThrow('Line 3')
  })

  it.each([
    ['![A](jar.png)', ['jar.png'], '![A](NEW)'],
    ['![A]( ./a(1).png "A jar")', ['./a(1).png'], '![A]( NEW "A jar")'],
    ['![A](<my jar.png>)', ['my jar.png'], '![A](NEW)'],
    ['<img alt="A" src="my jar.png">', ['my jar.png'], '<img alt="A" src="NEW">'],
    ['![A](https://a.example/jar.png)', [], '![A](https://a.example/jar.png)'],
    ['`![A](jar.png)`', [], '`![A](jar.png)`'],
    ['```md\n![A](jar.png)\n```\n![B](b.png)', ['b.png'], '```md\n![A](jar.png)\n```\n![B](NEW)'],
    ['~~~\n![A](jar.png)', [], '~~~\n![A](jar.png)'],
  ])('finds the images of %j that are files', (text, paths, replaced) => {
    expect(localImages(text)).toEqual(paths)
    expect(withAddresses(text, new Map(paths.map((path) => [path, 'NEW'])))).toBe(replaced)
  })

  const galley = (...args: string[]) => {
    const program = join(ROOT, 'docs/downloads/galley.mjs')
    const env = { PATH: process.env.PATH, XDG_CONFIG_HOME: '/no/such/folder' }
    const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...args], { env, encoding: 'utf8' })
    return { code: status, out: stdout, err: stderr }
  }

  it.each([
    [['articles', 'publsh', '3'], 2, 'There is no command articles publsh. Commands of articles:\n  articles.list'],
    [['internal-links', '--help'], 2, 'There is no command internal-links. galley --help lists all commands.'],
    [['login', '--service', 'localhost:8787', '--key', 'k'], 2, 'localhost:8787 is not the address of a service'],
    [['publish', 'gone.md', '--service', 'http://a', '--key', 'k'], 2, 'gone.md cannot be read: ENOENT: no such file'],
  ])('ends %j with %i and a reason', (args, code, reason) => {
    expect(galley(...args)).toMatchObject({ code, out: '', err: expect.stringContaining(reason) })
  })

  it.each([
    [['--version'], /^\d+\.\d+\.\d+\n$/],
    [['articles', '--help'], /^ {2}articles\.list .*\n(?: {2}articles\.\w+ .*\n)+$/],
    [['publish', '--help'], /^galley publish FILE\.md saves .*\n\nOptions:\n {2}--project-id NUMBER/],
    [['articles', 'publish', '--help'], /Usage: galley articles\.publish <id>/],
  ])('shows only the help of %j', (args, help) => {
    expect(galley(...args)).toMatchObject({ code: 0, out: expect.stringMatching(help), err: '' })
  })

  it('has every command that the documents name', () => {
    const folders = ['skills/galley', 'skills/galley/references', 'docs']
    const pages = folders.flatMap((folder) => readdirSync(join(ROOT, folder)).map((name) => join(ROOT, folder, name)))
    const named = pages
      .filter((page) => page.endsWith('.md'))
      .flatMap((page) => [...readFileSync(page, 'utf8').matchAll(/(?:^|`)(?:\.\/)?galley ([a-z][^`\n]*)/gm)])
      .map(([, line = '']) => line.split(/\s+/))
    expect(named.length).toBeGreaterThan(40)
    const isKnown = ([word = '', next]: string[]): boolean =>
      word in OWN_COMMANDS || (next === '--help' && Object.keys(COMMANDS).some((id) => id.startsWith(`${word}.`)))
    expect(named.filter((line) => !isKnown(line) && !commandOf(COMMANDS, line))).toEqual([])
  })
})

import { afterEach, beforeEach } from 'vitest'
import { type GithubOptions, type GithubStandIn, startGithub } from '../../../../local/cms/github.ts'
import { gitConnection } from '../../../../src/providers/cms/git/connect.ts'
import { splitFile, valuesOf } from '../../../../src/providers/cms/git/front-matter.ts'
import { gitCms } from '../../../../src/providers/cms/git/index.ts'
import type { Cms } from '../../../../src/publishing/target/cms-adapter.ts'
import { type Clock, clockAt, meansAt, probing, type Shown } from '../../drive.ts'
import { ASTRO } from './sites.ts'

/** Returns the adapter of a repository with given fields of the form, as it is before its settings are saved. */
const cmsOf = (github: GithubStandIn, clock: Clock, fields: Record<string, unknown> = {}, isProbe = false): Cms => {
  const given = { repository: github.name, token: github.token, api_url: github.url, ...fields }
  const opened = gitConnection.connection(given)
  const deps = meansAt(clock)
  return gitCms({ id: 1, platform: 'git', url: opened.url, secrets: opened.secrets }, isProbe ? probing(deps) : deps)
}

/** Returns the front matter of a post. */
export const matterOf = (text = ''): Record<string, unknown> => {
  const file = splitFile(text)
  const read = 'problem' in file ? file : valuesOf(file.yaml)
  if ('problem' in read) throw new Error(read.problem)
  return read.values
}

/** Starts a stand-in of GitHub with a blog before each test. `restart` starts it anew with other options. */
export const eachOnItsGithub = () => {
  const clock = clockAt('2026-11-29T10:00:00Z')
  let github: GithubStandIn
  let found: Record<string, unknown> = {}
  const restart = async ({ trouble, ...options }: Partial<GithubOptions> = {}): Promise<void> => {
    await github?.close()
    let isConnected = false
    const later: GithubOptions['trouble'] = (request) => (isConnected ? trouble?.(request) : undefined)
    github = await startGithub({ files: ASTRO, now: clock.now, trouble: later, ...options })
    const probed = await cmsOf(github, clock, {}, true).probe()
    const { keys = '{}', ...rest } = probed.kind === 'done' ? (probed.value.found ?? {}) : {}
    found = { ...rest, keys: JSON.parse(keys) }
    isConnected = true
  }
  beforeEach(() => restart())
  afterEach(() => github.close())
  const shown = (): Shown[] =>
    github.repository
      .entries(github.repository.head('main') ?? '')
      .filter(({ path }) => /^src\/content\/blog\/(?!first-post|second-post)/.test(path))
      .map(({ path, oid }) => {
        const content = github.repository.text(oid)
        const { title, draft } = matterOf(content)
        const slug = path.replace(/^.*\/|\.md$/g, '')
        const body = content.replace(/^---[\s\S]*?\n---\n/, '')
        return { remoteId: path, slug, title: String(title), content: body, isLive: draft !== true }
      })
  return {
    clock,
    restart,
    shown,
    github: () => github,
    /** Returns the connected adapter, with other fields if some are given. */
    cms: (fields: Record<string, unknown> = {}) => cmsOf(github, clock, { ...found, ...fields }),
    /** Returns the adapter with nothing but these fields besides repository and token. */
    fresh: (fields: Record<string, unknown> = {}) => cmsOf(github, clock, fields, true),
    text: (path: string) => github.repository.read(path) ?? '',
  }
}

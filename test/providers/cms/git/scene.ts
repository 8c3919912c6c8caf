import { afterEach, beforeEach } from 'vitest'
import type { ForgeStandIn } from '../../../../local/cms/forge.ts'
import { startGitea } from '../../../../local/cms/gitea.ts'
import { type GithubOptions, type GithubStandIn, startGithub } from '../../../../local/cms/github.ts'
import { startGitlab } from '../../../../local/cms/gitlab.ts'
import { gitConnection } from '../../../../src/providers/cms/git/connect.ts'
import { splitFile, valuesOf } from '../../../../src/providers/cms/git/front-matter.ts'
import { gitCms } from '../../../../src/providers/cms/git/index.ts'
import type { Cms } from '../../../../src/publishing/target/cms-adapter.ts'
import { type Clock, clockAt, meansAt, probing, type Shown } from '../../drive.ts'
import { ASTRO } from './sites.ts'

type StandIns = { github: GithubStandIn; gitea: ForgeStandIn; gitlab: ForgeStandIn }
type Host = keyof StandIns
const STARTS: { [Name in Host]: (given: GithubOptions) => Promise<StandIns[Name]> } = {
  github: startGithub,
  gitea: startGitea,
  gitlab: startGitlab,
}

/** Returns the fields of the form that connect a stand-in. */
const placeAt = (host: Host, { name, token, url }: { name: string; token: string; url: string }) => ({
  repository: name,
  token,
  ...(host === 'github' ? { api_url: url } : { host, host_url: url }),
})

/** Returns the adapter of a repository with given fields of the form, as it is before its settings are saved. */
const cmsOf = (given: Record<string, unknown>, clock: Clock, isProbe = false): Cms => {
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

/** Starts a stand-in of GitHub with a blog before each test. */
export const eachOnItsGithub = () => {
  const { standIn, ...scene } = eachOnItsHost('github')
  return { ...scene, github: standIn }
}

/** Starts a stand-in of a host with a blog before each test. `restart` starts it anew with other options. */
export const eachOnItsHost = <Name extends Host>(host: Name) => {
  const clock = clockAt('2026-11-29T10:00:00Z')
  let standIn: StandIns[Name]
  let found: Record<string, unknown> = {}
  const restart = async ({ trouble, ...options }: Partial<GithubOptions> = {}): Promise<void> => {
    await standIn?.close()
    let isConnected = false
    const later: GithubOptions['trouble'] = (request) => (isConnected ? trouble?.(request) : undefined)
    standIn = await STARTS[host]({ files: ASTRO, now: clock.now, trouble: later, ...options })
    const probed = await cmsOf(placeAt(host, standIn), clock, true).probe()
    const { keys = '{}', ...rest } = probed.kind === 'done' ? (probed.value.found ?? {}) : {}
    found = { ...rest, keys: JSON.parse(keys) }
    isConnected = true
  }
  beforeEach(() => restart())
  afterEach(() => standIn.close())
  const shown = (): Shown[] =>
    standIn.repository
      .entries(standIn.repository.head('main') ?? '')
      .filter(({ path }) => /^src\/content\/blog\/(?!first-post|second-post)/.test(path))
      .map(({ path, oid }) => {
        const content = standIn.repository.text(oid)
        const { title, draft } = matterOf(content)
        const slug = path.replace(/^.*\/|\.md$/g, '')
        const body = content.replace(/^---[\s\S]*?\n---\n/, '')
        return { remoteId: path, slug, title: String(title), content: body, isLive: draft !== true }
      })
  return {
    clock,
    restart,
    shown,
    standIn: () => standIn,
    /** Returns the connected adapter, with other fields if some are given. */
    cms: (fields: Record<string, unknown> = {}) => cmsOf({ ...placeAt(host, standIn), ...found, ...fields }, clock),
    /** Returns the adapter with nothing but these fields besides repository and token. */
    fresh: (fields: Record<string, unknown> = {}) => cmsOf({ ...placeAt(host, standIn), ...fields }, clock, true),
    text: (path: string) => standIn.repository.read(path) ?? '',
  }
}

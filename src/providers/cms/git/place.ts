/** Software of a host. Forgejo has the API of Gitea. */
export const HOSTS = ['github', 'gitlab', 'gitea', 'forgejo'] as const
type HostName = (typeof HOSTS)[number]

/** Hosts that are open to everybody. */
const KNOWN: Readonly<Record<string, HostName>> = {
  'github.com': 'github',
  'gitlab.com': 'gitlab',
  'gitea.com': 'gitea',
  'codeberg.org': 'forgejo',
}
const OWN: Readonly<Record<HostName, string>> = {
  github: '',
  gitlab: 'https://gitlab.com',
  gitea: 'https://gitea.com',
  forgejo: 'https://codeberg.org',
}
const NAMES: Readonly<Record<HostName, RegExp>> = {
  github: /^[\w-]{1,39}\/[\w.-]{1,100}$/,
  gitea: /^[\w.-]{1,100}\/[\w.-]{1,100}$/,
  forgejo: /^[\w.-]{1,100}\/[\w.-]{1,100}$/,
  gitlab: /^[\w.-]{1,255}(?:\/[\w.-]{1,255}){1,20}$/,
}

/** Repository at a host. `address` is that of the host; empty for GitHub. */
type Place = { host: HostName; address: string; repository: string }

type Given = { repository: string; host?: HostName | undefined; host_url?: string | undefined }

/** Returns the repository that a form names: by `owner/name` or by its address. Or the field that is wrong, and why. */
export const placeOf = ({ repository, host, host_url }: Given): Place | { field: keyof Given; problem: string } => {
  const inAddress = /^(?:(https?:\/\/[^/]+)\/|(?:ssh:\/\/)?git@([^/:]+)[/:])(.*)$/i.exec(repository)
  const origin = inAddress?.[1] ?? (inAddress?.[2] === undefined ? undefined : `https://${inAddress[2]}`)
  const base = host_url ?? origin?.replace('://www.', '://').toLowerCase()
  const known = base === undefined ? undefined : KNOWN[base.replace(/^https?:\/\//, '')]
  const found = host ?? known ?? (base === undefined ? 'github' : undefined)
  if (found === undefined)
    return { field: 'host', problem: 'must say which software the host runs: gitlab, gitea or forgejo' }
  if (found === 'github' && base !== undefined && known !== 'github')
    return {
      field: 'host',
      problem: 'is github, but the address is not that of github.com. GitHub Enterprise Server is not supported',
    }
  const folder = base === undefined ? '' : base.replace(/^https?:\/\/[^/]+\/?/, '')
  const given = (inAddress?.[3] ?? repository).replace(/(?:\.git)?\/?$/, '')
  const name = folder !== '' && given.startsWith(`${folder}/`) ? given.slice(folder.length + 1) : given
  if (!NAMES[found].test(name) || /(?:^|\/)\.{1,2}(?:\/|$)/.test(name))
    return { field: 'repository', problem: 'must be a repository, such as jane/blog or https://github.com/jane/blog' }
  return { host: found, address: found === 'github' ? '' : (base ?? OWN[found]), repository: name }
}

/** Returns the address of a repository in the API of its host. */
export const apiAddress = ({ host, address, repository }: Place, api?: string): string => {
  if (host === 'github') return `${api ?? 'https://api.github.com'}/repos/${repository}`
  const base = api ?? address
  return host === 'gitlab'
    ? `${base}/api/v4/projects/${encodeURIComponent(repository)}`
    : `${base}/api/v1/repos/${repository}`
}

/** Returns the address of the API in the address of a repository. */
export const apiIn = (url: string): string => url.replace(/\/(?:repos\/[^/]+\/[^/]+|projects\/[^/]+)$/, '')

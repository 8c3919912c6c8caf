import { spawnSync } from 'node:child_process'
import { relative, resolve } from 'node:path'
import { ROOT } from '../../local/root.ts'
import { DeployFault } from './fault.ts'

const git = (args: string[], cwd: string): { status: number | null; out: string } => {
  const { status, stdout } = spawnSync('git', args, { cwd, encoding: 'utf8' })
  return { status, out: (stdout ?? '').trim() }
}

const SECRETS = ['secrets*.json', '.dev.vars*', '.env*']

/**
 * Throws if git tracks a file of secrets below `root`, or would add the named file with the next `git add .`.
 *
 * Outside a repository, it does nothing.
 */
export const refuseTrackedSecrets = (file: string, root = ROOT): void => {
  const patterns = SECRETS.flatMap((pattern) => [pattern, `**/${pattern}`]).map((pattern) => `:(glob)${pattern}`)
  const isInside = !relative(root, resolve(root, file)).startsWith('..')
  const tracked = git(['ls-files', '--', ...patterns, ...(isInside ? [file] : [])], root)
  if (tracked.status === 0 && tracked.out !== '')
    throw new DeployFault(
      `git tracks files of secrets: ${tracked.out.split('\n').join(', ')}.`,
      'Take them out with git rm --cached FILE, and change every secret in them: anyone who has the repository has them.',
    )
  if (isInside && git(['check-ignore', '-q', '--', file], root).status === 1)
    throw new DeployFault(
      `git does not ignore ${file}: the next git add . would publish your secrets.`,
      'Name it .env.<anything> or secrets.<anything>.json, or keep it outside the repository.',
    )
}

/** Returns the short id of the deployed commit, with a plus sign if files have changed since. */
export const commitOf = (root = ROOT): string => {
  const head = git(['rev-parse', '--short=10', 'HEAD'], root)
  if (head.status !== 0) return 'no commit'
  return git(['status', '--porcelain'], root).out === '' ? head.out : `${head.out}+`
}

import { describe, expect, it } from 'vitest'
import { cmsTarget } from '../../src/providers/cms/posts.ts'
import { eachOnItsHost } from '../providers/cms/git/scene.ts'
import { oneFault, PROOF_TIMEOUT_MS, proveFaults, proveRepeats, seeded, troubleFrom } from '../providers/drive.ts'

describe.each(['github', 'gitea', 'gitlab'] as const)('a repository at %s', (host) => {
  const { clock, restart, cms, standIn, shown } = eachOnItsHost(host)
  const git = (...args: string[]) => standIn().repository.git(args)

  it('ends a repeated call as one undisturbed call, wherever the first one failed', {
    timeout: PROOF_TIMEOUT_MS,
  }, async () => {
    const fault = oneFault()
    await restart({ trouble: fault.trouble })
    await proveRepeats(cmsTarget(cms(), 'Galley'), clock, fault, shown)
    expect(git('fsck', '--strict', '--full')).toBe('')
  })

  it('loses nothing and creates nothing twice, whatever fails', { timeout: PROOF_TIMEOUT_MS }, async () => {
    await restart({ trouble: troubleFrom(seeded(7)) })
    await proveFaults(cmsTarget(cms(), 'Galley'), clock, shown, (slug) => `https://shed.example/blog/${slug}/`)
    expect(git('fsck', '--strict', '--full')).toBe('')
    const commits = git('log', '--format=%s', 'main').split('\n')
    // Every second article begins as a draft, and every article is changed once.
    expect(commits.filter((subject) => subject.startsWith('Publish '))).toHaveLength(shown().length)
  })
})

import { describe, expect, it } from 'vitest'
import { cmsTarget } from '../../src/providers/cms/posts.ts'
import { eachOnItsHost } from '../providers/cms/git/scene.ts'
import { PROOF_TIMEOUT_MS, proveFaults, seeded, troubleFrom } from '../providers/drive.ts'

describe.each(['gitea', 'gitlab'] as const)('a repository at %s', (host) => {
  const { clock, restart, cms, standIn, shown } = eachOnItsHost(host)

  it('loses nothing and creates nothing twice, whatever fails', { timeout: PROOF_TIMEOUT_MS }, async () => {
    await restart({ trouble: troubleFrom(seeded(7)) })
    await proveFaults(cmsTarget(cms(), 'Galley'), clock, shown, (slug) => `https://shed.example/blog/${slug}/`)
    expect(standIn().repository.git(['fsck', '--strict', '--full'])).toBe('')
    const commits = standIn().repository.git(['log', '--format=%s', 'main']).split('\n')
    expect(commits.filter((subject) => subject.startsWith('Publish '))).toHaveLength(shown().length)
  })
})

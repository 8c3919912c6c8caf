import { expect, it } from 'vitest'
import { cmsTarget } from '../../src/providers/cms/posts.ts'
import type { PublishRequest, PublishTarget } from '../../src/publishing/target/publish-target.ts'
import { eachOnItsGithub } from '../providers/cms/git/scene.ts'
import { oneFault, PROOF_TIMEOUT_MS, proveRepeats } from '../providers/drive.ts'

const { clock, restart, cms, github, shown } = eachOnItsGithub()

const target = () => cmsTarget(cms({ mode: 'pull_request' }), 'Galley')
const pulls = () => github().pulls.all

/** A target whose people merge every pull request at once. */
const merging = (): PublishTarget => {
  const proposing = target()
  const mergeAll = () => {
    for (const pull of pulls()) if (pull.state === 'OPEN') github().pulls.merge(pull.number, 'squash')
  }
  return {
    ...proposing,
    deliver: async (request: PublishRequest) => {
      const outcome = await proposing.deliver(request)
      if (outcome.kind !== 'proposed') return outcome
      mergeAll()
      const { slug } = request.article
      return { kind: 'accepted', remoteId: `src/content/blog/${slug}.md` }
    },
    restore: async (request, version, keeping) => {
      const outcome = (await proposing.restore?.(request, version, keeping)) ?? { kind: 'unknown', reason: '' }
      if (outcome.kind !== 'proposed') return outcome
      mergeAll()
      return { kind: 'accepted', remoteId: request.article.external_id ?? '' }
    },
    unpublish: async (request: PublishRequest) => {
      const outcome = (await proposing.unpublish?.(request)) ?? { kind: 'gone' }
      if (outcome.kind !== 'proposed') return outcome
      mergeAll()
      return { kind: 'taken_down', remoteId: `src/content/blog/${request.article.slug}.md` }
    },
  }
}

it('ends a repeated call as one undisturbed call, wherever the first one failed', {
  timeout: PROOF_TIMEOUT_MS,
}, async () => {
  const fault = oneFault()
  await restart({ trouble: fault.trouble })
  await proveRepeats(merging(), clock, fault, shown)
  expect(github().repository.git(['fsck', '--strict', '--full', '--no-dangling'])).toBe('')
})

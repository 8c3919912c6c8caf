import type { Ctx } from '../../platform/runtime/ctx.ts'
import { unsentReason } from '../../platform/runtime/outbound.ts'
import { openTarget } from '../target/open.ts'
import type { TargetFactory } from '../target/publish-target.ts'
import type { EngineHost, EngineProject } from './queries.ts'
import { originOf, usualLocation } from './rules.ts'

const TIMEOUT_MS = 10_000
/** A key has at most 128 characters. More would be a page. */
const MAX_BYTES = 1_024

/** Reads the key file at an address. Returns null if it holds the key and nothing else, otherwise the reason. */
const problemAt = async ({ outbound }: Ctx, location: string, key: string): Promise<string | null> => {
  const answer = await outbound({
    url: location,
    method: 'GET',
    headers: { Accept: 'text/plain' },
    signs: true,
    timeoutMs: TIMEOUT_MS,
    maxBytes: MAX_BYTES,
  })
  if (answer.kind === 'forbidden') return 'The address of the key file is not a public one.'
  if (answer.kind === 'unsent') return unsentReason(answer)
  if (answer.kind === 'no_answer') return `The key file could not be fetched (${answer.reason}).`
  if (answer.status !== 200) return `The address of the key file answered with ${answer.status}.`
  return !answer.truncated && answer.body.trim() === key
    ? null
    : 'The address answers, but with something else than the key.'
}

/** Asks the connected target to serve the key. Returns the address of the file; undefined if it cannot, or refused. */
const placedBy = async (ctx: Ctx, targets: TargetFactory, { target, key }: EngineProject) => {
  const opened = target && (await openTarget(ctx, targets, target))
  const placed = await opened?.placeKey?.(key)
  return placed?.kind === 'done' ? placed.value.location : undefined
}

/**
 * Looks for the key file at an origin of a project. If it is not there, the connected target is asked to serve it, and it is looked
 * for again.
 */
export const lookForKey = async (
  ctx: Ctx,
  targets: TargetFactory,
  project: EngineProject,
  origin: string,
  known: EngineHost | undefined,
): Promise<EngineHost> => {
  let location = known?.location.endsWith(`/${project.key}.txt`) ? known.location : usualLocation(origin, project.key)
  let problem = await problemAt(ctx, location, project.key)
  if (problem !== null) {
    const placed = await placedBy(ctx, targets, project)
    if (placed !== undefined && originOf(placed) === origin) {
      location = placed
      problem = await problemAt(ctx, location, project.key)
    }
  }
  const now = ctx.now()
  return {
    projectId: project.id,
    origin,
    location,
    lookedAt: now,
    verifiedAt: problem === null ? now : null,
    problem,
    refusals: known?.refusals ?? 0,
    pausedUntil: known?.pausedUntil ?? null,
  }
}

import { unseal } from '../../platform/lib/crypto.ts'
import { ApiError } from '../../platform/lib/errors.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import { currentDryRun, guardOutsideCall } from '../../platform/runtime/dry-run.ts'
import type { PublishRequest, PublishTarget, TargetFactory } from './publish-target.ts'

/** Reason for calling off a delivery because the project has another target now. */
export const TARGET_REPLACED = 'Another CMS or webhook was connected to the project before this could be sent.'

/** Reason for not publishing an article of a project without a target. */
const NO_TARGET = 'No CMS or webhook is connected to the project.'

/** Reason for ending a delivery whose target was disconnected. */
export const TARGET_GONE = 'The CMS or webhook was disconnected before the article could be sent.'

/** Errors of articles that are published again once a target is connected. */
export const WANTS_TARGET = [NO_TARGET, TARGET_GONE] as const

/** Reason for giving up on an article if no refusal explains it. */
export const GAVE_UP = 'Sending failed many times for a reason on our side. Publish it again.'

/** Stored connection with sealed secrets. */
export type TargetRow = { id: number; platform: string; url: string; sealedSecrets: string }

const payloadOf = ({ event, article, only, addedLinks }: PublishRequest) => ({
  event,
  article,
  ...(only ? { only } : {}),
  ...(addedLinks ? { links_added: addedLinks } : {}),
})

/** Returns a target that reports what it would send, for dry runs. */
const reporting = (platform: string, target: PublishTarget): PublishTarget => {
  const report = (call: string, payload?: unknown) =>
    guardOutsideCall(() => ({ to: platform, call, ...(payload === undefined ? {} : { payload }) }))
  const { deliver, restore, unpublish } = target
  return {
    ...target,
    deliver: async (request, keeping) => {
      report('deliver', payloadOf(request))
      return await deliver(request, keeping)
    },
    ...(restore && {
      restore: async (remoteId, version, keeping) => {
        report('restore', { external_id: remoteId, version })
        return await restore(remoteId, version, keeping)
      },
    }),
    ...(unpublish && {
      unpublish: async (request) => {
        report('unpublish', payloadOf(request))
        return await unpublish(request)
      },
    }),
  }
}

/**
 * Returns the adapter of a stored connection; undefined if its platform has none. Secrets are opened in memory only.
 */
export const openTarget = async (
  ctx: Ctx,
  targets: TargetFactory,
  row: TargetRow,
): Promise<PublishTarget | undefined> => {
  const opened = await unseal(ctx.settings.secretsKeys, row.sealedSecrets, `integration:${row.id}`)
  const secrets = JSON.parse(opened) as Record<string, string>
  const target = targets({ id: row.id, platform: row.platform, url: row.url, secrets })
  return target && currentDryRun() ? reporting(row.platform, target) : target
}

/** Returns the error for a project without a target. */
export const noTarget = (ctx: Ctx, projectId: number): ApiError => {
  const connectUrl = `${ctx.settings.publicUrl}/settings/integrations?project_id=${projectId}`
  return new ApiError('no_cms_integration', NO_TARGET, {
    connect_url: connectUrl,
    next_calls: [
      {
        method: 'GET',
        path: `/integrations/catalog?project_id=${projectId}`,
        why: 'Lists what can be connected, each with the page where a person connects it.',
      },
    ],
    instructions_for_agent: `Connect a webhook with POST /projects/${projectId}/integrations, or ask the user to connect the CMS at ${connectUrl}. Then publish again.`,
  })
}

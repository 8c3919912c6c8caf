import { unseal } from '../../platform/lib/crypto.ts'
import { ApiError } from '../../platform/lib/errors.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import { beforeCallingOut, dryRunNow } from '../../platform/runtime/dry-run.ts'
import type { PublishRequest, PublishTarget, TargetFactory } from './publish-target.ts'
import { NO_TARGET } from './reasons.ts'

/** A stored connection, its secrets sealed. */
export type TargetRow = { id: number; platform: string; url: string; sealedSecrets: string }

const payloadOf = ({ event, article, only }: PublishRequest) => ({ event, article, ...(only ? { only } : {}) })

/** Returns a target that in a dry run reports what would be sent to it. */
const reporting = (platform: string, target: PublishTarget): PublishTarget => {
  const report = (call: string, payload?: unknown) =>
    beforeCallingOut(() => ({ to: platform, call, ...(payload === undefined ? {} : { payload }) }))
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

/** Returns the adapter of a stored connection, its secrets opened in memory only. Undefined when the platform has no adapter. */
export const openTarget = async (
  ctx: Ctx,
  targets: TargetFactory,
  row: TargetRow,
): Promise<PublishTarget | undefined> => {
  const opened = await unseal(ctx.settings.secretsKeys, row.sealedSecrets, `integration:${row.id}`)
  const secrets = JSON.parse(opened) as Record<string, string>
  const target = targets({ id: row.id, platform: row.platform, url: row.url, secrets })
  return target && dryRunNow() ? reporting(row.platform, target) : target
}

/** Returns the refusal to publish from a project that has no target. */
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

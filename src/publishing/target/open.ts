import { unseal } from '../../platform/lib/crypto.ts'
import { ApiError } from '../../platform/lib/errors.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import type { PublishTarget, TargetFactory } from './publish-target.ts'
import { NO_TARGET } from './reasons.ts'

/** A stored connection, its secrets sealed. */
export type TargetRow = { id: number; platform: string; url: string; sealedSecrets: string }

/** The adapter of a stored connection, its secrets opened in memory only. Undefined when the platform has no adapter. */
export const openTarget = async (
  ctx: Ctx,
  targets: TargetFactory,
  row: TargetRow,
): Promise<PublishTarget | undefined> => {
  const opened = await unseal(ctx.settings.secretsKeys, row.sealedSecrets, `integration:${row.id}`)
  const secrets = JSON.parse(opened) as Record<string, string>
  return targets({ id: row.id, platform: row.platform, url: row.url, secrets })
}

/** The refusal to publish from a project that has no target. */
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

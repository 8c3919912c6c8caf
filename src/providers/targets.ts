import type { TargetFactory } from '../publishing/port.ts'
import type { Deps } from '../runtime/ctx.ts'
import { webhookTarget } from './webhook/index.ts'

/** The adapter of each platform. A new one is a folder beside `webhook` and one line here. */
export const targetFactory =
  ({ outbound, settings, now }: Pick<Deps, 'outbound' | 'settings' | 'now'>): TargetFactory =>
  (connection) =>
    connection.platform === 'webhook'
      ? webhookTarget(connection, { outbound, serviceName: settings.serviceName, now })
      : undefined

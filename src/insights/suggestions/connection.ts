import type { Ctx } from '../../platform/runtime/ctx.ts'
import { wayToConnect } from '../search/link.ts'

/** True if the project has search data, under both names clients know; if it has none, what to do. */
export const connection = async (ctx: Ctx, connected: boolean, project: number, account: number) => {
  if (connected) return { sc_connected: true, gsc_connected: true }
  const { open } = await wayToConnect(ctx, { project, account })
  return {
    sc_connected: false,
    gsc_connected: false,
    instructions_for_agent: `The project has no search data. Ask the user to ${open} and connect Google Search Console; suggestions come with the first 28 days of data.`,
  }
}

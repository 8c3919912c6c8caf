import { ok, wrong } from '../../platform/jobs/provider-ask.ts'
import type { Checked } from '../../platform/jobs/provider-check.ts'
import { acquireBrowser } from './acquire.ts'

/** Opens a browser and ends it. */
export const checkBrowserRun = async (binding: { fetch: typeof fetch } | undefined): Promise<Checked> => {
  const cost = 'some seconds of browser time'
  if (!binding) return wrong('the Worker has no browser', 'Deploy again with the binding BROWSER.', cost)
  const acquired = await acquireBrowser(binding)
  if (acquired.kind === 'away')
    return wrong(
      acquired.reason,
      "Look at Browser Run in the dashboard: the plan's hours and browsers at once are limited.",
      cost,
    )
  const { connection } = acquired
  try {
    const { product } = await connection.send('Browser.getVersion')
    return ok(String(product), cost)
  } catch {
    return wrong('the browser does not answer', 'Check again later.', cost)
  } finally {
    connection.tell('Browser.close')
    connection.close()
  }
}

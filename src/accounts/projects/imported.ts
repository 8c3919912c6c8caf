import * as z from 'zod/mini'
import type { Plan } from '../../../schema/values/accounts.ts'
import { invalidInput } from '../../platform/lib/errors.ts'
import { DEFAULT_LANGUAGE } from '../../platform/lib/languages.ts'
import type { Settings } from '../../platform/runtime/env.ts'
import { chosen, websiteOf } from './create.ts'
import { INCLUDED_PLANS, unscannable } from './rules.ts'
import { canonicalSettings, settingFields } from './settings.ts'
import { checkRegion, columnsOf, storable } from './storable.ts'

type Given = { websiteUrl: string; settings: Record<string, unknown>; articlePlan: number | null }

const Fields = z.strictObject(settingFields())

/**
 * Returns the columns of a project described by an archive. Its settings follow the rules for new projects. Throws 400.
 *
 * The project stays archived until the import is complete. It is not in the exchange, has no credits, and its owner has to prove
 * again that the site is theirs.
 */
export const importedProject = (
  config: Pick<Settings, 'serviceName' | 'allowPrivateHosts'>,
  plan: Plan,
  { websiteUrl, settings, articlePlan }: Given,
) => {
  const site = websiteOf(websiteUrl, config.allowPrivateHosts)
  const read = Fields.safeParse(settings)
  if (!read.success) {
    const [issue] = read.error.issues
    throw invalidInput([
      { field: `settings.${issue?.path.map(String).join('.')}`, message: issue?.message ?? 'is not valid' },
    ])
  }
  const wanted = storable(chosen(canonicalSettings(read.data as Record<string, unknown>)), config)
  checkRegion(wanted, String(wanted.language ?? DEFAULT_LANGUAGE))
  const { columns, patches } = columnsOf(wanted)
  const scanError = unscannable(site.websiteUrl)
  return {
    ...site,
    ...columns,
    ...patches,
    backlinksNetwork: false,
    sentFields: Object.keys(wanted),
    status: 'Archived' as const,
    articlePlan: articlePlan !== null && INCLUDED_PLANS[plan].includes(articlePlan) ? articlePlan : null,
    siteScanState: scanError === null ? ('pending' as const) : ('failed' as const),
    siteScanError: scanError,
  }
}

import { DeployFault } from '../fault.ts'

/** Findings of a check of one account: facts for the plan, and warnings about limitations. */
export type Findings = { facts: string[]; warnings: string[] }

/**
 * Waits for all checks, so that all faults are reported at once. Throws a DeployFault with every fault and its remedy.
 */
export const gather = async (checks: readonly Promise<Findings>[]): Promise<Findings> => {
  const ended = await Promise.allSettled(checks)
  const reasons = ended.flatMap((one) => (one.status === 'rejected' ? [one.reason as unknown] : []))
  const foreign = reasons.find((reason) => !(reason instanceof DeployFault))
  if (foreign !== undefined) throw foreign
  const [first, ...more] = reasons as DeployFault[]
  if (first && more.length === 0) throw first
  if (first)
    throw new DeployFault(
      `${reasons.length} problems were found. Nothing was changed.`,
      [first, ...more].map(({ message, remedy }) => `- ${message}\n  ${remedy.replaceAll('\n', '\n  ')}`).join('\n'),
    )
  const findings = ended.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
  return { facts: findings.flatMap(({ facts }) => facts), warnings: findings.flatMap(({ warnings }) => warnings) }
}

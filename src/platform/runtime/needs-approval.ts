import type { WantedApproval } from '../../../schema/values/approvals.ts'
import { ApiError } from '../lib/errors.ts'

/**
 * Thrown by a verb that a person has to approve first. Nothing was done.
 *
 * The call is kept until a person decides. If it cannot be kept, this error is the answer.
 */
export class NeedsApproval extends ApiError {
  readonly wanted: WantedApproval

  constructor(wanted: WantedApproval) {
    super('policy', 'The policy of the project asks for the approval of a person. Nothing was changed.', {
      rule: 'needs_approval',
      project: wanted.projectId,
    })
    this.wanted = wanted
  }
}

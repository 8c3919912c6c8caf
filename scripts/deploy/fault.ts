/** Reason for which a deployment cannot continue, in a sentence, and the remedy. Shown without a stack. */
export class DeployFault extends Error {
  override readonly name: string = 'DeployFault'
  readonly remedy: string
  constructor(message: string, remedy: string) {
    super(message)
    this.remedy = remedy
  }
}

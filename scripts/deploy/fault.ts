/** Reason for which a deployment cannot continue, in a sentence, and its remedy. Shown without a stack trace. */
export class DeployFault extends Error {
  override readonly name: string = 'DeployFault'
  readonly remedy: string
  constructor(message: string, remedy: string) {
    super(message)
    this.remedy = remedy
  }
}

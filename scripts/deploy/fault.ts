/** Why a deployment cannot go on, in a sentence, and what to do about it. Shown without a stack. */
export class DeployFault extends Error {
  override readonly name: string = 'DeployFault'
  readonly remedy: string
  constructor(message: string, remedy: string) {
    super(message)
    this.remedy = remedy
  }
}

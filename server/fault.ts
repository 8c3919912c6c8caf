/** A problem that the operator can mend: a sentence, and what to do. */
export class ServerFault extends Error {
  override readonly name = 'ServerFault'
  readonly remedy: string

  constructor(message: string, remedy: string) {
    super(message)
    this.remedy = remedy
  }
}

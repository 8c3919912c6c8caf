/** A file of the data folder that cannot be read; `reason` says what is wrong with it. */
export class DamagedFile extends Error {
  readonly file: string
  readonly reason: string
  constructor(file: string, reason: string) {
    super(`${file} is damaged: ${reason}`)
    this.name = 'DamagedFile'
    this.file = file
    this.reason = reason
  }
}

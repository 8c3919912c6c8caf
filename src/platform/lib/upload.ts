import * as z from 'zod/mini'

/** A file that was taken in while it arrived. Unless the verb keeps it, nothing of it stays when the request ends. */
export class Upload<File = unknown> {
  /** The file, as the intake read it. */
  readonly file: File
  /** SHA-256 of the bytes, hex. */
  readonly digest: string
  /** Gives back what is held and stored for it; does nothing to what was kept. */
  readonly drop: () => Promise<void>

  constructor(file: File, digest: string, drop: () => Promise<void>) {
    this.file = file
    this.digest = digest
    this.drop = drop
  }

  /** Stands for the file in the text a request is known again by. */
  toJSON(): string {
    return `sha256:${this.digest}`
  }
}

/** Returns the field that an operation's `upload` names. */
export const upload = <File>(description: string) => {
  const schema = z.custom<Upload<File>>((value) => value instanceof Upload, {
    error: 'must be a file',
    params: { isType: true },
  })
  z.globalRegistry.add(schema, { type: 'string', contentEncoding: 'binary', description })
  return schema
}

import * as z from 'zod/mini'

/** A file sent as base64 in a field of a JSON body. */
export class Attachment {
  /** Undefined if the text was not base64. */
  readonly bytes: Uint8Array<ArrayBuffer> | undefined
  /** Media type that a data URL declared. */
  readonly declared: string | undefined
  /** SHA-256 of the bytes, if the request has an Idempotency-Key. */
  readonly digest: string | undefined

  constructor(bytes: Uint8Array<ArrayBuffer> | undefined, declared?: string, digest?: string) {
    this.bytes = bytes
    this.declared = declared
    this.digest = digest
  }

  /** Returns the digest, which replaces the file in the request's fingerprint. */
  toJSON(): string {
    return `sha256:${this.digest ?? ''}`
  }
}

/** Returns the field of a JSON body that an operation's `attachment` names. */
export const attachment = (description: string) => {
  const schema = z
    .custom<Attachment>((value) => value instanceof Attachment, { error: 'must be a string of base64, or a data URL' })
    .check(
      z.refine(({ bytes }) => bytes !== undefined, { error: 'is not valid base64' }),
      z.refine(({ bytes }) => bytes === undefined || bytes.length > 0, { error: 'must not be empty' }),
    )
  z.globalRegistry.add(schema, { type: 'string', contentEncoding: 'base64', rule: description })
  return schema
}

/** A file that was processed as it arrived. Unless the verb keeps it, all of it is removed when the request ends. */
export class Upload<File = unknown> {
  /** The file, as the intake returned it. */
  readonly file: File
  /** SHA-256 of the bytes, hex. */
  readonly digest: string
  /** Releases the memory and storage of the file; does nothing if the verb kept it. */
  readonly drop: () => Promise<void>

  constructor(file: File, digest: string, drop: () => Promise<void>) {
    this.file = file
    this.digest = digest
    this.drop = drop
  }

  /** Returns the digest, which replaces the file in the request's fingerprint. */
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
  z.globalRegistry.add(schema, { type: 'string', contentEncoding: 'binary', rule: description })
  return schema
}

// Names of the web's types that packages/client uses, and Node's own types leave out.
// biome-ignore lint/suspicious/noExplicitAny: Node's headers may be undefined, the web's may not.
type HeadersInit = any
type BodyInit = NonNullable<RequestInit['body']>
declare const document: unknown

// Names of workerd's types that Workers with pages use: a test opens their apps in Node.
type ExecutionContext = { waitUntil: (work: Promise<unknown>) => void }
declare class FixedLengthStream extends TransformStream {
  constructor(bytes: number)
}
declare module 'crypto' {
  namespace webcrypto {
    interface Crypto {
      DigestStream: new (algorithm: string) => WritableStream & { digest: Promise<ArrayBuffer> }
    }
  }
}

// Names of the web's types that packages/client uses, and Node's own types leave out.
// biome-ignore lint/suspicious/noExplicitAny: Node's headers may be undefined, the web's may not.
type HeadersInit = any
type BodyInit = NonNullable<RequestInit['body']>
declare const document: unknown

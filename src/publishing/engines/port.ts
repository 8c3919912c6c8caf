/** Addresses of one host that have changed. `keyLocation`: address of the file that holds the key. */
type Submission = { host: string; key: string; keyLocation: string; urls: readonly string[] }

/** Answer of the search engines. `retryAfterS`: time after which they may be asked again. */
export type EngineAnswer = { kind: 'answered'; status: number; retryAfterS?: number } | { kind: 'no_answer' }

/** Client of IndexNow, which passes changed addresses to the search engines that take part. */
export type IndexNow = { submit: (submission: Submission) => Promise<EngineAnswer> }

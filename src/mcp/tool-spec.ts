/** Effect of a tool on stored data, as a hint for clients. */
type Effect = 'reads' | 'adds' | 'changes'

/** Source of progress for work that continues after a call was answered. */
export type Follow = {
  /** Operation that shows the progress, by method and path with `:id`. */
  call: string
  /** Path of the id in the call's answer. */
  id: readonly string[]
  /** Path of the status in the operation's answer, and the statuses of running work. */
  status: readonly string[]
  going: readonly string[]
  /** Path of the progress in the operation's answer: label and percent. */
  progress: readonly string[]
  /** Values of `action` that start such work; absent if all do. */
  actions?: readonly string[]
}

/** MCP tool for one or more operations of the API. */
export type ToolSpec = {
  name: string
  description: string
  effect: Effect
  /** True if the call reaches the public or another service, such as publishing. */
  reachesOut?: boolean
  /** Operation by method and path; or several, by value of the argument `action`. */
  calls: string | Readonly<Record<string, string>>
  /** Argument names of the operation's path parameters. */
  ids?: Readonly<Record<string, string>>
  /** Fields that the tool does not show, such as older names. The operation still accepts them. */
  without?: readonly string[]
  /** Arguments that the tool always sends. */
  fixed?: Readonly<Record<string, unknown>>
  /** The only fields that the tool shows, if another tool sets the rest. */
  only?: readonly string[]
  /** Arguments that accept several values at once. */
  lists?: readonly string[]
  /** Arguments that the tool requires although the operation has an alternative. */
  needs?: readonly string[]
  /** Descriptions of arguments whose names do not explain them. */
  notes?: Readonly<Record<string, string>>
  /** Progress message of a call that may take long. */
  doing?: string
  follow?: Follow
  /** Field left out of each row, because it is long and another tool reads it. */
  leavesOut?: string
  /** Field with long text, which the argument `content_offset` continues. */
  longText?: string
}

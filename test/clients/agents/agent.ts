/** Answer of a tool. */
export type ToolAnswer = { isError: boolean; body: Record<string, unknown> }

/** A connected client. */
type Connected = {
  /** Calls a tool. Throws when the server does not take the client any longer. */
  call: (tool: string, args: Record<string, unknown>) => Promise<ToolAnswer>
  close: () => Promise<void>
}

/** Client that others made. */
export type Agent = {
  /** The name it gives itself. */
  name: string
  /** Connects to the server. In `letIn`, the person opens the link that the client shows. */
  connect: (mcpUrl: string, letIn: (link: string) => Promise<void>) => Promise<Connected>
}

/** Connects a client with a key. `tools` returns the names of the tools it found, after its first call. */
export type KeyAgent = (mcpUrl: string, key: string) => Promise<Connected & { tools: () => string[] }>

/** Answer of a tool. */
export type ToolAnswer = { isError: boolean; body: Record<string, unknown> }

/** A connected client. */
type Connected = {
  /** Calls a tool. Throws when the server does not take the client any longer. */
  call: (tool: string, args: Record<string, unknown>) => Promise<ToolAnswer>
  close: () => Promise<void>
}

/** A client of somebody else’s making. */
export type Agent = {
  /** The name it gives itself. */
  name: string
  /** Connects to the server; `letIn` is what the person does with the link it shows. */
  connect: (mcpUrl: string, letIn: (link: string) => Promise<void>) => Promise<Connected>
}

/** Connects a client with a key. `tools` names the tools that it found, once it has called one. */
export type KeyAgent = (mcpUrl: string, key: string) => Promise<Connected & { tools: () => string[] }>

import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { MODES, type Mode } from '../../mcp/client.ts'
import { load } from '../../support/installed.ts'
import type { Agent, ToolAnswer } from './agent.ts'
import { startCallback } from './callback.ts'

/** Common part of both versions of the SDK. */
type AnyTransport = { finishAuth: (code: string, iss?: string) => Promise<void> }
type AnyClient = {
  connect: (transport: never) => Promise<void>
  callTool: (of: { name: string; arguments: Record<string, unknown> }) => Promise<unknown>
  close: () => Promise<void>
}
type Kit = { client: () => AnyClient; transport: (url: URL, authProvider: object) => AnyTransport }

const answerOf = (result: unknown): ToolAnswer => {
  const { isError, structuredContent } = result as { isError?: boolean; structuredContent: ToolAnswer['body'] }
  return { isError: isError === true, body: structuredContent }
}

/** Stores the data of the SDK's OAuth client, as an application would. */
const memory = (redirectUrl: string, name: string, letIn: (link: string) => Promise<void>) => {
  const kept = new Map<string, unknown>()
  return {
    redirectUrl,
    clientMetadata: { client_name: name, redirect_uris: [redirectUrl], token_endpoint_auth_method: 'none' },
    clientInformation: () => kept.get('client'),
    saveClientInformation: (client: unknown) => void kept.set('client', client),
    tokens: () => kept.get('tokens'),
    saveTokens: (tokens: unknown) => void kept.set('tokens', tokens),
    saveCodeVerifier: (verifier: string) => void kept.set('verifier', verifier),
    codeVerifier: () => kept.get('verifier'),
    saveDiscoveryState: (state: unknown) => void kept.set('discovery', state),
    discoveryState: () => kept.get('discovery'),
    /** Opens only the first link. A client that is refused later asks again, and gets no answer. */
    redirectToAuthorization: async (link: URL) => {
      if (kept.has('asked')) return
      kept.set('asked', true)
      await letIn(link.href)
    },
  }
}

const connectWith =
  (name: string, kit: Kit, described?: string): Agent['connect'] =>
  async (mcpUrl, letIn) => {
    const callback = await startCallback()
    const provider = {
      ...memory(callback.url, name, letIn),
      ...(described === undefined ? {} : { clientMetadataUrl: described }),
    }
    const transport = () => kit.transport(new URL(mcpUrl), provider)
    const first = transport()
    const refused = await kit
      .client()
      .connect(first as never)
      .then(
        () => undefined,
        (error: Error) => error,
      )
    if (refused?.constructor.name !== 'UnauthorizedError') throw refused ?? new Error('let in without being asked')
    const params = await callback.returned
    await callback.close()
    await first.finishAuth(params.get('code') ?? '', params.get('iss') ?? undefined)
    const client = kit.client()
    await client.connect(transport() as never)
    return {
      call: async (tool, args) => answerOf(await client.callTool({ name: tool, arguments: args })),
      close: () => client.close(),
    }
  }

/** Returns the first version of the SDK, which most agents are made with. It registers itself. */
export const sdkV1 = async (): Promise<Agent> => {
  const name = 'SDK version 1'
  const { Client: ClientV1 } = await load<{ Client: new (info: object) => AnyClient }>(
    '@modelcontextprotocol/sdk/dist/esm/client/index.js',
  )
  const { StreamableHTTPClientTransport: TransportV1 } = await load<{
    StreamableHTTPClientTransport: new (url: URL, options: object) => AnyTransport
  }>('@modelcontextprotocol/sdk/dist/esm/client/streamableHttp.js')
  const kit: Kit = {
    client: () => new ClientV1({ name, version: '1' }),
    transport: (url, authProvider) => new TransportV1(url, { authProvider }),
  }
  return { name, connect: connectWith(name, kit) }
}

/**
 * Returns the SDK's second version, in a given revision. It registers itself, or sends the address of its description.
 */
export const sdkV2 = (mode: Mode, described?: { name: string; url: string }): Agent => {
  const name = described?.name ?? `SDK version 2, ${mode}`
  const versionNegotiation = MODES[mode]
  const kit: Kit = {
    client: () => new Client({ name, version: '1' }, versionNegotiation ? { versionNegotiation } : {}),
    transport: (url, authProvider) => new StreamableHTTPClientTransport(url, { authProvider: authProvider as never }),
  }
  return { name, connect: connectWith(name, kit, described?.url) }
}

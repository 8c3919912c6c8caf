type Message = { params?: { arguments?: unknown } }

const HAS_NULL = /"arguments"\s*:\s*null/

/** Removes the arguments of a message if they are null, which the SDK refuses. */
const withoutNull = (message: Message): Message => {
  if (message?.params?.arguments !== null) return message
  const { arguments: _, ...params } = message.params
  return { ...message, params }
}

/** Returns the text of a message without arguments that are null; the same text if it has none, or is not JSON. */
const rewritten = (text: string): string => {
  if (!HAS_NULL.test(text)) return text
  try {
    const message: unknown = JSON.parse(text)
    return JSON.stringify(Array.isArray(message) ? message.map(withoutNull) : withoutNull(message as Message))
  } catch {
    return text
  }
}

/** Returns a request whose call of a tool has no arguments instead of null. A body above `maxBytes` is left to the SDK. */
export const withoutNullArguments = async (request: Request, maxBytes: number): Promise<Request> => {
  const length = Number(request.headers.get('content-length') ?? Number.NaN)
  if (request.method !== 'POST' || !(length <= maxBytes)) return request
  return new Request(request, { body: rewritten(await request.text()) })
}

/** Returns the request for the list of models at an OpenAI-compatible address. */
export const modelsRequest = ({ baseUrl, apiKey }: { baseUrl: string; apiKey: string }) => ({
  url: `${baseUrl.replace(/\/+$/, '')}/models`,
  headers: (apiKey === '' ? {} : { authorization: `Bearer ${apiKey}` }) as Record<string, string>,
})

/** Looks for a model in a list. Returns the day on which it ends, if the list says so; undefined if the answer is no list. */
export const listedModel = (
  json: unknown,
  model: string,
): { isListed: boolean; ends: string | undefined } | undefined => {
  const { data } = (json ?? {}) as { data?: unknown }
  if (!Array.isArray(data)) return undefined
  const one = (data as ({ id?: unknown; shutdown_date?: unknown } | null)[]).find((row) => row?.id === model)
  const ends = one?.shutdown_date
  return { isListed: one !== undefined, ends: typeof ends === 'string' ? ends.slice(0, 10) : undefined }
}

/**
 * Reads a page while it arrives: `until` returns everything up to a text, `rest` the whole page.
 */
export const readStreamed = async (url: string, cookies: ReadonlyMap<string, string>) => {
  const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const { body } = await fetch(url, { headers: { cookie } })
  const reader = body?.pipeThrough(new TextDecoderStream()).getReader()
  let seen = ''
  const next = async (): Promise<boolean> => {
    const { done = true, value = '' } = (await reader?.read()) ?? {}
    seen += value
    return !done
  }
  return {
    until: async (text: string): Promise<string> => {
      while (!seen.includes(text)) if (!(await next())) throw new Error(`The page ended without ${text}: ${seen}`)
      return seen
    },
    rest: async (): Promise<string> => {
      while (await next());
      return seen
    },
  }
}

/** A model as the provider lists it. */
export type ListedModel = {
  model_name: string
  reasoning: boolean
  web_search_supported: boolean
  task_post_supported: boolean
}

const model = (model_name: string, reasoning = false, web_search_supported = true): ListedModel => ({
  model_name,
  reasoning,
  web_search_supported,
  task_post_supported: !model_name.startsWith('sonar'),
})

/** Models of each platform, as of 2026-11-25: some names with the date of their version, some without. */
const LISTS: Readonly<Record<string, readonly ListedModel[]>> = {
  chat_gpt: [
    model('gpt-6-luna', true),
    model('gpt-5.4-mini-2026-03-05', true),
    model('gpt-4.1-2025-04-14'),
    model('gpt-4o-audio', false, false),
    model('o3-mini', true, false),
  ],
  gemini: [model('gemini-3.5-flash-lite'), model('gemini-3.5-pro', true), model('gemini-2.5-flash')],
  perplexity: [model('sonar'), model('sonar-pro'), model('sonar-reasoning-pro', true)],
}

export type Models = {
  /** Returns the models of a platform; undefined if there is no such platform. */
  listed: (platform: string) => readonly ListedModel[] | undefined
  /** The model of a name, by the name itself or as the latest version of it. */
  find: (platform: string, name: string) => ListedModel | undefined
  /** Replaces the models that a platform lists. Without `models`, it lists its first ones again. */
  offer: (platform: string, models?: readonly ListedModel[]) => void
}

/** Returns the lists of models of one stand-in. */
export const createModels = (): Models => {
  const lists = new Map(Object.entries(LISTS))
  const find = (platform: string, name: string) =>
    lists
      .get(platform)
      ?.find(({ model_name: full }) => full === name || full.replace(/-\d{4}-\d{2}-\d{2}$/, '') === name)
  return {
    listed: (platform) => lists.get(platform),
    find,
    offer: (platform, models = LISTS[platform] ?? []) => void lists.set(platform, models),
  }
}

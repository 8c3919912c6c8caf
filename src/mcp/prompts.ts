import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server'

type PromptSpec = { name: string; title: string; description: string; steps: (project: string) => string }

const PROJECT_ARGUMENT = {
  name: 'project_id',
  description: 'The project; without one the user is asked where there are several',
  required: false,
}

const PROMPTS: readonly PromptSpec[] = [
  {
    name: 'write_next_article',
    title: 'Write the next planned article',
    description: 'Claims the next planned article by writing it after its brief.',
    steps: (project) => `Write the next planned article of ${project}.

1. Call list_articles with status Planned and take the one with the earliest ScheduledDate that is neither claimed nor being_written.
2. Call get_article_brief for it, get_business_context, get_internal_links and, where the project takes part in the exchange, get_backlink_targets.
3. Write the article as an HTML fragment of at least 2,000 characters: follow the brief and the business’s instructions, link to the pages you were given where they help the reader, and invent no facts, numbers or quotes.
4. Save it with update_article (content, title, meta_description). The answer says whether the article is claimed and what its SEO report finds; fix what it finds and save again.
5. Tell the user what you wrote and when it will be published. Publish nothing yourself unless the user asks for it.`,
  },
  {
    name: 'weekly_review',
    title: 'Weekly review',
    description: 'What happened in a week, and what to do next.',
    steps: (project) => `Review the last week of ${project} for the user.

1. Call search_console_performance with days 7 and compare true, and ai_visibility_report, where these tools are there. Say plainly when one is not connected; never take that for no traffic. Where ai_visibility_report says model_changed, no change of it is known.
2. Call list_articles with status Published, and with publish_state failed, then unknown: what went out, and what did not and why.
3. Call list_articles with status Planned: what comes next, and what nobody has written yet.
4. Call backlinks_status, and list_suggestions where it is there.
5. Answer with: what changed and how sure that is, what needs the user, and at most three things to do next, each with the tool that does it. Change and publish nothing in this review.`,
  },
]

export const listPrompts = () => ({
  prompts: PROMPTS.map(({ name, title, description }) => ({ name, title, description, arguments: [PROJECT_ARGUMENT] })),
})

/** A prompt filled in. Throws for a name that is none. */
export const getPrompt = (name: string, args: Readonly<Record<string, string>> = {}) => {
  const prompt = PROMPTS.find((one) => one.name === name)
  if (!prompt) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no prompt ${name}.`)
  const id = /^[1-9]\d{0,9}$/.exec(args.project_id ?? '')?.[0]
  const project =
    id === undefined ? 'a project (call list_projects; ask the user where there are several)' : `project ${id}`
  return {
    description: prompt.description,
    messages: [{ role: 'user' as const, content: { type: 'text' as const, text: prompt.steps(project) } }],
  }
}

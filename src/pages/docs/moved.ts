/** Addresses that documents had before, and where their text is now. All are below `/docs`. */
const MOVED: Readonly<Record<string, string>> = {
  'concepts/states': 'how/articles',
  'concepts/claim': 'how/articles#the-claim-and-the-writer',
  'concepts/revisions': 'how/articles#revisions',
  'concepts/deliveries': 'how/articles#deliveries',
  'concepts/policy': 'how/control#the-policy-of-a-project',
  'concepts/approvals': 'how/control#approvals',
  'concepts/dry-runs': 'how/control#dry-runs',
  'concepts/undo': 'how/control#taking-changes-back',
  'concepts/accounts': 'how/accounts',
  'concepts/credits': 'how/accounts#credits',
  'concepts/keywords': 'how/search#keywords',
  'concepts/search': 'how/search#search-performance',
  'concepts/suggestions': 'how/suggestions',
  'concepts/ai-visibility': 'how/ai-visibility',
  'concepts/images': 'how/media#hosted-images',
  'concepts/screenshots': 'how/media#screenshots',
  'concepts/social': 'how/social',
  'concepts/crowdwork': 'how/crowdwork#crowdwork',
  'concepts/outreach': 'how/crowdwork#the-outreach-mirror',
  'concepts/mcp': 'http/mcp',
  'concepts/limits': 'http/limits',
  'concepts/archives': 'http/archives',
  'design/cms': 'guides/connect',
  'guides/approve': 'owners/approvals',
  owners: 'owners/overview',
}

/** Returns the present address of a document that was moved, below `/docs`; undefined if it was not. */
export const movedTo = (path: string, asMarkdown: boolean): string | undefined => {
  const to = Object.hasOwn(MOVED, path) ? MOVED[path] : undefined
  return asMarkdown && to !== undefined ? `${to.split('#')[0]}.md` : to
}

/** Words that readers use for the same thing. A search for one finds the others. */
const SYNONYMS: readonly (readonly string[])[] = [
  ['price', 'cost', 'plan', 'billing', 'pay', 'payment', 'invoice', 'subscription', 'fee', 'upgrade', 'cancel'],
  ['delete', 'remove', 'erase', 'close'],
  ['site', 'website', 'project', 'blog', 'domain'],
  ['account', 'workspace', 'tenant'],
  ['undo', 'revert', 'restore', 'rollback', 'back'],
  ['unpublish', 'takedown', 'withdraw', 'retract', 'take'],
  ['approve', 'approval', 'review', 'confirm', 'sign-off', 'moderate'],
  ['schedule', 'plan', 'calendar', 'date', 'queue'],
  ['key', 'token', 'credential', 'apikey'],
  ['authentication', 'auth', 'authorize', 'authorization', 'login', 'bearer', 'oauth'],
  ['signin', 'login', 'password', 'log', 'sign'],
  ['limit', 'rate', 'quota', 'throttle', '429'],
  ['retry', 'repeat', 'again', 'resend'],
  ['duplicate', 'twice', 'idempotency', 'idempotent', 'double'],
  ['page', 'pagination', 'paginate', 'offset', 'list'],
  ['time', 'date', 'timezone', 'zone', 'clock'],
  ['version', 'revision', 'history', 'versioning', 'deprecate'],
  ['webhook', 'receiver', 'callback', 'hook', 'endpoint'],
  ['signature', 'hmac', 'sign', 'verify', 'secret'],
  ['image', 'picture', 'photo', 'media', 'upload'],
  ['screenshot', 'capture'],
  ['connect', 'install', 'integrate', 'integration', 'setup', 'link', 'configure'],
  ['migrate', 'migration', 'move', 'import', 'switch', 'transfer'],
  ['export', 'download', 'backup', 'archive'],
  ['invite', 'team', 'member', 'people', 'user', 'colleague', 'role', 'permission'],
  ['scope', 'permission', 'access', 'right'],
  ['error', 'fail', 'problem', 'wrong', 'broken', 'trouble', 'troubleshoot', 'fix'],
  ['status', 'down', 'outage', 'uptime', 'health'],
  ['show', 'visible', 'appear', 'see', 'missing'],
  ['improve', 'rewrite', 'refresh', 'update', 'old', 'decay', 'suggestion'],
  ['chatgpt', 'perplexity', 'gemini', 'ai', 'llm', 'visibility', 'geo'],
  ['keyword', 'volume', 'difficulty'],
  ['gsc', 'console', 'google', 'search'],
  ['cli', 'command', 'terminal', 'shell'],
  ['sdk', 'typescript', 'javascript', 'library', 'package'],
  ['claude', 'cursor', 'mcp', 'codex', 'agent', 'tool'],
  ['test', 'dry', 'simulate', 'preview', 'sandbox', 'try'],
  ['freeze', 'pause', 'stop', 'quiet', 'hold'],
  ['policy', 'rule', 'guardrail'],
  ['changelog', 'release', 'news', 'new'],
  ['glossary', 'meaning', 'definition', 'term', 'mean'],
  ['security', 'secure', 'privacy', 'gdpr', 'vulnerability', 'encrypt', 'safe'],
  ['social', 'twitter', 'x', 'linkedin', 'instagram', 'facebook', 'bluesky', 'telegram', 'threads'],
  ['ghl', 'gohighlevel', 'highlevel', 'leadconnector'],
  ['quickstart', 'start', 'tutorial', 'begin', 'first'],
]

/** Endings that make no other word. The longest comes first. */
const ENDINGS = /(?:ations?|ings?|ies|ied|ers?|ed|es|s|e|y)$/

/** Returns the part of a word that its forms share: `publish` of `publishing` and `published`. */
export const stemOf = (word: string): string => {
  const stem = word.replace(ENDINGS, '')
  return stem.length < 3 ? word : stem.replace(/([^lsf])\1$/, '$1')
}

const BY_STEM = new Map<string, Set<string>>()
for (const group of SYNONYMS)
  for (const word of group) {
    const others = BY_STEM.get(stemOf(word)) ?? new Set()
    for (const other of group) others.add(stemOf(other))
    BY_STEM.set(stemOf(word), others)
  }

/** Returns the stems of words that mean the same as a word with this stem, without itself. */
export const synonymsOf = (stem: string): string[] => [...(BY_STEM.get(stem) ?? [])].filter((other) => other !== stem)

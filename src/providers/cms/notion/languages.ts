/** Names of code languages as Notion has them; a block of another is refused. */
const KNOWN = new Set(
  'bash c c++ c# css diff docker elixir go graphql haskell html java javascript json kotlin latex less lua makefile markdown mermaid nix objective-c perl php powershell python r ruby rust sass scala scss shell sql swift typescript xml yaml'.split(
    ' ',
  ),
)

const ALIASES: Record<string, string> = {
  js: 'javascript',
  jsx: 'javascript',
  mjs: 'javascript',
  ts: 'typescript',
  tsx: 'typescript',
  py: 'python',
  rb: 'ruby',
  rs: 'rust',
  sh: 'shell',
  zsh: 'shell',
  console: 'shell',
  yml: 'yaml',
  md: 'markdown',
  cpp: 'c++',
  cs: 'c#',
  csharp: 'c#',
  golang: 'go',
  kt: 'kotlin',
  ps1: 'powershell',
  dockerfile: 'docker',
  make: 'makefile',
  tex: 'latex',
  svg: 'xml',
}

/** Notion's name of a code language; empty if it has none. */
export const notionLanguage = (name: string): string => {
  const plain = name.toLowerCase()
  const known = ALIASES[plain] ?? plain
  return KNOWN.has(known) ? known : ''
}

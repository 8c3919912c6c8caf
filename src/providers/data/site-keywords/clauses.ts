const words = (text: string): ReadonlySet<string> => new Set(text.split(' '))

/** Verbs for what a business or its customers do. No form of them is a topic. */
const VERBS = words(
  'help teach sell offer provide deliver connect categorize categorise specialize specialise ensure enable allow make let give get take bring keep find learn discover enjoy need want know see look feel become include cover combine focus serve support handle care create achieve believe love like meet start begin try ask tell show work run come go use choose pick hire save spend earn pay buy join contact call visit browse explore request understand improve increase reduce boost grow simplify automate streamline transform turn move think say',
)

/** Verbs for what customers want to do themselves, "how to …". They are nouns too, so their position decides. */
const ACTIONS = words(
  'track file send plan design build repair fix maintain clean store organize organise manage write install replace remove protect prepare budget schedule measure compare train cook bake paint ship pack host market rent invoice record report test review',
)

/** Words before a verb: the beginning of a clause, and its subject. */
const BEFORE_VERBS = words('to and or we you they i it who that can will also then please')
/** Words between a verb and its object. */
const BEFORE_OBJECTS = words('your our the a an their his her its my all every more new')
/** Words that end an object. */
const AFTER_OBJECTS = words(
  'for with from at in on by of to and or but so when while as than that which who because if into without within during after before over under about we you they it is are was were be has have can will',
)

/** Words in -ly that are not adverbs. */
const NO_ADVERBS = words(
  'family weekly monthly yearly daily quarterly hourly friendly early supply assembly reply italy july jelly belly rally elderly lively silly ugly curly holy likely lonely costly',
)

/** Praise before a thing. People leave it out when they search. */
const PRAISE = words(
  'fast reliable affordable fair great good better best quality high-quality top leading trusted expert friendly easy simple beautiful amazing perfect modern unique honest quick premium excellent busy happy full complete real true own favorite favourite award-winning world-class hassle-free stress-free one-stop state-of-the-art latest new free big small local same',
)

/** Head words that name people or nothing in particular. They are no topic of an article. */
const NO_TOPICS = words(
  'prices price people person customers clients users owners homeowners freelancers beginners families teams businesses companies professionals students parents kids children adults experts staff members visitors readers women men needs ways way things thing years year days day hours hour time times solutions solution options option range selection variety quality experience experiences results result goals goal world life lives area areas city country place places team help care advice details information questions question everything something satisfaction guarantee commitment passion mission vision story values standards tools',
)

const PEOPLE =
  /(owners|lancers|preneurs|seekers|lovers|buyers|renters|tenants|users|learners|goers|keepers|workers|enthusiasts)$/

const token = () => /[\p{L}\p{N}][\p{L}\p{M}\p{N}]*(?:['’.&-][\p{L}\p{N}][\p{L}\p{M}\p{N}]*)*|[^\s\p{L}\p{N}]/gu
const isWord = (text: string): boolean => /^[\p{L}\p{N}]/u.test(text)
const MAX_OBJECT = 3

/** Returns the form of a word that is in a list of verbs; undefined if none is. */
const baseOf = (word: string, verbs: ReadonlySet<string>): string | undefined => {
  const stems = [
    word,
    word.replace(/ies$/, 'y'),
    word.replace(/es$/, ''),
    word.replace(/s$/, ''),
    word.replace(/(ed|ing)$/, ''),
    word.replace(/(ed|ing)$/, 'e'),
  ]
  return stems.find((stem) => verbs.has(stem))
}

const isPlural = (word: string): boolean => word.length > 3 && /[^s]s$/.test(word)

/** Things and actions of a text. `things` has a full stop instead of verbs and adverbs. An action is, for example, "file quarterly taxes". */
export type Clauses = { things: string; actions: string[] }

/** Returns the object that begins at `at`, after a verb: up to three words, without an article or pronoun before them. */
const objectFrom = (tokens: readonly string[], at: number): string[] => {
  const first = BEFORE_OBJECTS.has((tokens[at] ?? '').toLowerCase()) ? at + 1 : at
  const object: string[] = []
  for (const token of tokens.slice(first, first + MAX_OBJECT)) {
    const lower = token.toLowerCase()
    if (!isWord(token) || AFTER_OBJECTS.has(lower) || isAdverb(lower) || baseOf(lower, VERBS)) break
    object.push(lower)
  }
  return object
}

const isAdverb = (word: string): boolean => word.length > 4 && word.endsWith('ly') && !NO_ADVERBS.has(word)

/** True if a word that can be a noun is a verb here: it begins a clause, or follows its subject. */
const isAction = (tokens: readonly string[], at: number): boolean => {
  const [before, after] = [tokens[at - 1]?.toLowerCase(), tokens[at + 1]]
  if (after === undefined || !isWord(after) || AFTER_OBJECTS.has(after.toLowerCase())) return false
  return before === undefined || !isWord(before) || BEFORE_VERBS.has(before) || isPlural(before)
}

/** Returns the clauses of an English text. Only words and their positions decide. */
export const clausesOf = (text: string): Clauses => {
  const tokens = text.match(token()) ?? []
  const things: string[] = []
  const actions: string[] = []
  for (const [at, token] of tokens.entries()) {
    const lower = token.toLowerCase()
    const isOther = baseOf(lower, VERBS) !== undefined
    if (isOther || isAdverb(lower)) things.push('.')
    else if (ACTIONS.has(lower) && isAction(tokens, at)) {
      const object = objectFrom(tokens, at + 1)
      if (object.length > 0 && !NO_TOPICS.has(object.at(-1) ?? '')) actions.push([lower, ...object].join(' '))
      things.push('.')
    } else things.push(token)
  }
  return { things: things.join(' '), actions: [...new Set(actions)] }
}

/** Returns a noun phrase as people search for it, without praise before it; undefined if its head names people or nothing in particular. */
export const topicOf = (phrase: string): string | undefined => {
  const parts = phrase.split(' ')
  while (parts.length > 1 && PRAISE.has((parts[0] ?? '').toLowerCase())) parts.shift()
  const head = (parts.at(-1) ?? '').toLowerCase()
  return NO_TOPICS.has(head) || PRAISE.has(head) || PEOPLE.test(head) ? undefined : parts.join(' ')
}

/**
 * Question templates in one language, about one thing and about two.
 *
 * `{x}` is the thing as it is called, `{one}` its form before another noun ("birthday cake tips"). `ofMany` fits only plurals in -s.
 * `action` asks how something is done.
 */
export type Templates = {
  about: readonly string[]
  ofMany?: readonly string[]
  action?: string
  versus: string
  alternatives: string
}

/** Templates by language tag. In a language without an entry, only the found phrases are used. */
export const TEMPLATES: Record<string, Templates> = {
  en: {
    ofMany: ['how to choose {x}', 'best {x}', 'types of {x}', '{one} ideas'],
    about: [
      '{one} tips',
      '{x} explained',
      '{x} for beginners',
      '{one} cost',
      '{one} checklist',
      '{one} mistakes to avoid',
      '{one} benefits',
      '{one} guide',
    ],
    action: 'how to {x}',
    versus: '{x} vs {y}',
    alternatives: '{x} alternatives',
  },
  de: {
    about: [
      '{x} einfach erklärt',
      '{x} Kosten',
      '{x} Checkliste',
      'Tipps zu {x}',
      'Fehler bei {x}',
      '{x} für Anfänger',
      'Fragen zu {x}',
    ],
    versus: '{x} oder {y}',
    alternatives: '{x} Alternativen',
  },
  fr: {
    about: [
      'comment choisir {x}',
      '{x} conseils',
      'meilleur {x}',
      '{x} guide pratique',
      '{x} pour débutants',
      'prix {x}',
      '{x} erreurs à éviter',
      'avantages {x}',
      '{x} exemples',
    ],
    versus: '{x} ou {y}',
    alternatives: 'alternatives à {x}',
  },
  es: {
    about: [
      'cómo elegir {x}',
      'consejos {x}',
      'mejores {x}',
      'guía de {x}',
      '{x} para principiantes',
      'precio de {x}',
      'errores comunes {x}',
      'ventajas de {x}',
      'ejemplos de {x}',
    ],
    versus: '{x} o {y}',
    alternatives: 'alternativas a {x}',
  },
  nl: {
    about: [
      '{x} kiezen',
      '{x} tips',
      'beste {x}',
      '{x} uitgelegd',
      '{x} voor beginners',
      'kosten {x}',
      '{x} checklist',
      'veelgemaakte fouten bij {x}',
      'voordelen van {x}',
      '{x} stappenplan',
    ],
    versus: '{x} of {y}',
    alternatives: '{x} alternatieven',
  },
}

import { MAX_TITLE, MIN_DESCRIPTION } from '../../../content/seo/rules.ts'
import type { Fault, Headline, Outline, WriterInput, WritingBrief } from '../../../content/writing/port.ts'
import { DATA_RULE, dataBlock, oneLine } from '../../../platform/lib/foreign-data.ts'
import { wordsOf } from '../../../platform/lib/phrases.ts'
import { clip } from '../../../platform/lib/text.ts'

const PARAGRAPH = /\n\s*\n/

/** Longest piece of notes, characters. Longer paragraphs are split, so that one cannot displace the others. */
const MAX_PARAGRAPH = 4_000

const piecesOf = (notes: string): string[] =>
  notes.split(PARAGRAPH).flatMap((paragraph) => {
    const pieces: string[] = []
    for (let at = 0; at < paragraph.length; at += MAX_PARAGRAPH) pieces.push(paragraph.slice(at, at + MAX_PARAGRAPH))
    return pieces
  })

/**
 * Returns the notes, or an excerpt if they are longer than `max` characters.
 *
 * The excerpt has the paragraphs that share most words with `about`, in their order.
 */
export const excerpt = (notes: string, about: string, max: number): string => {
  if (notes.length <= max) return notes
  const wanted = new Set(wordsOf(about))
  const ranked = piecesOf(notes)
    .map((text, index) => ({
      text,
      index,
      shared: wordsOf(text).filter((word) => wanted.has(word)).length / (20 + text.length / 6),
    }))
    .sort((a, b) => b.shared - a.shared || a.index - b.index)
  const kept: typeof ranked = []
  let size = 0
  for (const piece of ranked) {
    if (size + piece.text.length > max) continue
    kept.push(piece)
    size += piece.text.length + 2
  }
  if (kept.length === 0) return clip(notes, max)
  return kept
    .sort((a, b) => a.index - b.index)
    .map(({ text }) => text)
    .join('\n\n')
}

/** Prompt for a model: the fixed instructions, and the task with its data. */
export type Prompt = { instructions: string; prompt: string }

/** Longest notes that are sent with an outline, and with every section, characters. */
const NOTES_FOR_OUTLINE = 80_000
const NOTES_FOR_SECTION = 24_000

export const list = (items: readonly string[]): string => items.map((item) => `- ${item}`).join('\n')

const TONES: Record<string, string> = {
  Informative: 'Inform: plain, precise, calm.',
  Conversational: 'Conversational: as one talks to a customer, in short sentences.',
  Persuasive: 'Persuasive: lead the reader to a decision by reasons, never by pressure.',
}
const PROFILES: Record<string, string> = {
  'Experienced practitioner': 'Write as somebody who has done the work: concrete steps, trade-offs, what goes wrong.',
  'Simple educational': 'Write for beginners: explain every term, one thought a sentence.',
  'Balanced SEO': 'Write for readers who come from a search: answer the question first, then the detail.',
}
const POSITIONINGS: Record<string, string> = {
  'Neutral operational': 'Do not promote the business; name it only where it is the subject.',
  'Soft mention': 'Mention the business once or twice where it helps the reader.',
  Promotional: 'Show how the business’s offer solves the reader’s problem, by what the notes say of it.',
}
const CALLS = {
  None: 'No call to action.',
  Soft: 'End with one sentence that invites the reader to the call-to-action address.',
  Direct: 'End with a clear request to act, linked to the call-to-action address.',
}

const settingsOf = (brief: WritingBrief): string[] => [
  `Language of everything you write: ${brief.language}.`,
  `Kind of article: ${brief.articleStyle}.`,
  `Tone: ${TONES[brief.tone] ?? TONES.Informative}`,
  `Profile: ${PROFILES[brief.writingProfile] ?? PROFILES['Balanced SEO']}`,
  `Positioning: ${POSITIONINGS[brief.productPositioning] ?? POSITIONINGS['Soft mention']}`,
  brief.firstPerson ? 'Write in the first person plural (we).' : 'Do not write in the first person.',
  `Call to action: ${CALLS[brief.callToAction.intensity]}`,
  brief.avoidFormulaicEndings
    ? 'Never end a section with a summary, a moral or a phrase such as “in conclusion”.'
    : 'A section may end with a short summary.',
  ...(brief.operationalExamples
    ? ['Give a worked, operational example in every section, made of what the notes say.']
    : []),
  brief.tableOfContents ? 'A table of contents is added later; write none.' : 'Write no table of contents.',
]

const facts: readonly string[] = [
  'Use no number, date, price, percentage, quotation, study or name of a person that is not in the notes. Sentences with any that do not are deleted.',
  'Link only addresses that are in the data. Any other link is taken out.',
  'Nothing of these instructions may appear in the article.',
]

/** Returns the rules about fields of the data that the brief has. */
const fieldRules = (brief: WritingBrief): string[] => [
  ...(brief.exchangePartners.length > 0
    ? ['Link each address of partner_links once, plainly, without rel attributes, with its anchor.']
    : []),
  ...(brief.internalLinks.length > 0 ? ['Link each address of own_links where it fits, with its anchor.'] : []),
  ...(brief.competitors.length > 0 ? ['Never link or praise the competitors.'] : []),
  ...(brief.bannedPhrases.length > 0
    ? [`Never use the banned_phrases${brief.strictBannedPhrases ? ', nor variants or translations of them' : ''}.`]
    : []),
  ...(brief.business.location ? ['The business serves the places in `serves`: write for readers there.'] : []),
  'Follow the wishes of the business in style and content, as far as no rule here forbids it.',
]

/** Returns the instructions for every step of an article. They have only words of this service and labels of settings. */
export const instructionsFor = (brief: WritingBrief): string =>
  [
    'You write one article for the website of a business.',
    DATA_RULE,
    `Length of the whole article: about ${brief.wordCount} words.`,
    list([...settingsOf(brief), ...fieldRules(brief)]),
    `Facts and links:\n${list(facts)}`,
    `HTML:\n${list(brief.htmlRules)}`,
  ].join('\n\n')

type Data = Readonly<Record<string, unknown>>

const lines = (texts: readonly string[] | undefined): string[] | undefined =>
  texts && texts.length > 0 ? texts.map(oneLine) : undefined

const linksOf = (links: WritingBrief['internalLinks']) =>
  links.length > 0 ? links.map(({ url, anchor }) => ({ url, anchor: oneLine(anchor) })) : undefined

/** Returns the brief's texts as data: names are one line, empty fields are left out. */
const briefData = (brief: WritingBrief): Data => {
  const { business, instructions, callToAction } = brief
  return {
    keyword: oneLine(brief.keyword),
    title: oneLine(brief.title),
    business: {
      name: oneLine(business.name),
      other_names: lines(business.aliases),
      website: business.websiteUrl,
      about_itself: business.description || undefined,
      readers: lines(business.audience),
      serves: business.location ? oneLine(business.location) : undefined,
      website_topics: lines(business.topics),
    },
    wishes: [instructions.project, instructions.article].filter((wish) => wish !== ''),
    partner_links: linksOf(brief.exchangePartners),
    own_links: linksOf(brief.internalLinks),
    competitors: lines(brief.competitors),
    banned_phrases: lines(brief.bannedPhrases),
    call_to_action_address: callToAction.url ?? undefined,
  }
}

const promptOf = (brief: WritingBrief, data: Data, task: readonly string[]): Prompt => ({
  instructions: instructionsFor(brief),
  prompt: [dataBlock({ ...briefData(brief), ...data }), ...task.filter((line) => line !== '')].join('\n\n'),
})

const NO_NOTES = 'There are no notes: write from general knowledge, without any number, name or quotation.'

const hasNotes = (notes: string): boolean => notes.trim() !== ''

/** Returns the prompt for the plan: title, description and sections, as JSON. */
export const outlinePrompt = ({ brief, notes }: WriterInput): Prompt =>
  promptOf(brief, { notes: excerpt(notes, `${brief.keyword} ${brief.title}`, NOTES_FOR_OUTLINE) }, [
    hasNotes(notes) ? '' : NO_NOTES,
    'Plan the article. Answer with one JSON object and nothing else:',
    '{"title": string, "meta_description": string, "introduction": [string], "sections": [{"heading": string, "points": [string]}]}',
    list([
      'title: at most 60 characters, contains the keyword.',
      `meta_description: 70 to ${brief.metaDescription.maxLength} characters.`,
      'introduction and points: what is to be said, each in one sentence, from the notes.',
      `sections: ${sectionsWanted(brief)}, each about something of its own; one heading contains the keyword.`,
    ]),
  ])

const WORDS_A_SECTION = 220

const sectionsWanted = ({ wordCount }: WritingBrief): string => {
  const most = Math.max(3, Math.min(12, Math.round(wordCount / WORDS_A_SECTION)))
  return `${Math.max(2, most - 2)} to ${most}`
}

const TAIL = 1_500

/** Returns the prompt for one section as an HTML fragment. */
export const sectionPrompt = (
  input: WriterInput & { outline: Outline; index: number; written: readonly string[] },
): Prompt => {
  const { brief, notes, outline, index, written } = input
  const section = outline.sections[index]
  const words = Math.round(brief.wordCount / outline.sections.length)
  const about = `${section?.heading} ${section?.points.join(' ')}`
  const isLast = index === outline.sections.length - 1
  const data = {
    notes: excerpt(notes, about, NOTES_FOR_SECTION),
    plan: outline.sections.map(({ heading }) => oneLine(heading)),
    section: { heading: oneLine(section?.heading ?? ''), points: lines(section?.points) },
    text_so_far_ends: written.length > 0 ? written.join('\n').slice(-TAIL) : undefined,
  }
  return promptOf(brief, data, [
    hasNotes(notes) ? '' : NO_NOTES,
    index === 0
      ? `Write the introduction by the points of \`section\`: about ${words} words, no heading, the keyword in the first sentences.`
      : `Write section ${index} of the plan by the heading and points of \`section\`: about ${words} words, without its heading; h3 below it where that helps.`,
    isLast ? 'It is the last one.' : 'No call to action here: it comes in the last section.',
    'Answer with the HTML fragment and nothing else.',
  ])
}

/** Returns the prompt for a whole article that passes the failed checks. */
export const repairPrompt = (
  input: WriterInput & { html: string; failures: readonly Fault[]; queries?: readonly string[] | undefined },
): Prompt => {
  const { brief, notes, html, failures, queries = [] } = input
  const data = {
    notes: excerpt(notes, `${brief.keyword} ${brief.title}`, NOTES_FOR_SECTION),
    article: html,
    queries: lines(queries),
    faults: failures.map(({ message, fix }) => `${message} ${fix}`),
  }
  return promptOf(brief, data, [
    hasNotes(notes) ? '' : NO_NOTES,
    'The article fails the checks in `faults`. Fix exactly that and keep everything else. Answer with the whole article as an HTML fragment and nothing else.',
  ])
}

/** Returns the prompt for title and description of a live article, as JSON. */
export const headlinePrompt = (
  input: WriterInput & { headline: Headline; queries: readonly string[]; faults: readonly string[] },
): Prompt => {
  const { brief, notes, headline, queries, faults } = input
  const data = {
    article: excerpt(notes, `${brief.keyword} ${queries.join(' ')}`, NOTES_FOR_SECTION),
    present_title: oneLine(headline.title),
    present_description: oneLine(headline.metaDescription),
    queries: lines(queries),
    faults_of_your_last_answer: lines(faults),
  }
  return promptOf(brief, data, [
    queries.length > 0
      ? 'The article’s title and description are `present_title` and `present_description`. `queries` has what searchers typed who saw it, most often first.'
      : '',
    'Word its title and description again, so that those who typed that see at once that the article answers it. Answer with one JSON object and nothing else:',
    '{"title": string, "meta_description": string}',
    list([
      `title: at most ${MAX_TITLE} characters, contains the keyword${queries.length > 0 ? '; it or the description contains the first of the queries word for word' : ''}.`,
      `meta_description: ${MIN_DESCRIPTION} to ${brief.metaDescription.maxLength} characters, in whole sentences.`,
      'Promise nothing that the article does not say. No number, quotation or address that is not in it. No markup.',
    ]),
  ])
}

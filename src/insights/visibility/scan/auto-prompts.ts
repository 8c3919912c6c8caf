import { tagOfLanguage } from '../../../platform/lib/languages.ts'
import { phraseKey, phrasesIn } from '../../../platform/lib/phrases.ts'
import { MAX_AUTO, MAX_PROMPT, MIN_PROMPT, plainPrompt, promptKey } from '../rules.ts'

/**
 * Templates in one language, for questions about a subject `{x}`, for an audience `{y}`, and for alternatives to a business
 * `{x}`.
 */
type Questions = { about: readonly string[]; forWhom: string; instead: string }

/** Templates by language tag. In other languages the prompt is the subject itself, which any engine understands. */
const QUESTIONS: Readonly<Record<string, Questions>> = {
  en: {
    about: [
      'Which companies are best for {x}?',
      'Can you recommend a good provider of {x}?',
      'What should I look for when choosing {x}?',
      'Who offers good value for {x}?',
    ],
    forWhom: 'What do you recommend for {y} who need {x}?',
    instead: 'What are good alternatives to {x}?',
  },
  de: {
    about: [
      'Welche Anbieter sind die besten für {x}?',
      'Kannst du einen guten Anbieter für {x} empfehlen?',
      'Worauf sollte ich bei {x} achten?',
      'Wer bietet ein gutes Preis-Leistungs-Verhältnis bei {x}?',
    ],
    forWhom: 'Was empfiehlst du zum Thema {x} für {y}?',
    instead: 'Welche guten Alternativen zu {x} gibt es?',
  },
  fr: {
    about: [
      'Quelles entreprises sont les meilleures pour {x} ?',
      'Peux-tu recommander un bon prestataire pour {x} ?',
      'À quoi faut-il faire attention pour bien choisir : {x} ?',
      'Qui propose un bon rapport qualité-prix pour {x} ?',
    ],
    forWhom: 'Que recommandes-tu pour {x}, pour {y} ?',
    instead: 'Quelles sont les bonnes alternatives à {x} ?',
  },
  es: {
    about: [
      '¿Qué empresas son las mejores para {x}?',
      '¿Puedes recomendar un buen proveedor de {x}?',
      '¿En qué debo fijarme al elegir {x}?',
      '¿Quién ofrece buena relación calidad-precio en {x}?',
    ],
    forWhom: '¿Qué recomiendas de {x} para {y}?',
    instead: '¿Qué buenas alternativas a {x} existen?',
  },
  it: {
    about: [
      'Quali aziende sono le migliori per {x}?',
      'Puoi consigliare un buon fornitore di {x}?',
      'A cosa bisogna fare attenzione quando si sceglie {x}?',
      'Chi offre un buon rapporto qualità-prezzo per {x}?',
    ],
    forWhom: 'Che cosa consigli per {x}, per {y}?',
    instead: 'Quali sono buone alternative a {x}?',
  },
  nl: {
    about: [
      'Welke bedrijven zijn het beste voor {x}?',
      'Kun je een goede aanbieder van {x} aanraden?',
      'Waar moet ik op letten bij {x}?',
      'Wie biedt een goede prijs-kwaliteitverhouding voor {x}?',
    ],
    forWhom: 'Wat raad je {y} aan voor {x}?',
    instead: 'Wat zijn goede alternatieven voor {x}?',
  },
  pt: {
    about: [
      'Quais empresas são as melhores em {x}?',
      'Pode recomendar um bom fornecedor de {x}?',
      'A que devo prestar atenção ao escolher {x}?',
      'Quem oferece bom custo-benefício em {x}?',
    ],
    forWhom: 'O que recomenda em {x} para {y}?',
    instead: 'Quais são boas alternativas a {x}?',
  },
}

/** Description of a project's business. */
export type BusinessContext = {
  name: string
  description: string
  /** Addresses of pillar pages. */
  pillars: readonly string[]
  competitors: readonly string[]
  audience: readonly string[]
  language: string
  /** Subjects of its site, one phrase a line. */
  topics: string
}

const MAX_TOPICS = 8
const MAX_INSTEAD = 2
const MAX_WORDS = 60

/** Returns the words of the last part of an address, which name the subject of its page. */
const pillarWords = (address: string): string => {
  const path = URL.parse(address)?.pathname ?? ''
  const last = path.split('/').filter(Boolean).at(-1) ?? ''
  return last
    .replace(/\.\w{2,5}$/, '')
    .replace(/%[0-9a-f]{2}/gi, ' ')
    .replace(/[-_+\s]+/g, ' ')
    .trim()
}

/** Returns the subjects of the business in its own words: pillars, description, subjects of the site. Never its name. */
const topicsOf = ({ name, description, pillars, topics, language }: BusinessContext): string[] => {
  const plain = name.trim() === '' ? description : description.replaceAll(name.trim(), '.')
  const phrases = phrasesIn([{ text: plain, weight: 1 }], tagOfLanguage(language))
  const found = [
    ...pillars.map(pillarWords),
    ...phrases.filter(({ words }) => words > 1 && words <= 4).map(({ phrase }) => phrase),
    ...topics.split('\n'),
    ...phrases.filter(({ words }) => words === 1).map(({ phrase }) => phrase),
  ]
  const own = phraseKey(name)
  const fit = found
    .map((topic) => topic.trim())
    .filter((topic) => topic.length >= MIN_PROMPT && topic.length <= MAX_WORDS && phraseKey(topic) !== own)
    .filter((topic) => name.trim().length < MIN_PROMPT || !topic.toLowerCase().includes(name.trim().toLowerCase()))
  return [...new Map(fit.reverse().map((topic) => [phraseKey(topic), topic])).values()].reverse().slice(0, MAX_TOPICS)
}

const filled = (template: string, values: Record<string, string>): string =>
  template.replace(/\{(\w)\}/g, (_, key: string) => values[key] ?? '')

/** Returns questions in rounds: no topic is repeated before each was used once. */
const aboutTopics = (questions: Questions, topics: readonly string[]): string[] =>
  questions.about.flatMap((_, round) =>
    topics.map((x, n) => filled(questions.about[(n + round) % questions.about.length] ?? '', { x })),
  )

/**
 * Returns questions that a customer might ask, at most ten; always the same for the same context.
 *
 * None of them names the business. The answer to a question that names it would show nothing about its visibility.
 */
export const autoPrompts = (context: BusinessContext): string[] => {
  const topics = topicsOf(context)
  const questions = QUESTIONS[tagOfLanguage(context.language)]
  const [audience] = context.audience.map((one) => one.trim()).filter((one) => one !== '' && one.length <= MAX_WORDS)
  const instead = questions
    ? context.competitors.slice(0, MAX_INSTEAD).map((x) => filled(questions.instead, { x }))
    : []
  const forWhom =
    questions && audience ? topics.slice(0, 1).map((x) => filled(questions.forWhom, { x, y: audience })) : []
  const about = questions ? aboutTopics(questions, topics) : topics
  const all = [...about.slice(0, MAX_AUTO - instead.length - forWhom.length), ...forWhom, ...instead]
  const plain = all.map(plainPrompt).filter(({ length }) => length >= MIN_PROMPT && length <= MAX_PROMPT)
  return [...new Map(plain.map((prompt) => [promptKey(prompt), prompt])).values()].slice(0, MAX_AUTO)
}

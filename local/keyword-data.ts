import { createHash } from 'node:crypto'

/** Answer of a made-up keyword service about a keyword. */
export type Measured = {
  keyword: string
  volume: number
  difficulty: number
  cpcCents: number
  intent: 'informational' | 'navigational' | 'commercial' | 'transactional'
}

type Form = readonly [pattern: string, intent: Measured['intent'], share: number]

/** Words that people add to what they search for, and the share of people who do, by language. */
const FORMS: Record<string, readonly Form[]> = {
  en: [
    ['best {x}', 'commercial', 0.4],
    ['{x} near me', 'transactional', 0.35],
    ['how to choose {x}', 'informational', 0.12],
    ['{x} price', 'transactional', 0.2],
    ['{x} reviews', 'commercial', 0.18],
    ['what is {x}', 'informational', 0.1],
    ['{x} ideas', 'informational', 0.15],
    ['{x} tips', 'informational', 0.08],
    ['{x} for beginners', 'informational', 0.1],
    ['{x} guide', 'informational', 0.07],
    ['cheap {x}', 'transactional', 0.16],
    ['{x} checklist', 'informational', 0.05],
    ['{x} mistakes to avoid', 'informational', 0.03],
    ['buy {x} online', 'transactional', 0.09],
    ['{x} comparison', 'commercial', 0.06],
    ['{x} vs alternatives', 'commercial', 0.04],
    ['{x} cost calculator', 'transactional', 0.03],
    ['{x} examples', 'informational', 0.06],
    ['{x} for small business', 'commercial', 0.05],
    ['{x} for families', 'informational', 0.04],
    ['{x} maintenance', 'informational', 0.05],
    ['{x} benefits', 'informational', 0.05],
    ['{x} safety', 'informational', 0.03],
    ['{x} for winter', 'informational', 0.02],
  ],
  de: [
    ['{x} Test', 'commercial', 0.4],
    ['{x} kaufen', 'transactional', 0.35],
    ['{x} Kosten', 'transactional', 0.2],
    ['{x} Vergleich', 'commercial', 0.15],
    ['{x} Erfahrungen', 'commercial', 0.1],
    ['{x} Anleitung', 'informational', 0.08],
    ['{x} Ideen', 'informational', 0.08],
    ['{x} Tipps', 'informational', 0.07],
    ['{x} für Anfänger', 'informational', 0.05],
    ['beste {x}', 'commercial', 0.12],
  ],
  fr: [
    ['{x} prix', 'transactional', 0.3],
    ['{x} avis', 'commercial', 0.25],
    ['meilleur {x}', 'commercial', 0.2],
    ['acheter {x}', 'transactional', 0.15],
    ['{x} comparatif', 'commercial', 0.1],
    ['{x} conseils', 'informational', 0.07],
    ['{x} idées', 'informational', 0.06],
    ['{x} débutant', 'informational', 0.05],
  ],
  es: [
    ['{x} precio', 'transactional', 0.3],
    ['mejores {x}', 'commercial', 0.25],
    ['comprar {x}', 'transactional', 0.2],
    ['{x} opiniones', 'commercial', 0.12],
    ['{x} ideas', 'informational', 0.08],
    ['{x} consejos', 'informational', 0.06],
    ['{x} para principiantes', 'informational', 0.05],
  ],
  nl: [
    ['beste {x}', 'commercial', 0.35],
    ['{x} kopen', 'transactional', 0.3],
    ['{x} prijs', 'transactional', 0.2],
    ['{x} ervaringen', 'commercial', 0.1],
    ['{x} vergelijken', 'commercial', 0.08],
    ['{x} tips', 'informational', 0.07],
    ['{x} ideeën', 'informational', 0.05],
    ['{x} voor beginners', 'informational', 0.04],
  ],
}

/** Forms that are words in no language in particular. */
const PLAIN: readonly Form[] = [
  ['{x} 2026', 'informational', 0.2],
  ['{x} online', 'transactional', 0.15],
  ['{x} top 10', 'commercial', 0.08],
]

/** Returns a number from 0 to 1 that is always the same for a text. */
const drawn = (text: string): number => createHash('sha256').update(text).digest().readUInt32BE(0) / 2 ** 32

const round = (value: number): number => Math.max(10, Math.round(value / 10) * 10)

/** Returns the numbers of a keyword: always the same for the same words and place. */
export const measured = (keyword: string, place: string, intent: Measured['intent'] = 'informational'): Measured => {
  const words = keyword.split(' ').length
  const volume = round((40_000 * drawn(`volume ${place} ${keyword}`) ** 2) / words ** 2)
  return {
    keyword,
    volume,
    difficulty: Math.round(Math.min(98, 12 * Math.log10(volume) + 35 * drawn(`difficulty ${keyword}`))),
    cpcCents: Math.round(20 + 400 * drawn(`cpc ${keyword}`)),
    intent,
  }
}

/** Returns keywords that contain a seed, most searched first. They are made up, in forms that people use. */
export const suggested = (seed: string, language: string, place: string): Measured[] => {
  const own = measured(seed, place)
  return [...(FORMS[language] ?? []), ...PLAIN]
    .map(([pattern, intent, share]) => {
      const keyword = pattern.replace('{x}', seed)
      return { ...measured(keyword, place, intent), volume: round(own.volume * share) }
    })
    .sort((a, b) => b.volume - a.volume)
}

import { SAID } from './said.ts'

/** Sentences that say none of the statements. Numbers and words in brackets are chosen from those in `WORDS`. */
const FILLER: Readonly<Record<string, readonly string[]>> = {
  English: [
    'Before you buy, measure the place where [thing] will stand.',
    'Most people ask first what [thing] needs in winter.',
    'In [year] we had [number] visitors who asked about [thing].',
    'The order of the steps matters more than the tools.',
    'A neighbour of ours paid [number] euros for [thing] and was content.',
    'Members meet on the first Friday of the month.',
    'Good wood dries for [number] days before it is cut.',
    'The law says little about [thing], so common sense decides.',
    'Our workshop in Leeds has [number] benches.',
    'Ask for a price in writing, with delivery included.',
    'Water finds every gap, so seal [thing] twice.',
    'The museum of tools has an exhibition about [thing].',
  ],
  German: [
    'Vor dem Kauf misst man den Platz für [thing].',
    'Viele fragen zuerst, was [thing] im Winter braucht.',
    'Im Jahr [year] hatten wir [number] Anfragen zu [thing].',
    'Ein Nachbar zahlte [number] Euro für [thing] und war zufrieden.',
    'Die Reihenfolge der Schritte ist wichtiger als das Werkzeug.',
    'Gutes Holz trocknet [number] Tage.',
    'Der Antrag wird vor dem Beginn der Arbeiten gestellt.',
    'Unsere Firma beschäftigt [number] Menschen.',
    'Ein schriftliches Angebot schützt vor bösen Überraschungen.',
    'Wasser findet jede Lücke, deshalb wird [thing] zweimal abgedichtet.',
  ],
  French: [
    'Avant l’achat, mesurez la place pour [thing].',
    'Beaucoup demandent d’abord ce que [thing] exige en hiver.',
    'En [year], nous avons reçu [number] questions sur [thing].',
    'Un voisin a payé [number] euros pour [thing].',
    'L’ordre des étapes compte plus que les outils.',
    'Le bois sèche [number] jours avant la coupe.',
    'Demandez toujours un devis écrit.',
    'Notre maison emploie [number] personnes.',
    'L’eau trouve chaque fente, alors protégez [thing].',
    'Le musée des outils ouvre une salle sur [thing].',
  ],
  Spanish: [
    'Antes de comprar, mide el sitio para [thing].',
    'Muchos preguntan qué necesita [thing] en invierno.',
    'En [year] recibimos [number] preguntas sobre [thing].',
    'Un vecino pagó [number] euros por [thing].',
    'El orden de los pasos importa más que las herramientas.',
    'La madera se seca [number] días.',
    'Pide siempre un presupuesto por escrito.',
    'Nuestra empresa tiene [number] empleados.',
    'El agua encuentra cada grieta, así que protege [thing].',
    'El museo abre una sala sobre [thing].',
  ],
  Dutch: [
    'Meet voor de koop de plek voor [thing].',
    'Velen vragen eerst wat [thing] in de winter nodig heeft.',
    'In [year] kregen we [number] vragen over [thing].',
    'Een buurman betaalde [number] euro voor [thing].',
    'De volgorde van de stappen telt meer dan het gereedschap.',
    'Goed hout droogt [number] dagen.',
    'Vraag altijd een prijs op papier.',
    'Ons bedrijf heeft [number] mensen in dienst.',
    'Water vindt elke kier, dus dicht [thing] twee keer af.',
  ],
  Japanese: [
    '購入の前に[thing]を置く場所を測ります。',
    '冬に[thing]がどうなるかをよく聞かれます。',
    '[year]年には[thing]について[number]件の質問がありました。',
    '近所の人は[thing]に[number]円を払いました。',
    '道具よりも手順が大切です。',
    '良い木は[number]日乾かします。',
    '見積もりは必ず書面でもらいましょう。',
    '水は小さな隙間にも入ります。',
    '当店には[number]人の職人がいます。',
  ],
}

const THINGS: Readonly<Record<string, readonly string[]>> = {
  English: [
    'a garden shed',
    'a boiler',
    'a carport',
    'loft insulation',
    'a terrace',
    'a parcel',
    'a solar panel',
    'a wooden floor',
  ],
  German: [
    'eine Wärmepumpe',
    'ein Dach',
    'eine Terrasse',
    'ein Gartenhaus',
    'eine Dämmung',
    'eine Heizung',
    'ein Carport',
  ],
  French: ['un meuble', 'une terrasse', 'un toit', 'un chauffage', 'une livraison', 'un atelier', 'une fenêtre'],
  Spanish: ['un curso', 'una terraza', 'un tejado', 'un pedido', 'un extintor', 'una oficina', 'una ventana'],
  Dutch: ['een zonnepaneel', 'een terras', 'een dak', 'een ketel', 'een kozijn', 'een winkel'],
  Japanese: ['送料', '屋根', '庭', '窓', '会員証', 'お茶'],
}

const ARTICLES = 500

/** Returns a generator of numbers from 0 to 1 that begins with a seed (Mulberry32). */
const randomOf = (seed: number) => {
  let state = seed
  return (): number => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** Sentence of an article that is about a statement: how it says it, or that it does not. */
type Planted = { statement: number; kind: 'exact' | 'other' | 'not'; html: string }

export type MeasuredArticle = { title: string; metaDescription: string; content: string; planted: Planted[] }

/** Returns the articles of the measured set: the same for the same seed. Each planted sentence is in one article. */
export const measuredArticles = (seed = 52): MeasuredArticle[] => {
  const random = randomOf(seed)
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T
  const filler = (language: string): string =>
    pick(FILLER[language] ?? [])
      .replace('[thing]', pick(THINGS[language] ?? []))
      .replace('[number]', String(2 + Math.floor(random() * 480)))
      .replace('[year]', String(2012 + Math.floor(random() * 14)))
  const left = SAID.flatMap(({ language, exact, other, not }, statement) =>
    Object.entries({ exact, other, not }).flatMap(([kind, sentences]) =>
      sentences.map((html) => ({ language, planted: { statement, kind: kind as Planted['kind'], html } })),
    ),
  )
  const languages = Object.keys(FILLER)
  const articles = Array.from({ length: ARTICLES }, (_, n) => {
    const language = languages[n % languages.length] as string
    const paragraphs = Array.from({ length: 3 + Math.floor(random() * 5) }, () =>
      Array.from({ length: 2 + Math.floor(random() * 3) }, () => filler(language)),
    )
    return { language, title: filler(language), paragraphs, planted: [] as Planted[] }
  })
  for (const { language, planted } of left) {
    const article = pick(articles.filter((one) => one.language === language))
    const paragraph = pick(article.paragraphs)
    paragraph.splice(Math.floor(random() * (paragraph.length + 1)), 0, planted.html)
    article.planted.push(planted)
  }
  return articles.map(({ language, title, paragraphs, planted }) => ({
    title,
    metaDescription: filler(language),
    content: paragraphs.map((sentences) => `<p>${sentences.join(language === 'Japanese' ? '' : ' ')}</p>`).join('\n'),
    planted,
  }))
}

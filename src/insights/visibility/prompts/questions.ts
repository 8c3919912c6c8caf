/** Questions of people of one language to an assistant: about a thing `{x}`, for someone `{y}`, and for others than a business `{x}`. */
export type Questions = { about: readonly string[]; forWhom: string; instead: string }

/** By language tag. In other languages the thing itself is asked for, which any engine understands. */
export const QUESTIONS: Readonly<Record<string, Questions>> = {
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

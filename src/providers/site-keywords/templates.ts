/** How people of one language ask about a thing `{x}`, or about two of them. `ofMany` fits a plural in -s only. */
export type Templates = { about: readonly string[]; ofMany?: readonly string[]; versus: string; alternatives: string }

/** By language tag. A language without an entry gets the phrases that were found and nothing made of them. */
export const TEMPLATES: Record<string, Templates> = {
  en: {
    ofMany: ['how to choose {x}', 'best {x}'],
    about: [
      '{x} tips',
      '{x} explained',
      '{x} for beginners',
      'cost of {x}',
      '{x} checklist',
      '{x} mistakes to avoid',
      'benefits of {x}',
      '{x} examples',
    ],
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

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

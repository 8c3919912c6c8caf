import { htmlToMarkdown } from '@mdream/js/core'
import { attributesOf } from './attributes.ts'
import { applyEdits, attributeEdits, type Edit } from './edits.ts'
import { readEvents } from './events.ts'
import { escapeText } from './references.ts'
import type { TagToken } from './tokens.ts'

const encodeBrackets = (url: string): string => url.replaceAll('<', '%3C').replaceAll('>', '%3E')

/** What takes the tags out of the attributes that Markdown shows as they are: titles and addresses. */
const WRITTEN: Record<string, (value: string) => string> = {
  title: escapeText,
  href: encodeBrackets,
  src: encodeBrackets,
}

const editsOf = (html: string, tag: TagToken): Edit[] => {
  const attributes = attributesOf(html, tag)
  const edits = Object.entries(WRITTEN).flatMap(([name, write]) => {
    const value = attributes.get(name)
    return value !== undefined && /[<>]/.test(value) ? attributeEdits(html, tag, name, write(value)) : []
  })
  return edits.sort((a, b) => a.start - b.start)
}

/** HTML as Markdown in which no text becomes a tag, also where a renderer lets HTML through. */
export const toMarkdown = (html: string): string => {
  const edits: Edit[] = []
  for (const event of readEvents(html)) if (event.kind === 'open') edits.push(...editsOf(html, event.tag))
  return htmlToMarkdown(applyEdits(html, edits))
}

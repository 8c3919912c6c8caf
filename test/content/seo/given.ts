import { readFileSync } from 'node:fs'
import { type HtmlDocument, readDocument } from '../../../src/content/html/document.ts'
import type { SeoExpectations } from '../../../src/content/seo/checks.ts'

/** Expectations that the how-to is judged by; tests change those they are about. */
export const GIVEN: SeoExpectations = {
  keyword: 'lay a gravel path',
  title: 'How to lay a gravel path that lasts',
  slug: 'how-to-lay-a-gravel-path',
  metaDescription: 'How to lay a gravel path that stays dry and level: depth, base, edging and care, step by step.',
  featureImage: 'https://shedsandpaths.example/path.jpg',
  language: 'English (UK)',
  wordCount: 900,
  tableOfContents: true,
  internalLinks: 3,
  siteKey: 'shedsandpaths.example',
  knownPages: new Set([
    'shedsandpaths.example/guides/gravel-calculator',
    'shedsandpaths.example/guides/shed-base',
    'shedsandpaths.example/guides/planning-a-shed',
  ]),
  exchangeSites: [],
  competitors: ['rival.example'],
  bannedPhrases: ['game changer', "in today's fast paced world"],
  duplicateOf: null,
}

export const readPage = (name: string): string => readFileSync(new URL(`./pages/${name}.html`, import.meta.url), 'utf8')

export const documentOf = (name: string): HtmlDocument => readDocument(readPage(name))

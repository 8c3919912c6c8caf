import { ARTICLE_STYLES } from '../../../../schema/values/articles.ts'
import {
  ARTICLE_FIELDS,
  LIVE_COLUMNS,
  SETTINGS_COLUMNS,
  type SettingsColumn,
  type WrittenColumn,
} from '../../../content/articles/fields.ts'
import type { ArticleDetail } from '../../../content/articles/read.ts'
import { wallTime } from '../../../platform/lib/time.ts'
import { isLive } from './load.ts'

/** Control of a setting: how it is typed, and its value in an article as text. */
type Control = {
  label: string
  hint?: string
  kind: 'text' | 'long' | 'time' | 'choice' | 'picture'
  max?: number
  of: (article: ArticleDetail) => string
  /** Words for a refused value. */
  wrong: string
}

const ADDRESS = 'has no address that begins with https://'

/** Controls of the settings of an article, in their order on the page. A field of the table without one does not compile. */
const CONTROLS: Record<SettingsColumn, Control> = {
  mainKeyword: {
    label: 'Keyword',
    hint: 'What people search for. A new one changes the address of a post that is not yet published, unless you set it.',
    kind: 'text',
    max: 500,
    of: ({ mainKeyword }) => mainKeyword,
    wrong: 'needs 1 to 500 characters',
  },
  slug: {
    label: 'Last part of the address',
    hint: 'Empty: made from the keyword.',
    kind: 'text',
    max: 200,
    of: ({ slug }) => slug,
    wrong: 'has more than 200 characters',
  },
  category: {
    label: 'Category',
    kind: 'text',
    max: 200,
    of: ({ category }) => category,
    wrong: 'has more than 200 characters',
  },
  tags: {
    label: 'Tags',
    hint: 'With commas between them.',
    kind: 'text',
    max: 4_000,
    of: ({ tags }) => tags.join(', '),
    wrong: 'have one that is too long, or are too many',
  },
  featureImage: {
    label: 'Feature image',
    hint: 'Its address, or choose a file.',
    kind: 'picture',
    max: 4_000,
    of: ({ featureImage }) => featureImage,
    wrong: ADDRESS,
  },
  altText: {
    label: 'What the feature image shows',
    kind: 'text',
    max: 1_000,
    of: ({ altText }) => altText,
    wrong: 'has more than 1,000 characters',
  },
  seoTitle: {
    label: 'Title for search engines',
    hint: 'Empty: the title.',
    kind: 'text',
    max: 500,
    of: ({ seoTitle }) => seoTitle,
    wrong: 'has more than 500 characters',
  },
  canonicalUrl: {
    label: 'Address of the original',
    hint: 'Only if the text was published elsewhere first.',
    kind: 'text',
    max: 4_000,
    of: ({ canonicalUrl }) => canonicalUrl,
    wrong: ADDRESS,
  },
  publishedAt: {
    label: 'Date that readers see',
    hint: 'Empty: the day on which it goes out.',
    kind: 'time',
    of: ({ publishedAt, timezone }) => (publishedAt ? wallTime(publishedAt, timezone).slice(0, 16) : ''),
    wrong: 'is no date in the past',
  },
  articleStyle: {
    label: 'Kind of article',
    hint: 'For whoever writes it: sets the length.',
    kind: 'choice',
    of: ({ articleStyle }) => articleStyle,
    wrong: 'is none of the kinds',
  },
  instructions: {
    label: 'Instructions to the writer',
    kind: 'long',
    max: 10_000,
    of: ({ instructions }) => instructions,
    wrong: 'have more than 10,000 characters',
  },
}

const ORDER = Object.keys(CONTROLS) as SettingsColumn[]

const nameOf = (column: SettingsColumn): string => ARTICLE_FIELDS[column].name

/** True if the setting can be changed now: a published post keeps some of them. */
const isOpen = (column: WrittenColumn, article: ArticleDetail): boolean =>
  !isLive(article) || LIVE_COLUMNS.some((live) => live === column)

/** Settings of an article as text, by the names of their fields. */
export type SettingsText = Readonly<Record<string, string>>

/** Returns the settings of an article as its form shows them. */
export const settingsOf = (article: ArticleDetail): SettingsText =>
  Object.fromEntries(ORDER.map((column) => [nameOf(column), CONTROLS[column].of(article)]))

/** Returns the fields of a form that are settings, without those that are as they were when the page was opened. */
export const changedSettings = (fields: SettingsText): SettingsText => {
  let before: unknown
  try {
    before = JSON.parse(fields.settings_before ?? '{}')
  } catch {}
  const known = (typeof before === 'object' && before !== null ? before : {}) as Record<string, unknown>
  return Object.fromEntries(
    SETTINGS_COLUMNS.map(nameOf).flatMap((name) => {
      const text = fields[name]?.replaceAll('\r\n', '\n')
      return text === undefined || text === known[name] ? [] : [[name, text]]
    }),
  )
}

/** Sentences for refused settings, by the names of their fields. */
export const SETTINGS_FAULTS: Readonly<Record<string, string>> = Object.fromEntries(
  ORDER.map((column) => [nameOf(column), `“${CONTROLS[column].label}” ${CONTROLS[column].wrong}. Nothing was saved.`]),
)

const STYLES = ARTICLE_STYLES.map((style) => [style, style.replaceAll('_', ' ')] as const)

const Input = ({ control, id, name, text }: { control: Control; id: string; name: string; text: string }) => {
  const shared = { id, name, form: 'write', 'aria-describedby': control.hint ? `${id}-hint` : undefined }
  if (control.kind === 'long')
    return (
      <textarea {...shared} rows={5} maxlength={control.max} dir="auto">
        {text}
      </textarea>
    )
  if (control.kind === 'choice')
    return (
      <select {...shared}>
        {STYLES.map(([value, label]) => (
          <option value={value} selected={value === text}>
            {label}
          </option>
        ))}
      </select>
    )
  if (control.kind === 'time') return <input {...shared} type="datetime-local" value={text} />
  return <input {...shared} type="text" value={text} maxlength={control.max} autocomplete="off" dir="auto" />
}

const Picture = () => (
  <div data-with-script hidden>
    <div class="row">
      <button class="plain" type="button" id="feature-add">
        Choose a file
      </button>
      <span class="hint" id="feature-said" role="status" />
    </div>
    <input
      id="feature-file"
      type="file"
      accept="image/jpeg,image/png,image/webp,image/gif"
      aria-label="File of the feature image"
      hidden
    />
  </div>
)

/** Renders the settings of an article, as part of the form with its text. `text`: what is in the fields. */
export const ArticleSettings = ({
  article,
  text,
  before,
}: {
  article: ArticleDetail
  text: SettingsText
  before: SettingsText
}) => (
  <section class="card" id="settings">
    <header>
      <h2>Settings</h2>
    </header>
    <input type="hidden" name="settings_before" value={JSON.stringify(before)} form="write" />
    <div class="stack in">
      {ORDER.filter((column) => isOpen(column, article)).map((column) => {
        const [control, name] = [CONTROLS[column], nameOf(column)]
        const id = `setting-${name}`
        return (
          <div class="field">
            <label for={id}>{control.label}</label>
            {control.hint && (
              <span class="hint" id={`${id}-hint`}>
                {control.hint}
              </span>
            )}
            {control.kind === 'picture' && text[name] !== '' && (
              <img id="feature-shown" src={text[name]} alt="" width={320} loading="lazy" />
            )}
            <Input control={control} id={id} name={name} text={text[name] ?? ''} />
            {control.kind === 'picture' && <Picture />}
          </div>
        )
      })}
      {isLive(article) ? (
        <p class="hint">A published post keeps its address, its date and its keyword.</p>
      ) : (
        <p class="hint">
          The date on which it goes out is on the page of the article. Times are by the clock of {article.timezone}.
        </p>
      )}
    </div>
  </section>
)

/** Forms of a stored text that are changed in parts. `lexical` is the JSON of Ghost’s editor. */
export type StoredForm = 'blocks' | 'classic' | 'html' | 'lexical'
export type AnyStored = { format: StoredForm; text: string }

const FORMS: readonly string[] = ['blocks', 'classic', 'html', 'lexical'] satisfies StoredForm[]

/** True if a text of this form can be changed in parts. */
export const isStoredForm = (format: string): format is StoredForm => FORMS.includes(format)

/** True for a site, in the form of `articles.remote_site`, that gets whole texts: that of a receiver. */
export const getsWholeTexts = (site: string): boolean => site.startsWith('webhook ')

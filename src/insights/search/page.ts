/** Contents of one of our pages: a heading, text, and at most one form. */
export type Page = { title: string; lines: readonly string[]; form?: Form }

type Form = {
  action: string
  button: string
  hidden: Record<string, string>
  /** A choice of one, its present value first named. */
  choice?: { name: string; legend: string; options: readonly string[]; chosen: string | undefined }
}

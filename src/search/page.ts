/** What a page of ours shows: a heading, text, and at most one form. */
export type Page = { title: string; lines: readonly string[]; form?: Form }

type Form = {
  action: string
  button: string
  hidden: Record<string, string>
  /** A choice of one, its present value first named. */
  choice?: { name: string; legend: string; options: readonly string[]; chosen: string | undefined }
}

const NAMES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

const escaped = (text: string): string => text.replace(/[&<>"']/g, (character) => NAMES[character] ?? character)

const STYLE =
  'body{font:1.0625rem/1.55 system-ui,sans-serif;max-width:38rem;margin:0 auto;padding:2rem 1.25rem;color:#1b1b1f;background:#fff}h1{font-size:1.5rem;line-height:1.25}fieldset{border:1px solid #8a8a94;border-radius:.5rem;padding:.5rem 1rem 1rem}label{display:block;padding:.4rem 0;overflow-wrap:anywhere}button{font:inherit;font-weight:600;margin-top:1rem;padding:.7rem 1.2rem;border:0;border-radius:.5rem;background:#1a4fb5;color:#fff;cursor:pointer}button:focus-visible,input:focus-visible{outline:3px solid #d97706;outline-offset:2px}p{overflow-wrap:anywhere}@media(prefers-color-scheme:dark){body{color:#eee;background:#17171a}button{background:#a9c4ff;color:#0b1d45}}'

/** SHA-256 of the style, so that a page's policy allows it and nothing else. */
export const styleHash = async (): Promise<string> => {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(STYLE))
  return `'sha256-${btoa(String.fromCharCode(...new Uint8Array(digest)))}'`
}

const choiceOf = ({ name, legend, options, chosen }: NonNullable<Form['choice']>): string => `
<fieldset><legend>${escaped(legend)}</legend>
${options
  .map(
    (option) =>
      `<label><input type="radio" name="${escaped(name)}" value="${escaped(option)}" required${option === chosen ? ' checked' : ''}> ${escaped(option)}</label>`,
  )
  .join('\n')}
</fieldset>`

const formOf = ({ action, button, hidden, choice }: Form): string => `
<form method="post" action="${escaped(action)}">
${Object.entries(hidden)
  .map(([name, value]) => `<input type="hidden" name="${escaped(name)}" value="${escaped(value)}">`)
  .join('\n')}${choice ? choiceOf(choice) : ''}
<button type="submit">${escaped(button)}</button>
</form>`

/** A page as HTML: plain, readable without styles, everything escaped. */
export const htmlOf = ({ title, lines, form }: Page, serviceName: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${escaped(title)} – ${escaped(serviceName)}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>${escaped(title)}</h1>
${lines.map((line) => `<p>${escaped(line)}</p>`).join('\n')}${form ? formOf(form) : ''}
</main>
</body>
</html>
`

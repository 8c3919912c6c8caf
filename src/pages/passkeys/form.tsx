type Asking = {
  action: string
  kind: 'create' | 'get'
  /** Options of `navigator.credentials`, as JSON. */
  options: unknown
  label: string
  fields: Record<string, string>
}

/** Renders a form that is sent with a passkey. Its button works once the script has found that the browser knows passkeys. */
export const PasskeyForm = ({ action, kind, options, label, fields }: Asking) => (
  <form class="stack" method="post" action={action} data-passkey={kind} data-options={JSON.stringify(options)}>
    {Object.entries({ ...fields, response: '' }).map(([name, value]) => (
      <input type="hidden" name={name} value={value} />
    ))}
    <button type="submit" disabled>
      {label}
    </button>
    <p class="hint" role="status">
      Passkeys need scripts, and a browser that supports them. You can sign in another way without.
    </p>
  </form>
)
